// What a screen reader is told: finished steps, steps that wait for an answer, changes of state. Nothing else, so
// that streaming text stays silent. Pure: compares two states.
import { visibleText } from '../src/core/visibleText.ts';
import type { StepItem, StepStatus } from '../src/protocol/view.ts';
import type { PanelState } from './store.ts';
import { durationText } from './words.ts';

const endings: Readonly<Record<StepStatus, string | undefined>> = {
  waiting: 'waits for your answer',
  running: undefined,
  succeeded: 'succeeded',
  failed: 'failed',
  denied: 'denied',
  stopped: 'stopped',
  cut: 'was cut, outcome unknown',
  not_started: 'did not start',
};

/** The word for a step's status, for people who do not see its icon. A running step says it by its verb. */
export function statusWord(status: StepStatus): string {
  return endings[status] ?? 'running';
}

/** Sentences to announce after `next` followed `previous`. Empty when a session was opened: history is not news. */
export function announcements(previous: PanelState, next: PanelState): readonly string[] {
  const before = previous.panel?.session;
  const now = next.panel?.session;
  if (!now || before?.id !== now.id) return [];
  const said: string[] = [];
  if (previous.items !== next.items && previous.earlier === next.earlier) {
    const known = new Map(previous.items.map((item) => [item.id, item]));
    for (const item of next.items) {
      if (item.kind !== 'step') continue;
      const old = known.get(item.id);
      const ending = endings[item.status];
      if (!ending || old === item || (old?.kind === 'step' && old.status === item.status)) continue;
      said.push(stepSentence(item, ending));
    }
  }
  if (before.stateWord !== now.stateWord) said.push(`Session: ${now.stateWord}`);
  return said;
}

function stepSentence(step: StepItem, ending: string): string {
  const took = step.durationMs === undefined ? '' : `, ${durationText(step.durationMs)}`;
  const problem = step.problem ? `: ${step.problem}` : '';
  // As it is on the screen: a reader says nothing of what turns a line around.
  return `${step.verb} ${visibleText(step.subject)}, ${ending}${took}${visibleText(problem, 'prose')}`;
}
