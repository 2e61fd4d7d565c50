// The sessions of the folder, newest first: state, title, what it was at; Resume in place.
import type { SessionSummaryView } from '../../src/protocol/view.ts';
import { stateTone, type StateTone } from '../store.ts';
import { ageText, dateText, timeText } from '../words.ts';
import { Button } from './Button.tsx';
import { useNow, usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { Shown, shown } from './Shown.tsx';
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
          <li key={session.id} class={`session-row tone-${toneOf(session)}`}>
            <button
              type="button"
              class="session-open"
              title={tooltip(session)}
              onClick={() => post({ type: 'openSession', sessionId: session.id })}
            >
              <Icon name={stateIcon(toneOf(session))} class="session-icon" />
              <span class="session-words">
                <span class="session-title">
                  <Shown text={session.title} kind="prose" />
                </span>
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

function tooltip({ title, stateWord, updatedAt, cost, description }: SessionSummaryView): string {
  const facts = [stateWord, dateText(updatedAt), ...(cost === undefined ? [] : [cost])];
  return `${shown(title, 'prose')}\n${facts.join(' · ')}\n${shown(description)}`;
}

function toneOf(session: SessionSummaryView): StateTone {
  return stateTone({ ...session, isParked: session.retryAt !== undefined });
}

/** "interrupted while running python tune.py · 4 min ago". */
function SessionFacts({ session }: { readonly session: SessionSummaryView }) {
  const { description, stateWord, folderName, retryAt } = session;
  return (
    <>
      <span class="session-state">{stateWord}</span>
      {description !== '' && ' '}
      <Shown text={description} />
      {retryAt !== undefined && <ParkedUntil at={retryAt} />}
      {' · '}
      <Age at={session.updatedAt} />
      {folderName && ' · '}
      {folderName && <Shown text={folderName} />}
    </>
  );
}

function ParkedUntil(props: { readonly at: number }) {
  const now = useNow('minute');
  return <>{props.at > now ? ` until ${timeText(props.at, now)}` : ', can go on'}</>;
}

function Age(props: { readonly at: number }) {
  const now = useNow('minute');
  return <>{ageText(props.at, now)}</>;
}

function ResumeHere({ session }: { readonly session: SessionSummaryView }) {
  const { model } = usePanel();
  const mode = session.state === 'failed' && session.retryAt === undefined ? 'retry' : 'resume';
  return (
    <Button
      label={mode === 'retry' ? 'Retry' : 'Resume'}
      hint={`Go on with ${shown(session.title, 'prose')}`}
      onPress={() => model.openAndResume(session.id, mode)}
    />
  );
}
