import assert from 'node:assert/strict';
import { sessionStates, type SessionEvent } from '../../../src/core/events.ts';
import type { Artifact } from '../../../src/core/recordedFiles.ts';
import {
  buildResumeContext,
  historyBlockLength,
  relaunchPrompt,
  type ResumeContextInput,
} from '../../../src/core/resumeContext.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import type { ConversationEvent } from '../../../src/core/sessionState.ts';
import { header, stamp } from './events.ts';

const now = Date.UTC(2026, 0, 5, 12);
const nothing: ResumeContextInput = {
  now,
  mode: 'resume',
  priorState: 'interrupted',
  conversation: [],
  tasks: [],
  listing: { ok: true, value: { files: [], total: 0 } },
  artifacts: { ok: true, value: [] },
  editors: { ok: true, value: [] },
  inFlight: [],
};

function section(input: Partial<ResumeContextInput>, title: string): string {
  const all = buildResumeContext({ ...nothing, ...input });
  const found = all.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  assert.ok(found !== undefined, `no section ${title}`);
  return found.slice(title.length + 1).trimEnd();
}

/** A call and its result, `n` times. */
function calls(
  n: number,
  result: (i: number) => { readonly content: string; readonly isError?: boolean },
): readonly ConversationEvent[] {
  const events: SessionEvent[] = Array.from({ length: n }, (_, i) => i).flatMap((i) => {
    const { content, isError = false } = result(i);
    return stamp([
      {
        type: 'assistant_message_completed',
        messageId: `m${String(i)}`,
        requestId: `q${String(i)}`,
        model: 'm',
        content: [
          { type: 'text', text: 'Chat is not repeated.' },
          { type: 'tool_use', id: `c${String(i)}`, name: 'read', input: { n: i } },
        ],
        stopReason: 'tool_use',
        usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      },
      { type: 'step_finished', stepId: `c${String(i)}`, outcome: isError ? 'failed' : 'succeeded', content, isError },
    ]);
  });
  return foldEvents(header, events).conversation;
}

const artifact = (path: string, change: Artifact['change'] = 'created'): Artifact => ({
  path,
  change,
  size: 2_048,
  sha256: 'ab',
});

describe('resume context: the whole text', () => {
  it('has every section, in order, with words for nothing', () => {
    assert.equal(
      buildResumeContext(nothing),
      `## State
The last run was interrupted: the editor closed or crashed.

## Tool history
No tool calls yet.

## Task list
No task list.

## Workspace files
The folder is empty.

## Artifacts of this session
No files were recorded.

## Open editors
No editors are open.

## Step in flight when the run was cut
None: no tool call was cut.

## Rules
- Treat listed intact files as finished work. Do not make them again.
- Where in doubt, check cheaply (list, read, status) instead of making again.
- Redo only what is missing or was changed since, and what a result above marks as unknown after you checked.
- Go on with the first unfinished task.`,
    );
  });

  it('tells what is there', () => {
    const text = buildResumeContext({
      ...nothing,
      priorState: 'cancelled',
      conversation: calls(2, (i) =>
        i === 0 ? { content: 'fine\nsecond line' } : { content: 'exit code 1', isError: true },
      ),
      tasks: [
        { id: 't1', title: 'Load', status: 'completed' },
        { id: 't2', title: 'Tune', status: 'in_progress' },
        { id: 't3', title: 'Report', status: 'pending' },
      ],
      listing: {
        ok: true,
        value: {
          files: [
            { path: 'README.md', size: 100, mtimeMs: now - 2 * 86_400_000 },
            { path: 'out/a.csv', size: 2_048, mtimeMs: now - 240_000 },
          ],
          total: 1_206,
        },
      },
      artifacts: {
        ok: true,
        value: [
          { artifact: artifact('out/a.csv'), verdict: 'intact' },
          { artifact: artifact('out/b.csv', 'changed'), verdict: 'changed' },
          { artifact: artifact('out/c.csv'), verdict: 'missing' },
          { artifact: artifact('old.txt', 'deleted'), verdict: 'intact' },
          { artifact: artifact('back.txt', 'deleted'), verdict: 'changed' },
        ],
      },
      editors: {
        ok: true,
        value: [
          { path: 'a.py', active: true, unsaved: true },
          { path: 'b.py', active: false, unsaved: false },
        ],
      },
      inFlight: [{ title: 'Running python tune.py', became: 'had kept running; finished, its result is above' }],
    });
    assert.equal(
      text.slice(0, text.indexOf('## Rules')).trimEnd(),
      `## State
The last run was stopped by the user.

## Tool history
[call read] {"n":0}
[result] fine
second line
[call read] {"n":1}
[result ERROR] exit code 1

## Task list
1 of 3 completed, 1 in progress, 1 pending
[x] t1 Load
[~] t2 Tune
[ ] t3 Report

## Workspace files
out/a.csv (2.0 KB, 4 min ago, made by this session)
README.md (100 B, 2 days ago)
(1,204 more files not listed)

## Artifacts of this session
out/a.csv: intact (2.0 KB)
out/b.csv: changed since (2.0 KB)
out/c.csv: missing (2.0 KB)
old.txt: deleted, still gone
back.txt: was deleted, is there again

## Open editors
a.py (active) (unsaved changes)
b.py

## Step in flight when the run was cut
Running python tune.py: had kept running; finished, its result is above`,
    );
  });
});

describe('resume context: tool history', () => {
  it('has the last 40 blocks, oldest first, and counts what was left out', () => {
    const lines = section(
      { conversation: calls(30, (i) => ({ content: `result ${String(i)}` })) },
      'Tool history',
    ).split('\n');
    assert.equal(lines.length, 41);
    assert.equal(lines[0], '(20 earlier blocks left out)');
    assert.deepEqual([lines[1], lines[2]], ['[call read] {"n":10}', '[result] result 10']);
    assert.deepEqual([lines[39], lines[40]], ['[call read] {"n":29}', '[result] result 29']);
  });

  it('leaves nothing out of exactly 40', () => {
    const lines = section({ conversation: calls(20, () => ({ content: 'x' })) }, 'Tool history').split('\n');
    assert.equal(lines.length, 40);
    assert.equal(lines[0], '[call read] {"n":0}');
  });

  it('cuts a block to 500 code units and never inside a pair', () => {
    const cut = (content: string): string =>
      section({ conversation: calls(1, () => ({ content })) }, 'Tool history').split('[result] ')[1] ?? '';
    assert.equal(historyBlockLength, 500);
    assert.equal(cut('a'.repeat(500)), 'a'.repeat(500));
    assert.equal(cut('a'.repeat(501)), 'a'.repeat(500));
    assert.equal(cut(`${'a'.repeat(498)}🎉b`), `${'a'.repeat(498)}🎉`);
    assert.equal(cut(`${'a'.repeat(499)}🎉b`), 'a'.repeat(499));
  });

  it('marks what was denied, stopped or cut as an error too, as it was told the model', () => {
    assert.match(
      section({ conversation: calls(1, () => ({ content: 'denied', isError: true })) }, 'Tool history'),
      /\[result ERROR\] denied/,
    );
  });
});

describe('resume context: what could not be looked up', () => {
  it('becomes a line that says so', () => {
    const failed = { ok: false, reason: 'permission denied' } as const;
    const input = { listing: failed, artifacts: failed, editors: failed };
    assert.equal(section(input, 'Workspace files'), 'The folder could not be listed: permission denied');
    assert.equal(section(input, 'Artifacts of this session'), 'The artifacts could not be checked: permission denied');
    assert.equal(section(input, 'Open editors'), 'The open editors could not be read: permission denied');
  });

  it('a section that cannot be built becomes a line, and the others are there', () => {
    const broken = { id: 't1', status: 'pending' } as const;
    const task = Object.defineProperty({ ...broken, title: '' }, 'title', {
      get: () => {
        throw new Error('no title');
      },
    });
    assert.equal(section({ tasks: [task] }, 'Task list'), 'This section could not be built: no title');
    assert.equal(section({ tasks: [task] }, 'Open editors'), 'No editors are open.');
  });

  it('shows at most 200 artifacts, the last ones', () => {
    const value = Array.from({ length: 205 }, (_, i) => ({
      artifact: artifact(`f${String(i)}`),
      verdict: 'intact' as const,
    }));
    const lines = section({ artifacts: { ok: true, value } }, 'Artifacts of this session').split('\n');
    assert.equal(lines[0], '(5 earlier files left out)');
    assert.equal(lines.length, 201);
    assert.match(lines.at(-1) ?? '', /^f204:/);
  });
});

describe('resume context: state and mode', () => {
  it('says of a session that was done that its run had finished', () => {
    assert.equal(section({ priorState: 'done' }, 'State'), 'The last run had finished.');
    assert.match(relaunchPrompt('resume', 'done'), /had finished.*what is still open/);
  });

  it('has other words for each state', () => {
    const words = sessionStates.map((priorState) => section({ priorState }, 'State'));
    assert.equal(new Set(words).size, sessionStates.length);
  });

  it('is the same for both modes; only the prompt differs', () => {
    for (const priorState of ['failed', 'cancelled', 'timed_out', 'interrupted'] as const) {
      assert.equal(
        buildResumeContext({ ...nothing, priorState, mode: 'retry' }),
        buildResumeContext({ ...nothing, priorState, mode: 'resume' }),
      );
      assert.notEqual(relaunchPrompt('retry', priorState), relaunchPrompt('resume', priorState));
    }
  });

  it('holds no half surrogate pair, whatever it is given', () => {
    const text = buildResumeContext({ ...nothing, tasks: [{ id: 't', title: 'half \ud83d', status: 'pending' }] });
    assert.ok(text.isWellFormed());
  });
});
