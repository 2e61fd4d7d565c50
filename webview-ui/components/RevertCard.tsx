// What a revert would do, file by file, before it is done. Escape or Cancel leaves everything as it is.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RevertPlanView } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { PathName } from './PathName.tsx';
import { Shown, shown } from './Shown.tsx';

const icons = { restore: 'discard', remove: 'trash', left: 'warning' } as const;

export function RevertCard() {
  const plan = usePanel().model.revertPlan.value;
  return plan ? <Card key={`${plan.messageId} ${String(plan.lastSeq)}`} plan={plan} /> : null;
}

function Card({ plan }: { readonly plan: RevertPlanView }) {
  const { model, post } = usePanel();
  const root = useRef<HTMLElement>(null);
  const [ended, setEnded] = useState<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => root.current?.focus(), []);
  const leave = (): void => {
    model.dismissRevert();
    document.getElementById('message')?.focus();
  };
  return (
    <section
      ref={root}
      class="revert-card"
      role="dialog"
      aria-labelledby="revert-title"
      aria-describedby="revert-summary"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.isComposing) leave();
      }}
    >
      <h2 id="revert-title">
        <Shown text={plan.title} kind="prose" />
      </h2>
      <div id="revert-summary">{plan.summary}</div>
      {plan.files.length > 0 && (
        <ul class="revert-files" tabIndex={0} aria-label="Files">
          {plan.files.map(({ path, verdict, words }) => (
            <li key={path} class={`revert-file is-${verdict}`} title={`${shown(path)}: ${words}`}>
              <Icon name={icons[verdict]} />
              <PathName path={path} />
              <span class="revert-words">{words}</span>
            </li>
          ))}
        </ul>
      )}
      {plan.running
        .filter(({ key }) => !ended.has(key))
        .map(({ key, command }) => (
          <div class="banner-running" key={key}>
            <code title={shown(command)}>
              <Shown text={command} />
            </code>
            <span>still running, and goes on</span>
            <Button
              kind="link"
              label="End command"
              hint="End it with all processes that it started"
              onPress={() => {
                post({ type: 'endCommand', key });
                setEnded(new Set([...ended, key]));
              }}
            />
          </div>
        ))}
      {plan.notes.map((note) => (
        <p class="revert-note" key={note}>
          {note}
        </p>
      ))}
      <div class="button-row">
        <Button
          kind="primary"
          label="Revert"
          hint="Restore these files and go back to before the message"
          onPress={() => {
            model.dismissRevert();
            post({ type: 'revert', messageId: plan.messageId, lastSeq: plan.lastSeq });
            document.getElementById('message')?.focus();
          }}
        />
        <Button label="Cancel" hint="Leave everything as it is (Escape)" onPress={leave} />
      </div>
    </section>
  );
}
