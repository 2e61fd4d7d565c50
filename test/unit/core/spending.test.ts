import assert from 'node:assert/strict';
import type { NewEvent } from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { costOf, costText, type Price } from '../../../src/core/spending.ts';
import { priceOf } from '../../../src/model/prices.ts';
import { spentBy } from '../../../src/projection/runTexts.ts';
import { Transcript } from '../../../src/projection/transcript.ts';
import { header, stamp } from './events.ts';

const usage = (inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0) => ({
  ...{ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
});
const price: Price = { input: 4, output: 20, cacheWrite5m: 5, cacheWrite1h: 8, cacheRead: 0.4 };

const said = (model: string, used: ReturnType<typeof usage>, agentId?: string): NewEvent => ({
  type: 'assistant_message_completed',
  messageId: `m-${model}`,
  requestId: 'q',
  model,
  content: [{ type: 'text', text: 'x' }],
  stopReason: 'end_turn',
  usage: used,
  ...(agentId !== undefined && { agentId }),
});
const run = (runId: string): NewEvent => ({
  type: 'run_started',
  runId,
  cause: 'message',
  model: 'main',
  thinking: 'off',
  maxTokens: 1,
});
const ended = (runId: string): NewEvent => ({ type: 'run_ended', runId, outcome: 'done' });
const agent: NewEvent = {
  type: 'agent_started',
  ...{ agentId: 'a', runId: 'r1', stepId: 's', agent: 'work', task: 'x', model: 'small', system: '', tools: [] },
  ...{ thinking: 'off', maxTokens: 1 },
};
const compacted: NewEvent = {
  type: 'history_compacted',
  ...{ compactionId: 'c', by: 'model', uptoSeq: 1, summary: 's', text: 't', steps: 0, tokensBefore: 9, tokensAfter: 1 },
  usage: usage(7, 3),
  agentId: 'a',
};

describe('spending', () => {
  it('is counted by model, for each run, with agents and compactions', () => {
    const state = foldEvents(
      header,
      stamp([
        ...[run('r1'), said('main', usage(10, 1)), agent, said('small', usage(5, 2), 'a'), compacted, ended('r1')],
        ...[run('r2'), said('main', usage(20, 2)), ended('r2')],
      ]),
    );
    assert.deepEqual(
      [...state.spending],
      [
        ['main', usage(30, 3)],
        ['small', usage(12, 5)],
      ],
    );
    assert.deepEqual(
      [...(state.runs[0]?.spending ?? [])],
      [
        ['main', usage(10, 1)],
        ['small', usage(12, 5)],
      ],
    );
    assert.deepEqual([...(state.runs[1]?.spending ?? [])], [['main', usage(20, 2)]]);
  });

  it('costs what each kind of token costs', () => {
    const used = new Map([['m', usage(1_000_000, 100_000, 500_000, 200_000)]]);
    assert.deepEqual(
      costOf(used, () => price),
      { dollars: 4 + 2 + 0.2 + 1, isPartial: false },
    );
    assert.equal(
      costText(used, () => price),
      '$7.20',
    );
  });

  it('says what is not known, instead of a sum that is too small', () => {
    const both = new Map([
      ['known', usage(1_000_000, 0)],
      ['other', usage(1, 1)],
    ]);
    const known = (model: string): Price | undefined => (model === 'known' ? price : undefined);
    assert.equal(costText(both, known), 'at least $4.00');
    assert.equal(costText(new Map([['other', usage(1, 1)]]), known), undefined);
    assert.equal(costText(new Map([['known', usage(1, 1)]]), known), 'less than $0.01');
  });

  it('knows a model with a date at its end, and nothing of others', () => {
    assert.equal(priceOf('claude-opus-4-8-20260528')?.output, 25);
    assert.equal(priceOf('constructor'), undefined);
  });

  it('is on the line that ends a run, and with all of it in its tooltip', () => {
    const events = stamp([run('r1'), said('main', usage(500_000, 0, 500_000)), ended('r1')]);
    const line = (prices: (model: string) => Price | undefined) => {
      const transcript = new Transcript();
      const state = foldEvents(header, events);
      const items = events.flatMap((event) => transcript.apply(event, spentBy(state, event, prices)));
      const last = items.at(-1);
      return last?.kind === 'divider' ? [last.text, last.detail] : [];
    };
    assert.deepEqual(
      line(() => price),
      ['done · $2.20', '1,000,000 tokens in, 0 out, 50 % from cache · $2.20'],
    );
    const cheap: Price = { input: 0.001, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 };
    assert.deepEqual(
      line(() => cheap),
      ['done', '1,000,000 tokens in, 0 out, 50 % from cache · less than $0.01'],
      'what is less than a cent is not said on each line',
    );
    assert.deepEqual(
      line(() => undefined),
      ['done', '1,000,000 tokens in, 0 out, 50 % from cache'],
    );
  });
});
