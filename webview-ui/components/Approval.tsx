// The question of a step that waits: what is asked for, and the answer. Deny may carry a reason, which the model reads;
// Allow always shows first what it would allow.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { lookalikeWarning } from '../../src/core/lookalikes.ts';
import type { StepItem } from '../../src/protocol/view.ts';
import { AlwaysForm } from './AlwaysForm.tsx';
import { Button } from './Button.tsx';
import { CutBox } from './CutBox.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { shown } from './Shown.tsx';

export function Approval({ step }: { readonly step: StepItem }) {
  const { post, memory, model } = usePanel();
  // Kept as a draft is: the question outlives the page and the host, and so does what was typed as its answer.
  const reasonKey = `${step.id} reason`;
  const typed = memory.draft(reasonKey).value;
  const [opened, setOpened] = useState<'reason' | 'always' | undefined>(typed === '' ? undefined : 'reason');
  const root = useRef<HTMLDivElement>(null);
  const reason = useRef<HTMLInputElement>(null);
  const wasAlways = useRef(false);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    // One that was typed before the page came again is there, and takes the keyboard from nobody.
    if (opened === 'reason' && !isFirst.current) reason.current?.focus();
    isFirst.current = false;
    // Back from the choice of a rule: the keyboard is where it was.
    if (opened === undefined && wasAlways.current) {
      root.current?.querySelector<HTMLElement>('[data-always] button')?.focus({ preventScroll: true });
    }
    wasAlways.current = opened === 'always';
  }, [opened]);
  useEffect(
    () => () => {
      const now = model.item(step.id).peek();
      const isAnswered = now?.kind === 'step' && now.status !== 'waiting';
      if (isAnswered && memory.draft(reasonKey).peek() !== '') memory.setDraft(reasonKey, '');
    },
    [reasonKey],
  );
  const denyLabel = step.answers?.deny ?? 'Deny';
  const preview = step.preview ?? step.input;
  const path = step.path;
  // Of a diff it is the path that matters: its lines are text in any language.
  const lookalikes = lookalikeWarning(preview.language === 'diff' ? (path ?? '') : preview.text);
  const canAnswer = model.session.value?.readOnly === undefined;
  // The question goes away with the answer: the keyboard stays at its step.
  const returnToStep = (): void => {
    root.current?.closest('.step')?.querySelector<HTMLElement>('[data-stop]')?.focus({ preventScroll: true });
  };
  const allow = (always?: string): void => {
    post({ type: 'approve', stepId: step.id, decision: 'allow', ...(always !== undefined && { always }) });
    returnToStep();
  };
  const deny = (): void => {
    const text = opened === 'reason' ? typed.trim() : '';
    post({ type: 'approve', stepId: step.id, decision: 'deny', ...(text && { reason: text }) });
    returnToStep();
  };
  return (
    <div ref={root} class="approval" role="group" aria-label={`${step.verb} ${shown(step.subject)}`}>
      {step.why !== undefined && (
        <div class="approval-why">
          <Icon name="warning" />
          <span>{step.why}</span>
        </div>
      )}
      {lookalikes !== undefined && (
        <div class="approval-why">
          <Icon name="warning" />
          <span>{lookalikes}</span>
        </div>
      )}
      <CutBox
        language={preview.language}
        text={preview.text}
        label="What is asked for"
        onEnter={() => {
          if (canAnswer && opened === undefined) allow();
        }}
      />
      {canAnswer && opened === 'always' && step.always && (
        <AlwaysForm
          stepId={step.id}
          always={step.always}
          onChoose={allow}
          onCancel={() => {
            setOpened(undefined);
          }}
        />
      )}
      {canAnswer && opened !== 'always' && (
        <>
          {opened === 'reason' && (
            <input
              ref={reason}
              class="field"
              aria-label="Reason"
              placeholder="What to do instead, or why not"
              value={typed}
              onInput={(event) => memory.setDraft(reasonKey, event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.isComposing) return;
                if (event.key === 'Enter') deny();
                // Goes on to the page, which gives the keyboard to the input.
                if (event.key === 'Escape') setOpened(undefined);
              }}
            />
          )}
          <div class="button-row">
            <Button
              kind="primary"
              label={step.answers?.allow ?? 'Allow'}
              hint="Allow this once (Enter on what is asked for)"
              mark="⏎"
              onPress={() => allow()}
            />
            {step.always && (
              <span data-always>
                <Button
                  label="Allow always…"
                  hint="See what could be allowed always in this folder"
                  onPress={() => setOpened('always')}
                />
              </span>
            )}
            <Button
              label={denyLabel}
              hint={opened === 'reason' ? `${denyLabel} (Enter in the reason)` : denyLabel}
              onPress={deny}
            />
            {opened !== 'reason' && (
              <Button kind="link" label="Give a reason…" hint="Say why not" onPress={() => setOpened('reason')} />
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
