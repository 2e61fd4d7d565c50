// The line of a run that waits to make its request again: why, how long still, and the way not to wait.
import type { WaitView } from '../../src/protocol/view.ts';
import { countdownText } from '../words.ts';
import { Button } from './Button.tsx';
import { useNow, usePanel } from './context.ts';
import { Icon } from './Icon.tsx';

export function RetryNote(props: { readonly wait: WaitView; readonly readOnly: boolean }) {
  const { post } = usePanel();
  const now = useNow('second');
  const { attempt, remedy, text, until } = props.wait;
  return (
    <section class="retry-note" aria-label="Waiting">
      <Icon name="history" class="retry-icon" />
      <span class="retry-words">
        {/* Said once to who does not see it: a number that changes each second would be said each second. */}
        <span role="status">{text}</span> Next try in {countdownText(until - now)}
        {attempt !== undefined && ` (${attempt})`}
        {remedy && !props.readOnly && (
          <span class="retry-remedy">
            <Button
              kind="link"
              label={remedy.label}
              onPress={() => post({ type: 'command', command: remedy.command })}
            />
          </span>
        )}
      </span>
      {!props.readOnly && (
        <Button
          kind="link"
          label="Retry now"
          hint="Do not wait any longer"
          onPress={() => {
            post({ type: 'retryNow' });
            document.getElementById('message')?.focus();
          }}
        />
      )}
    </section>
  );
}
