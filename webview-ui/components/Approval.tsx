// The question of a step that waits: what is asked for, and the answer. Deny may carry a reason, which the model reads.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StepItem } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { StepCode } from './Code.tsx';
import { usePanel } from './context.ts';

export function Approval({ step }: { readonly step: StepItem }) {
  const { post, model } = usePanel();
  const [withReason, setWithReason] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const reason = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (withReason) reason.current?.focus();
  }, [withReason]);
  const preview = step.preview ?? step.input;
  const path = step.path;
  // The question goes away with the answer: the keyboard stays at its step.
  const returnToStep = (): void => {
    root.current?.closest('.step')?.querySelector<HTMLElement>('[data-stop]')?.focus({ preventScroll: true });
  };
  const allow = (): void => {
    post({ type: 'approve', stepId: step.id, decision: 'allow' });
    returnToStep();
  };
  const deny = (): void => {
    const text = reason.current?.value.trim() ?? '';
    post({ type: 'approve', stepId: step.id, decision: 'deny', ...(text && { reason: text }) });
    returnToStep();
  };
  return (
    <div ref={root} class="approval" role="group" aria-label={`${step.verb} ${step.subject}`}>
      <pre tabIndex={0} aria-label="What is asked for">
        <StepCode language={preview.language} text={preview.text} />
      </pre>
      {model.session.value?.readOnly === undefined && (
        <>
          {withReason && (
            <input
              ref={reason}
              class="field"
              aria-label="Reason"
              placeholder="What to do instead, or why not"
              onKeyDown={(event) => {
                if (event.isComposing) return;
                if (event.key === 'Enter') deny();
                // Goes on to the page, which gives the keyboard to the input.
                if (event.key === 'Escape') setWithReason(false);
              }}
            />
          )}
          <div class="button-row">
            <Button kind="primary" label="Allow" onPress={allow} />
            <Button label="Deny" hint={withReason ? 'Deny (Enter in the reason)' : 'Deny'} onPress={deny} />
            {!withReason && (
              <Button kind="link" label="Give a reason…" hint="Say why not" onPress={() => setWithReason(true)} />
            )}
            {path !== undefined && preview.language === 'diff' && (
              <Button
                kind="link"
                label="Open diff"
                hint="Open diff in the editor"
                onPress={() => post({ type: 'openDiff', stepId: step.id, path })}
              />
            )}
          </div>
        </>
      )}
    </div>
  );
}
