// Offers to go on with what was cut. An offer may stand for hours: when it is taken up, what holds then is looked at, and
// where somebody else was first, that is said and nothing is sent.
import { summaryLine } from '../projection/sessionView.ts';
import { offerVerdict, type OfferedSession } from '../projection/resumeOffer.ts';
import type { ListedSession } from '../runner/sessionStore.ts';
import { relaunch } from './relaunch.ts';
import { revealChat, tell, type Runtime } from './runtime.ts';
import { listAll, pickSession } from './sessionPick.ts';

export type OfferedRow = Pick<ListedSession, 'id' | 'title' | 'runStartedAt' | 'updatedAt'>;

export function nameOf(row: { readonly title: string }): string {
  return row.title === '' ? 'A session' : `"${row.title}"`;
}

/** Offers the sessions, the newest first, in the panel or by a notification. Does not wait for the answer. */
export function offerCut(runtime: Runtime, rows: readonly ListedSession[]): void {
  const [latest, ...others] = rows;
  if (!latest) return;
  const age = Date.now() - latest.updatedAt;
  const words =
    others.length === 0
      ? `${nameOf(latest)} was cut: ${summaryLine(latest.state, latest.cut, age)}.`
      : `${nameOf(latest)} and ${String(others.length)} more were cut.`;
  offerResume(runtime, rows, words);
}

export function offerResume(runtime: Runtime, rows: readonly OfferedRow[], words: string): void {
  const [latest] = rows;
  if (!latest) return;
  tell(runtime, {
    level: 'info',
    text: words,
    actions: [
      { label: 'Resume', run: () => takeUp(runtime, rows) },
      { label: 'Show', run: () => showSession(runtime, latest.id) },
      { label: 'Later', run: () => Promise.resolve() },
    ],
  });
}

async function takeUp(runtime: Runtime, offered: readonly OfferedRow[]): Promise<void> {
  const rows = await listAll(runtime.sessions);
  const found = offered.flatMap((before) => {
    const row = rows.find(({ id }) => id === before.id);
    return row ? [{ row, verdict: offerVerdict(facts({ ...row, ...before }), facts(row)) }] : [];
  });
  const standing = found.filter(({ verdict }) => verdict.kind === 'stands').map(({ row }) => row);
  if (standing.length > 0) {
    const row = standing.length === 1 ? standing[0] : await pickSession(standing, 'Session to resume');
    if (row) await relaunch(runtime, row.id, row.state === 'failed' && row.retryAt === undefined ? 'retry' : 'resume');
    return;
  }
  const over = found.find(({ verdict }) => verdict.kind === 'over');
  if (over?.verdict.kind !== 'over') {
    const text = 'What was offered is not among the sessions of the open folders any more.';
    tell(runtime, { level: 'info', text });
    return;
  }
  await showSession(runtime, over.row.id);
  tell(runtime, { level: 'info', text: over.verdict.words });
}

/** The beginning of the last run names it; where that is not known, the last record has to be the same one. */
function facts(row: OfferedRow & Pick<ListedSession, 'state'>): OfferedSession {
  return { name: nameOf(row), state: row.state, run: row.runStartedAt ?? row.updatedAt };
}

async function showSession(runtime: Runtime, id: string): Promise<void> {
  await runtime.panel.open(id);
  await revealChat(runtime);
}
