// The sessions of the folder, newest first: state, title, what it was at; Resume in place.
import type { SessionSummaryView } from '../../src/protocol/view.ts';
import { stateTone } from '../store.ts';
import { ageText, dateText } from '../words.ts';
import { Button } from './Button.tsx';
import { useNow, usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { stateIcon } from './StateMark.tsx';

interface Props {
  readonly sessions: readonly SessionSummaryView[];
  /** Nothing can be run here: the list is for reading. */
  readonly readOnly?: boolean;
}

export function SessionList(props: Props) {
  const { post } = usePanel();
  if (props.sessions.length === 0) return null;
  return (
    <section class="sessions" aria-labelledby="sessions-heading">
      <h2 id="sessions-heading">Sessions</h2>
      <ul>
        {props.sessions.map((session) => (
          <li key={session.id} class={`session-row tone-${stateTone(session)}`}>
            <button
              type="button"
              class="session-open"
              title={`${session.title}\n${session.stateWord} · ${dateText(session.updatedAt)}\n${session.description}`}
              onClick={() => post({ type: 'openSession', sessionId: session.id })}
            >
              <Icon name={stateIcon(stateTone(session))} class="session-icon" />
              <span class="session-words">
                <span class="session-title">{session.title}</span>
                <span class="session-facts">
                  <SessionFacts session={session} />
                </span>
              </span>
            </button>
            {session.resumable && !props.readOnly && <ResumeHere session={session} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** "interrupted while running python tune.py · 4 min ago". */
function SessionFacts({ session }: { readonly session: SessionSummaryView }) {
  const { description, stateWord, folderName } = session;
  return (
    <>
      <span class="session-state">{stateWord}</span>
      {description !== '' && ` ${description}`}
      {' · '}
      <Age at={session.updatedAt} />
      {folderName && ` · ${folderName}`}
    </>
  );
}

function Age(props: { readonly at: number }) {
  const now = useNow('minute');
  return <>{ageText(props.at, now)}</>;
}

function ResumeHere({ session }: { readonly session: SessionSummaryView }) {
  const { model } = usePanel();
  const mode = session.state === 'failed' ? 'retry' : 'resume';
  return (
    <Button
      label={mode === 'retry' ? 'Retry' : 'Resume'}
      hint={`Go on with ${session.title}`}
      onPress={() => model.openAndResume(session.id, mode)}
    />
  );
}
