// A step: one line when finished, with its output live under it while it runs, with the question while it waits.
import { unreachable } from '../../src/core/errors.ts';
import type { StepItem, StepStatus } from '../../src/protocol/view.ts';
import { statusWord } from '../announcements.ts';
import { clockText, countText, dateText, durationText, numberText } from '../words.ts';
import { Approval } from './Approval.tsx';
import { IconButton } from './Button.tsx';
import { useNow, usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { PathName } from './PathName.tsx';
import { StepBody } from './StepBody.tsx';

export function stepIcon(status: StepStatus): string {
  switch (status) {
    case 'waiting':
      return 'question';
    case 'running':
      return 'loading';
    case 'succeeded':
      return 'check';
    case 'failed':
      return 'error';
    case 'denied':
      return 'circle-slash';
    case 'stopped':
      return 'debug-stop';
    case 'cut':
      return 'debug-disconnect';
    case 'not_started':
      return 'circle-outline';
    default:
      return unreachable(status);
  }
}

export function Step({ step }: { readonly step: StepItem }) {
  const { memory, model, post, scroll } = usePanel();
  const key = model.sessionKey.value;
  const open = memory.fold(key, step.id, false).value;
  const path = step.path;
  const toggle = (): void => {
    scroll.keepStill();
    memory.setFold(key, step.id, !open);
  };
  const bodyId = `body-${step.id}`;
  return (
    <div class={`step step-${step.status}`}>
      <div class="step-line">
        <button
          type="button"
          class={path === undefined ? 'step-toggle step-toggle-wide' : 'step-toggle'}
          data-stop
          tabIndex={-1}
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          title={`${step.verb} ${step.subject}\n${dateText(step.startedAt ?? step.at)}\n${open ? 'Fold' : 'Open'} (Enter)`}
          onClick={toggle}
        >
          <Icon name={stepIcon(step.status)} spin={step.status === 'running'} class="step-icon" />
          {step.status !== 'running' && <span class="visually-hidden">{statusWord(step.status)}: </span>}
          <span class="step-verb">{step.verb}</span>{' '}
          {path === undefined && <code class="step-subject">{step.subject}</code>}
          {path !== undefined && <span class="visually-hidden">{step.subject}</span>}
        </button>
        {path !== undefined && (
          <button
            type="button"
            class="step-path"
            tabIndex={-1}
            aria-label={`Open ${path}`}
            title={`Open ${path}`}
            onClick={() => post({ type: 'openFile', path })}
          >
            <PathName path={step.subject} />
          </button>
        )}
        {path !== undefined && <span class="step-filler" onClick={toggle} />}
        <StepFacts step={step} />
      </div>
      {step.problem && !open && (
        <div class="step-problem" title={step.problem}>
          {step.problem}
        </div>
      )}
      {step.note && <div class="step-note">{step.note}</div>}
      {step.allowedBy !== undefined && (
        <div class="step-note step-rule" title={step.allowedBy}>
          allowed by rule: {step.allowedBy}
        </div>
      )}
      {step.status === 'running' && <LiveOutput id={step.id} />}
      {step.status === 'waiting' && <Approval step={step} />}
      {open && <StepBody step={step} id={bodyId} />}
    </div>
  );
}

/** Less than this says nothing but "at once". */
const shownFromMs = 100;

function StepFacts({ step }: { readonly step: StepItem }) {
  const { post } = usePanel();
  const path = step.path;
  const failedWith = step.exitCode !== undefined && step.exitCode !== null && step.exitCode !== 0;
  return (
    <span class="step-facts">
      {failedWith && <span class="step-exit">exit {step.exitCode}</span>}
      {step.lines && path !== undefined && (
        <button
          type="button"
          class="step-lines"
          tabIndex={-1}
          aria-label={`Open diff, ${countText(step.lines.added, 'line', 'lines')} added, ${step.lines.removed} removed`}
          title="Open diff"
          onClick={() => post({ type: 'openDiff', stepId: step.id, path })}
        >
          <LineCounts added={step.lines.added} removed={step.lines.removed} />
        </button>
      )}
      {step.lines && path === undefined && <LineCounts added={step.lines.added} removed={step.lines.removed} />}
      {step.status === 'running' && step.startedAt !== undefined && <Elapsed since={step.startedAt} />}
      {step.status === 'running' && <EndRunButton />}
      {step.status !== 'running' && !step.lines && (step.durationMs ?? 0) >= shownFromMs && (
        <span class="step-duration">{durationText(step.durationMs ?? 0)}</span>
      )}
    </span>
  );
}

export function LineCounts(props: { readonly added: number; readonly removed: number }) {
  return (
    <>
      <span class="lines-added">+{numberText(props.added)}</span>{' '}
      <span class="lines-removed">−{numberText(props.removed)}</span>
    </>
  );
}

export function Elapsed(props: { readonly since: number }) {
  const now = useNow('second');
  return <span class="step-elapsed">{clockText(now - props.since)}</span>;
}

/** The same as the Stop button under the input, where the eye is. */
export function EndRunButton() {
  const { model, post } = usePanel();
  const isStopping = model.session.value?.isStopping === true;
  return (
    <IconButton
      icon="debug-stop"
      class="end-run"
      label={isStopping ? 'Stopping…' : 'End this run'}
      hint={isStopping ? 'The run is being ended' : 'End this run and what it has started'}
      tabIndex={-1}
      onPress={() => post({ type: 'stop' })}
    />
  );
}

const shownLines = 6;

function LiveOutput(props: { readonly id: string }) {
  const { model } = usePanel();
  const lines = model.live(props.id).value;
  if (lines.length === 0) return null;
  return <pre class="live-output">{lines.slice(-shownLines).join('\n')}</pre>;
}
