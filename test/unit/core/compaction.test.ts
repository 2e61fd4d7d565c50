import assert from 'node:assert/strict';
import { compactedText, listedSteps, openCompaction, stepsUpTo } from '../../../src/core/compaction.ts';
import type { NewEvent } from '../../../src/core/events.ts';
import { buildMessages } from '../../../src/core/requestBuilder.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import type { ConversationEvent } from '../../../src/core/sessionState.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';
import { header, stamp } from './events.ts';

const e = oneOfEach;
const conversation = (...events: readonly NewEvent[]): readonly ConversationEvent[] =>
  foldEvents(header, stamp(events)).conversation;
const user = (text: string): NewEvent => ({ type: 'user_message_added', messageId: 'm1', text, origin: 'user' });
const turn = (id: string, content = 'ok'): NewEvent[] => [
  {
    ...e.assistant_message_completed,
    content: [{ type: 'tool_use', id, name: 'run_command', input: { command: `make ${id}` } }],
  },
  { type: 'step_finished', stepId: id, outcome: 'succeeded', content, isError: false },
];
const compacted = (uptoSeq: number, text: string): NewEvent => ({ ...e.history_compacted, uptoSeq, text });

describe('compaction: what is sent', () => {
  const settings = { model: 'claude-opus-4-8', takesSystemMessages: true };
  const sent = (...events: readonly NewEvent[]): string[] =>
    buildMessages(conversation(...events), settings).map(({ role, content }) =>
      [role, ...content.map((b) => (b.type === 'text' ? b.text : b.type === 'tool_use' ? b.id : b.type))].join(' '),
    );

  it('is the text, then the kept turns as they were, then what follows', () => {
    const events = [user('Go.'), ...turn('c1'), ...turn('c2'), compacted(3, 'SUMMARY'), user('More.')];
    assert.deepEqual(sent(...events), ['user SUMMARY', 'assistant c2', 'user tool_result', 'user More.']);
  });

  it('is the last text after several, and the next request begins with the same bytes', () => {
    const events = [user('Go.'), ...turn('c1'), compacted(1, 'ONE'), ...turn('c2'), ...turn('c3'), compacted(6, 'TWO')];
    assert.deepEqual(sent(...events), ['user TWO', 'assistant c3', 'user tool_result']);
    assert.deepEqual(sent(...events, ...turn('c4')).slice(0, 3), sent(...events));
  });

  it('is shortened where a record says so, with what is left out and how to get it again', () => {
    const long = 'start '.repeat(1_000);
    const events = [user('Go.'), ...turn('c1', long), ...turn('c2', long)];
    const trim: NewEvent = { ...e.results_trimmed, uptoSeq: 3, keep: 12 };
    const contents = buildMessages(conversation(...events, trim), settings).flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : [])),
    );
    assert.equal(
      contents[0],
      'start start \n[Left out to save room: 5,988 of 6,000 characters of the result of step c1. Run the command again only if you need its output and it is safe to repeat.]',
    );
    assert.equal(contents[1], long);
  });
});

describe('compaction: the text', () => {
  const part = {
    by: 'model' as const,
    summary: 'Goal: tune. Next: step 4.',
    uptoSeq: 9,
    tasks: [{ id: 't1', title: 'Tune', status: 'in_progress' as const }],
    artifacts: [{ path: 'model.bin', change: 'created' as const, size: 2_048, sha256: 'ab' }],
  };

  it('has the words of the user, the summary, the tasks and the files', () => {
    const events = conversation(
      user('Tune it.'),
      ...turn('c1'),
      { ...e.user_message_added, origin: 'ratchet' },
      user('Only ten trials.'),
    );
    const text = compactedText({ ...part, conversation: events }, 20_000);
    for (const words of [
      'Tune it.\n---\nOnly ten trials.',
      'Goal: tune.',
      '[~] t1 Tune',
      'model.bin: created (2.0 KB)',
    ])
      assert.ok(text.includes(words), words);
  });

  it('fits into the room it has, whatever there is to say, and keeps the first and the last words', () => {
    const events = conversation(
      user('FIRST'.repeat(1_000)),
      ...Array.from({ length: 200 }, (_, n) => user(`Message ${String(n)} ${'and so on '.repeat(20)}`)),
      user('The very last.'),
    );
    const artifacts = Array.from({ length: 5_000 }, (_, n) => ({ ...part.artifacts[0]!, path: `f/${String(n)}.txt` }));
    const tasks = Array.from({ length: 5_000 }, (_, n) => ({ ...part.tasks[0]!, id: String(n) }));
    const text = compactedText(
      { ...part, uptoSeq: 999, summary: 'S'.repeat(99_999), conversation: events, artifacts, tasks },
      8_000,
    );
    assert.ok(text.length < 9_500, String(text.length));
    for (const words of ['FIRSTFIRST', 'messages left out', 'The very last.', 'f/4999.txt', 'earlier files left out'])
      assert.ok(text.includes(words), words);
  });

  it('lists the last calls with their outcome when there is no summary', () => {
    const events = conversation(user('Go.'), ...turn('c1'), ...turn('c2').slice(0, 1));
    assert.equal(
      listedSteps(events, 9, 1_000),
      'succeeded: run_command {"command":"make c1"}\noutcome unknown: run_command {"command":"make c2"}',
    );
    assert.equal(
      listedSteps(events, 9, 60),
      '(1 earlier call left out)\noutcome unknown: run_command {"command":"make c2"}',
    );
    assert.equal(listedSteps(conversation(user('Go.')), 9, 60), 'No tool calls yet.');
  });
});

describe('compaction: the records', () => {
  it('count the steps that no earlier one stands for', () => {
    const events = conversation(user('Go.'), ...turn('c1'), ...turn('c2'), compacted(3, 'ONE'), ...turn('c3'));
    assert.equal(stepsUpTo(events, 8), 2);
  });

  it('are open while there is a beginning and no end', () => {
    assert.equal(openCompaction(conversation(e.compaction_started))?.compactionId, 'k1');
    assert.equal(openCompaction(conversation(e.compaction_started, e.compaction_failed)), undefined);
    assert.equal(openCompaction(conversation(e.compaction_started, e.history_compacted)), undefined);
  });

  it('tell what the context holds, and count what the summary cost', () => {
    const state = foldEvents(header, stamp([e.run_started, e.assistant_message_completed, e.history_compacted]));
    assert.equal(state.lastUsage?.inputTokens, 9_000);
    assert.equal(state.usage.outputTokens, 920);
    assert.equal(state.runs[0]?.usage.outputTokens, 920);
  });
});
