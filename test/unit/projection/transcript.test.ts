import assert from 'node:assert/strict';
import type { NewEvent, StepOutcome } from '../../../src/core/events.ts';
import { Transcript, streamItemId } from '../../../src/projection/transcript.ts';
import type { StepItem, TranscriptItem } from '../../../src/protocol/view.ts';
import { createBench } from '../../support/fakes/bench.ts';
import { hangs, stopped, say } from '../../support/fakes/scriptedModel.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';
import { stamp } from '../core/events.ts';

const e = oneOfEach;

function transcriptOf(...events: readonly NewEvent[]): Transcript {
  const transcript = new Transcript();
  for (const event of stamp(events)) transcript.apply(event);
  return transcript;
}
const items = (...events: readonly NewEvent[]): readonly TranscriptItem[] => transcriptOf(...events).page(100).items;

function stepOf(...events: readonly NewEvent[]): StepItem {
  const step = items(...events).find((item) => item.kind === 'step');
  assert.ok(step);
  return step;
}

describe('transcript: what each event shows', () => {
  it('messages, thinking and what was cut', () => {
    assert.deepEqual(items(e.user_message_added, e.assistant_message_completed, e.assistant_message_cut), [
      {
        kind: 'user',
        id: 'm1',
        at: 2_000,
        text: 'Go.',
        attachments: [{ kind: 'file', label: 'src/a.ts', problem: 'Only the first 6 characters are attached.' }],
        images: [{ name: 'dot.gif', width: 1, height: 1 }],
      },
      { kind: 'thinking', id: 'q1-thinking-0', at: 3_000, text: 'Hm.', streaming: false },
      { kind: 'assistant', id: 'q1-text-0', at: 3_000, markdown: 'I run it.', streaming: false },
      { kind: 'assistant', id: 'q2-text-0', at: 4_000, markdown: 'I was', streaming: false, cut: true },
    ]);
    assert.deepEqual(items({ ...e.assistant_message_cut, text: ' \n' }), []);
  });

  it('a step from the question to its result', () => {
    const asked = [e.assistant_message_completed, e.approval_requested];
    const input = { language: 'shell', text: 'make' } as const;
    assert.deepEqual(stepOf(...asked), {
      kind: 'step',
      id: 'c1',
      at: 3_000,
      status: 'waiting',
      verb: 'Wants to run',
      subject: 'make',
      input,
      preview: input,
      note: 'Your unsaved changes in this file are saved first.',
      why: 'This file runs when a shell starts or enters the folder.',
      always: { choices: [{ key: 'make', rules: [{ code: 'make', after: 'exactly so' }] }] },
    });
    const running = [...asked, e.approval_answered, e.step_started];
    assert.deepEqual(stepOf(...running), {
      kind: 'step',
      id: 'c1',
      at: 5_000,
      status: 'running',
      verb: 'Running',
      subject: 'make',
      input,
      startedAt: 5_000,
      allowedBy: 'make',
    });
    assert.deepEqual(stepOf(...running, e.step_finished), {
      kind: 'step',
      id: 'c1',
      at: 5_000,
      status: 'succeeded',
      verb: 'Ran',
      subject: 'make',
      input,
      startedAt: 5_000,
      allowedBy: 'make',
      durationMs: 1_500,
      exitCode: null,
      lines: { added: 1, removed: 2 },
      note: 'finished while the window was closed',
      result: { text: 'built', truncated: false },
      hasFullOutput: true,
      artifacts: [{ path: 'out/a.txt', change: 'created' }],
    });
  });

  it('a word for each way in which a step ends, and the first line of what went wrong where something did', () => {
    const shown: Record<StepOutcome, string> = {
      succeeded: 'succeeded',
      failed: 'failed',
      denied: 'denied',
      cancelled: 'stopped',
      timed_out: 'stopped',
      not_started: 'not_started',
      cut: 'cut',
    };
    for (const [outcome, status] of Object.entries(shown) as [StepOutcome, string][]) {
      const step = stepOf(e.step_started, {
        type: 'step_finished',
        stepId: 'c1',
        outcome,
        content: '\nexit code 1\nmore',
        isError: outcome !== 'succeeded',
      });
      assert.equal(step.status, status);
      assert.equal(step.problem, outcome === 'failed' ? 'exit code 1' : undefined);
    }
  });

  it('a diff for a file that is to be changed, JSON for anything else', () => {
    const edit = { ...e.approval_requested, tool: 'edit', preview: '-a\n+b' };
    const asking: NewEvent = {
      ...e.assistant_message_completed,
      content: [{ type: 'tool_use', id: 'c1', name: 'edit', input: { file_path: 'a.ts' } }],
    };
    const step = stepOf(asking, edit);
    assert.deepEqual(
      [step.preview, step.path, step.input],
      [{ language: 'diff', text: '-a\n+b' }, 'a.ts', { language: 'diff', text: '-a\n+b' }],
    );
    assert.deepEqual(stepOf({ ...e.step_started, tool: 'read', input: { file_path: 'a' } }).input, {
      language: 'json',
      text: '{\n  "file_path": "a"\n}',
    });
  });

  it('as much of a result as a panel can take, and says that there is more', () => {
    const { result } = stepOf(e.step_started, { ...e.step_finished, content: `${'x'.repeat(7_999)}🎉` });
    assert.deepEqual([result?.text.length, result?.truncated], [7_999, true]);
  });

  it('a resume with what it told the model, a retry that is coming, a note, and an end', () => {
    assert.deepEqual(
      items(
        e.session_resumed,
        e.relaunch_prepared,
        e.request_failed,
        { ...e.request_failed, requestId: 'q9', retryInMs: undefined },
        e.note_added,
        e.run_ended,
      ),
      [
        {
          kind: 'divider',
          id: 'resumed-r1',
          at: 2_000,
          text: 'retried · by itself · 3 steps kept',
          detail: 'Go on.\n\nAs above.',
        },
        {
          kind: 'notice',
          id: 'retry-q1',
          at: 4_000,
          level: 'warning',
          text: 'No server answered. Trying again in 1.0 s.',
        },
        { kind: 'notice', id: 'note-5', at: 6_000, level: 'warning', text: 'Slow.' },
        { kind: 'notice', id: 'end-r1', at: 7_000, level: 'error', text: 'No server answered.' },
      ],
    );
  });

  it('why a request failed each time it does, and what to do about it only at the end', () => {
    const error = { code: 'unreachable', message: 'No server answered at http://a.test. Start the server.' };
    const texts = items({ ...e.request_failed, error }, { ...e.run_ended, outcome: 'failed', error }).map((item) =>
      item.kind === 'notice' ? item.text : item.kind,
    );
    assert.deepEqual(texts, ['No server answered at http://a.test. Trying again in 1.0 s.', error.message]);
  });

  it('the words for each end of a run', () => {
    const text = (event: NewEvent): string => {
      const [item] = items(event);
      return item?.kind === 'divider' || item?.kind === 'notice' ? item.text : '';
    };
    assert.deepEqual(
      (['done', 'cancelled', 'timed_out', 'failed'] as const).map((outcome) =>
        text({ type: 'run_ended', runId: 'r1', outcome }),
      ),
      ['done', 'stopped by you', 'time limit reached', 'The run failed. Show the log for details.'],
    );
  });

  it('nothing for what is only for the header', () => {
    assert.deepEqual(
      items(
        e.title_changed,
        e.approval_mode_changed,
        e.prompt_set,
        e.run_started,
        e.request_started,
        e.approval_answered,
        e.task_added,
        e.task_updated,
        e.task_deleted,
      ),
      [],
    );
  });

  it('steps that were left open as cut, at the end of the run or when nobody runs it, and as running once they are continued', () => {
    assert.deepEqual(
      [stepOf(e.step_started, e.run_ended).status, stepOf(e.step_started, e.run_ended).verb],
      ['cut', 'Was running'],
    );
    const transcript = transcriptOf(e.assistant_message_completed, e.approval_requested);
    const [cut] = transcript.cutOpenSteps();
    assert.ok(cut?.kind === 'step');
    assert.deepEqual([cut.status, cut.preview], ['cut', undefined]);
    assert.deepEqual(transcript.cutOpenSteps(), []);
    assert.equal(stepOf(e.step_started, e.run_ended, e.step_continued).status, 'running');
  });
});

describe('transcript: pages', () => {
  it('name a task as it was called then, also when nobody looked until it had another name', () => {
    const input = { action: 'update', id: 't1', status: 'completed' };
    const events: readonly NewEvent[] = [
      { type: 'task_added', task: { id: 't1', title: 'Look', status: 'pending' } },
      { ...e.step_started, tool: 'tasks', input },
      e.step_finished,
      { type: 'task_updated', id: 't1', title: 'Look twice' },
    ];
    const [watched, later] = [transcriptOf(...events), new Transcript()];
    for (const event of stamp(events)) later.applyHistory(event);
    const subjects = [watched, later].map((each) =>
      each.page(9).items.map((item) => 'subject' in item && item.subject),
    );
    assert.deepEqual(subjects, [['Look'], ['Look']]);
  });

  const many = Array.from({ length: 25 }, (_, n): NewEvent => ({
    ...e.user_message_added,
    messageId: `m${String(n)}`,
  }));

  it('are taken from the end, and say how much is before', () => {
    const transcript = transcriptOf(...many);
    const last = transcript.page(10);
    assert.deepEqual([last.items.length, last.items[0]?.id, last.earlier], [10, 'm15', 15]);
    const before = transcript.page(10, 'm15');
    assert.deepEqual([before.items[0]?.id, before.items.at(-1)?.id, before.earlier], ['m5', 'm14', 5]);
    assert.deepEqual(transcript.page(10, 'm5').items.length, 5);
    assert.deepEqual(transcript.page(10, 'm0'), { items: [], earlier: 0 });
    assert.equal(transcript.length, 25);
  });
});

describe('transcript: what streams has the ids that it keeps', () => {
  it('text and thinking, several blocks of each, with a call between them', async () => {
    const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature: 's' }) as const;
    const turn = stopped(
      'max_tokens',
      thinking('First.'),
      say('One.'),
      { type: 'tool_use', id: 'c1', name: 'note', input: {} },
      thinking('Second.'),
      say('Two.'),
    );
    const bench = createBench({ turns: [turn] });
    const id = await bench.ran();
    const { requestId } = await bench.event(id, 'assistant_message_completed');
    const put = new Map<string, TranscriptItem[]>();
    for (const change of bench.changes) {
      if (change.kind === 'itemPut' && change.item.id.startsWith(requestId))
        put.set(change.item.id, [...(put.get(change.item.id) ?? []), change.item]);
      assert.ok(change.kind !== 'itemRemoved' || !change.id.startsWith(requestId), 'nothing was taken off the screen');
    }
    const ids = (['thinking', 'text'] as const).flatMap((kind) =>
      [0, 1].map((nth) => streamItemId(requestId, kind, nth)),
    );
    assert.deepEqual([...put.keys()].sort(), ids.sort());
    for (const [first, last] of put.values()) {
      assert.ok(first && last && 'streaming' in first && 'streaming' in last);
      assert.deepEqual([first.streaming, last.streaming], [true, false]);
    }
    const appended = bench.changes.filter((change) => change.kind === 'textAppended');
    assert.equal(appended.length, 4 + 1, 'a second half of each block, and of the last answer');
  });

  it('shows what streams at the end of the last page', async () => {
    const bench = createBench({ turns: [hangs('I am')] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.model.requested(1);
    const session = await bench.sessions.open(id);
    const last = session.page(10).items.at(-1);
    assert.ok(last?.kind === 'assistant');
    assert.deepEqual([last.markdown, last.streaming], ['I am', true]);
    await bench.sessions.stop(id);
  });
});
