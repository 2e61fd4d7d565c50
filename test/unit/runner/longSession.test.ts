import assert from 'node:assert/strict';
import type { EventType } from '../../../src/core/events.ts';
import { buildRequest } from '../../../src/core/requestBuilder.ts';
import { createBench, settings, type Bench } from '../../support/fakes/bench.ts';
import { succeeded, type FakeToolOptions } from '../../support/fakes/fakeTools.ts';
import { createMemoryDisk, type MemoryDisk } from '../../support/fakes/memoryStore.ts';
import { createStrictModel, type StrictModel } from '../../support/fakes/strictModel.ts';
import { modelInfo } from '../../support/messagesServer/models.ts';
import { httpError, message, text, thinking, toolUse, type Scripted } from '../../support/messagesServer/reply.ts';
import type { MessagesBody } from '../../support/messagesServer/requestSchema.ts';
import { estimatePrompt } from '../../support/messagesServer/tokens.ts';
import { blocksOf } from '../../support/messagesServer/turns.ts';
import { isSummaryRequest } from '../../support/session/summaryRequests.ts';

const turns = 3_000;
const cuts = 60;
const window = 18_000;
const maxTokens = 1_500;
const model = 'claude-small-9';
const rules = {
  models: [
    modelInfo({
      id: model,
      displayName: 'Small',
      line: 'opus',
      createdAt: '2026-01-01T00:00:00Z',
      maxInputTokens: window,
      maxTokens,
      thinking: { adaptive: true, enabled: true },
    }),
  ],
  systemRoleModels: [model],
};
/** The server refuses the result of this turn whenever it is sent. */
const poisoned = 777;

/** The last turn that a request shows as done, by its calls or by a summary. */
function lastTurn({ messages }: MessagesBody): number {
  return messages.flatMap(blocksOf).reduce((last, block) => {
    if (block.type === 'tool_use') return Math.max(last, Number(block.input.n));
    const done = block.type === 'text' ? /Finished turns: 1 to (\d+)/.exec(block.text)?.[1] : undefined;
    return Math.max(last, Number(done ?? 0));
  }, 0);
}

function refusal({ messages }: MessagesBody): Scripted | undefined {
  for (const [at, one] of messages.entries()) {
    for (const [index, block] of blocksOf(one).entries()) {
      if (block.type === 'tool_result' && JSON.stringify(block.content).includes(`result of turn ${String(poisoned)}:`))
        return httpError(400, { message: `messages.${String(at)}.content.${String(index)}: it is not liked` });
    }
  }
  return undefined;
}

function script(body: MessagesBody): Scripted {
  const last = lastTurn(body);
  if (isSummaryRequest(body))
    return text(`Goal: count. Finished turns: 1 to ${String(last)}. Next: ${String(last + 1)}.`);
  const refused = refusal(body);
  if (refused) return refused;
  if (last >= turns) return text('All turns are done.');
  return message([thinking(`Turn ${String(last + 1)} is next.`), toolUse('note', { n: last + 1 })]);
}

describe('a session of 3,000 turns with a model of a small window', () => {
  let disk: MemoryDisk;
  let strict: StrictModel;
  let effects: number[];
  let sent: { readonly messages: readonly string[]; readonly edits: number };
  let largest: number;
  let breaks: number;
  let requests: number;
  let broken: string[];
  let sessionId: string;
  let kill: (() => void) | undefined;
  let killAtSummary: boolean;

  const edits: ReadonlySet<EventType> = new Set(['history_compacted', 'results_trimmed', 'history_healed']);
  const count = (type: EventType): number => disk.events(sessionId).filter((event) => event.type === type).length;
  let editCount = 0;

  /** Each request begins with all messages of the one before it, unless the records say why not. */
  function judge(body: MessagesBody): void {
    largest = Math.max(largest, estimatePrompt(body) + body.max_tokens);
    const isSummary = isSummaryRequest(body);
    const all = body.messages.map((one) => JSON.stringify(one));
    const messages = isSummary ? all.slice(0, -1) : all;
    requests += 1;
    // A summary of the part alone, where the whole leaves no room for it, has fewer messages and no others.
    const common = isSummary ? Math.min(messages.length, sent.messages.length) : sent.messages.length;
    if (sent.messages.slice(0, common).some((one, index) => one !== messages[index])) {
      breaks += 1;
      if (sent.edits === editCount) broken.push(`request ${String(requests)}`);
    }
    sent = { messages, edits: editCount };
    if (isSummary && killAtSummary) {
      killAtSummary = false;
      kill?.();
    }
  }

  const tool: FakeToolOptions = {
    name: 'note',
    run: ({ n }) => {
      effects.push(Number(n));
      return succeeded(`The result of turn ${String(n)}: ${'words of it '.repeat(20 + (Number(n) % 7) * 40)}`);
    },
  };

  function openWindow(ownerId: string): Bench {
    return createBench({
      disk,
      ownerId,
      tools: [tool],
      ports: {
        prepareModel: async () => ({
          port: strict,
          settings: { ...settings, model, maxTokens, takesSystemMessages: true, contextWindow: window },
        }),
      },
    });
  }

  before(async function () {
    this.timeout(180_000);
    disk = createMemoryDisk();
    effects = [];
    sent = { messages: [], edits: 0 };
    [largest, breaks, requests, broken, editCount, killAtSummary] = [0, 0, 0, [], 0, false];
    strict = createStrictModel({
      rules,
      script: (body) => {
        judge(body);
        return script(body);
      },
    });
    let random = 7;
    const below = (limit: number): number => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((random / 2 ** 32) * limit);
    };
    let bench = openWindow('window-0');
    sessionId = await bench.create();
    for (let cut = 0; ; cut++) {
      const owner = `window-${String(cut)}`;
      const gone = Promise.withResolvers<undefined>();
      kill = () => {
        disk.kill(owner);
        gone.resolve(undefined);
      };
      // Some die in the request for a summary, the others at any record, before or after it is on disk.
      killAtSummary = cut < cuts && cut % 6 === 5;
      let left = cut < cuts && !killAtSummary ? 1 + below((2 * turns * 4) / cuts) : Number.POSITIVE_INFINITY;
      const isBefore = cut % 2 === 0;
      disk.beforeWrite = (events) => {
        for (const { type } of events) if (edits.has(type)) editCount += 1;
        if (isBefore && (left -= events.length) <= 0) {
          left = Number.POSITIVE_INFINITY;
          kill?.();
        }
      };
      bench.sessions.onChange((change) => {
        if (change.kind === 'event' && !isBefore && --left <= 0) {
          left = Number.POSITIVE_INFINITY;
          kill?.();
        }
      });
      if (cut === 0) await bench.sessions.send(sessionId, `Count to ${String(turns)}.`);
      else await Promise.race([bench.sessions.resume(sessionId), gone.promise]);
      await Promise.race([bench.ended(sessionId), gone.promise]);
      if (disk.journals.get(sessionId)?.lines.at(-1)?.includes('"run_ended"')) break;
      bench = openWindow(`window-${String(cut + 1)}`);
    }
  });

  it('comes to its end, with every turn done', () => {
    assert.equal(disk.events(sessionId).at(-1)?.type, 'run_ended');
    assert.deepEqual(
      [...new Set(effects)],
      Array.from({ length: turns }, (_, index) => index + 1),
    );
    console.log(
      count('history_compacted'),
      count('results_trimmed'),
      effects.length,
      breaks,
      largest,
      count('session_resumed'),
      strict.usage,
    );
    const resumes = count('session_resumed');
    assert.ok(resumes >= cuts - 5, `${String(resumes)} resumes`);
    assert.ok(effects.length - turns <= resumes, 'only a step that was cut is done again');
  });

  it('never sends more than the model takes, and nothing that is refused', () => {
    assert.deepEqual(strict.refused, []);
    assert.ok(largest <= window, String(largest));
  });

  it('was compacted many times, by the model, and goes on with what was being compacted when it was cut', () => {
    const compacted = disk.events(sessionId).flatMap((event) => (event.type === 'history_compacted' ? [event] : []));
    assert.ok(compacted.length > 10 && count('results_trimmed') > 10);
    assert.deepEqual([...new Set(compacted.map(({ by }) => by))], ['model']);
    assert.ok(compacted.every(({ tokensAfter, tokensBefore }) => tokensAfter < tokensBefore / 2));
    assert.equal(count('compaction_started'), compacted.length);
    assert.equal(count('compaction_failed'), 0);
  });

  it('leaves the refused result out, once', () => {
    assert.equal(count('history_healed'), 1);
  });

  it('breaks the cached prefix only where a record says why', () => {
    assert.deepEqual(broken, []);
    assert.ok(breaks <= editCount);
    assert.ok(strict.usage.read > 5 * strict.usage.written, JSON.stringify(strict.usage));
  });

  it('builds its last request the same from the records alone', async () => {
    const { state } = await openWindow('reader').sessions.open(sessionId);
    const options = { ...settings, model, maxTokens, takesSystemMessages: true };
    const request = buildRequest(state.conversation, state.prompt!, options);
    const last = sent.messages;
    assert.deepEqual(
      request.messages.slice(0, last.length).map((one) => JSON.stringify(one)),
      last,
    );
  });
});
