// A delegation: one line for the agent, folded, with what it is at and what it asks for under it; opened, with all that
// happened inside and its final answer. What is inside is asked for when it is opened.
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { AgentCard as Card, StepItem } from '../../src/protocol/view.ts';
import { statusWord } from '../announcements.ts';
import { countText, dateText, durationText } from '../words.ts';
import { Button } from './Button.tsx';
import { usePanel } from './context.ts';
import { CopyButton } from './CopyButton.tsx';
import { Icon } from './Icon.tsx';
import { Markdown } from './Markdown.tsx';
import { Shown, shown } from './Shown.tsx';
import { Elapsed, Step, stepIcon } from './Step.tsx';
import { Artifacts } from './StepBody.tsx';

interface Props {
  readonly step: StepItem;
  readonly agent: Card;
  /** Draws items: passed in, since an item is what draws this card. */
  readonly inside: ComponentType<{ readonly ids: readonly string[] }>;
}

export function AgentCard({ step, agent, inside }: Props) {
  const { memory, model, scroll } = usePanel();
  const key = model.sessionKey.value;
  const open = memory.fold(key, step.id, false).value;
  const asks = agent.waiting.length > 0;
  const isRunning = step.status === 'running';
  const bodyId = `body-${step.id}`;
  const about = agent.label ?? '';
  return (
    <div class={`step agent step-${asks ? 'waiting' : step.status}`} role="group" aria-label={`Agent ${agent.name}`}>
      <div class="step-line">
        <button
          type="button"
          class="step-toggle step-toggle-wide"
          data-stop
          tabIndex={-1}
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          title={`${agent.name}${about === '' ? '' : `: ${shown(about, 'prose')}`}\n${agent.model} · ${dateText(step.startedAt ?? step.at)}\n${open ? 'Fold' : 'Open'} (Enter)`}
          onClick={() => {
            scroll.keepStill();
            memory.setFold(key, step.id, !open);
          }}
        >
          <Icon name={asks ? 'question' : stepIcon(step.status)} spin={isRunning && !asks} class="step-icon" />
          <span class="visually-hidden">{asks ? 'needs you' : statusWord(step.status)}: </span>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} class="agent-chevron" />
          <span class="agent-name">{agent.name}</span>
          <span class="agent-label">
            <Shown text={about} kind="prose" />
          </span>
        </button>
        <span class="step-facts">
          {(open || !isRunning) && <Steps agent={agent} />}
          {isRunning && step.startedAt !== undefined && <Elapsed since={step.startedAt} />}
          {!isRunning && step.durationMs !== undefined && (
            <span class="step-duration">{durationText(step.durationMs)}</span>
          )}
        </span>
      </div>
      {step.problem && !open && (
        <div class="step-problem" title={shown(step.problem)}>
          <Shown text={step.problem} />
        </div>
      )}
      {!open && isRunning && <Now agent={agent} />}
      {!open && agent.waiting.map((waiting) => <Waiting key={waiting.id} step={waiting} />)}
      {open && <CardBody step={step} id={bodyId} inside={inside} />}
    </div>
  );
}

function Steps({ agent }: { readonly agent: Card }) {
  return <span class="agent-steps">{countText(agent.steps, 'step', 'steps')}</span>;
}

/** How far it is, and the step that it is at, in one line. What waits is shown in full under it. */
function Now({ agent }: { readonly agent: Card }) {
  const { now, waiting } = agent;
  return (
    <div class="agent-now" title={now ? `${now.verb} ${shown(now.subject)}` : undefined}>
      <Steps agent={agent} />
      {waiting.length === 0 && ' · '}
      {waiting.length === 0 && (now?.verb ?? 'Thinking')}
      {waiting.length === 0 && now && now.subject !== '' && (
        <code>
          {' '}
          <Shown text={now.subject} />
        </code>
      )}
    </div>
  );
}

/** A question from inside is on screen whether or not the card is open. */
function Waiting({ step }: { readonly step: StepItem }) {
  return (
    <div class="agent-inside">
      <Step step={step} />
    </div>
  );
}

function CardBody(props: { readonly step: StepItem; readonly id: string; readonly inside: Props['inside'] }) {
  const { model, post } = usePanel();
  const { step, inside: Inside } = props;
  const snapshots = model.snapshots.value;
  const within = model.inside(step.id).value;
  useEffect(() => post({ type: 'openAgent', stepId: step.id }), [step.id, snapshots]);
  useEffect(() => () => post({ type: 'closeAgent', stepId: step.id }), [step.id]);
  const first = within?.items[0]?.id;
  // What it said last is its answer: then it stands there already.
  const result = within?.items.at(-1)?.kind === 'assistant' && step.status === 'succeeded' ? undefined : step.result;
  return (
    <div class="agent-inside" id={props.id}>
      {within && within.earlier > 0 && first !== undefined && (
        <Button
          kind="link"
          label={`Show ${countText(within.earlier, 'earlier item', 'earlier')}`}
          onPress={() => post({ type: 'openAgent', stepId: step.id, beforeId: first })}
        />
      )}
      {within && <Inside ids={within.items.map(({ id }) => id)} />}
      {result && step.status !== 'running' && (
        <div class="agent-answer">
          <div class="part-head">
            <span>{step.status === 'succeeded' ? 'Answer' : 'What was reported'}</span>
            {result.truncated && <span class="part-note">shortened</span>}
            <CopyButton text={() => result.text} label="Copy answer" />
          </div>
          <Markdown text={result.text} streaming={false} />
        </div>
      )}
      {step.artifacts && step.artifacts.length > 0 && <Artifacts artifacts={step.artifacts} />}
    </div>
  );
}
