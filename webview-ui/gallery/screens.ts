// What the states of the gallery are put together from: a session, a list of sessions, and the snapshots around them.
import type { HostMessage } from '../../src/protocol/messages.ts';
import type { Banner, PanelView, SessionSummaryView, SessionView, TranscriptItem } from '../../src/protocol/view.ts';
import { opened, step, workUntilTuning } from './items.ts';

export type Snapshot = Extract<HostMessage, { type: 'snapshot' }>;
export const minute = 60_000;

export const tasks: SessionView['tasks'] = [
  { id: '1', title: 'Check the data', status: 'completed' },
  { id: '2', title: 'Train the baseline', status: 'completed' },
  { id: '3', title: 'Mend the tests', status: 'completed' },
  { id: '4', title: 'Tune with 50 trials', status: 'in_progress' },
  { id: '5', title: 'Write the report', status: 'pending' },
];

export const session: SessionView = {
  id: 's1',
  title: 'Train baseline and tune',
  state: 'running',
  stateWord: 'running',
  needsUser: false,
  runningSince: opened - 20 * minute,
  model: 'claude-sonnet-5-5',
  approvalMode: 'ask',
  context: { usedTokens: 24_310, windowTokens: 200_000 },
  usageText: '112,304 tokens in, 12,101 out, 91 % from cache',
  tasks,
};

export const sessions: readonly SessionSummaryView[] = [
  {
    id: 's1',
    title: 'Train baseline and tune',
    state: 'interrupted',
    stateWord: 'interrupted',
    description: 'while running python tune.py',
    needsUser: false,
    updatedAt: opened - 4 * minute,
    resumable: true,
  },
  {
    id: 's2',
    title: 'Move the settings page to the new router and delete what nobody calls any more',
    state: 'running',
    stateWord: 'needs you',
    description: '',
    needsUser: true,
    updatedAt: opened - minute / 2,
    resumable: false,
  },
  {
    id: 's3',
    title: 'Why is the import slow?',
    state: 'done',
    stateWord: 'done',
    description: '',
    needsUser: false,
    updatedAt: opened - 3 * 60 * minute,
    resumable: false,
  },
  {
    id: 's4',
    title: 'Nightly report',
    state: 'failed',
    stateWord: 'failed',
    description: '',
    needsUser: false,
    updatedAt: opened - 40 * 60 * minute,
    resumable: true,
  },
  {
    id: 's5',
    title: 'Translate the handbook',
    state: 'failed',
    stateWord: 'parked',
    description: '',
    needsUser: false,
    updatedAt: opened - 9 * minute,
    retryAt: opened + 51 * minute,
    resumable: true,
  },
];

const panel: PanelView = {
  screen: 'session',
  source: { kind: 'anthropic', text: 'Key from the secret storage' },
  folders: [{ uri: 'file:///home/dev/ml', name: 'ml' }],
  approvalMode: 'ask',
  models: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5'],
  session,
  sessions,
};

function snapshot(
  changes: Partial<PanelView>,
  items: readonly TranscriptItem[] = [],
  more: Partial<Snapshot> = {},
): Snapshot {
  return { type: 'snapshot', revision: 1, panel: { ...panel, ...changes }, items, earlier: 0, live: [], ...more };
}

export function inSession(
  changes: Partial<SessionView>,
  items: readonly TranscriptItem[],
  more: Partial<Snapshot> = {},
): Snapshot {
  return snapshot({ session: { ...session, ...changes } }, items, more);
}

export function screenOf(changes: Partial<PanelView>): Snapshot {
  const { session: _none, ...rest } = panel;
  return { ...snapshot({}), panel: { ...rest, ...changes } };
}

export function cut(state: SessionView['state'], stateWord: string, banner: Banner, last: TranscriptItem): Snapshot {
  return inSession({ state, stateWord, banner }, [...workUntilTuning(), last]);
}

export const cutTune = (): TranscriptItem =>
  step({ status: 'cut', verb: 'Was running', subject: 'python tune.py --trials 50' });
export const stoppedTune = (): TranscriptItem =>
  step({ status: 'stopped', verb: 'Stopped', subject: 'python tune.py --trials 50', durationMs: 161_000 });

export const longName =
  'apps/administration/src/features/organisation-settings/components/organisationSettingsMembershipTable.spec.tsx';

/** By the name in the address: `?view=running`. Made afresh each time. */

/** The same with what the input takes after a `/`. */
export function withCommands(view: Snapshot, commands: SessionView['commands']): Snapshot {
  const { session: shown, ...rest } = view.panel;
  return shown && commands ? { ...view, panel: { ...rest, session: { ...shown, commands } } } : view;
}
