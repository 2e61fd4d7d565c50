import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  longestWaitMs,
  parkMs,
  retryDecision,
  retryRules,
  type FailedAttempt,
  type RetryDecision,
} from '../../../src/core/retryPolicy.ts';

const patienceMs = 600_000;
const failed: FailedAttempt = {
  kind: 'retryable',
  code: 'overloaded',
  retryAfterMs: undefined,
  attempt: 1,
  failingForMs: 0,
  patienceMs,
  parks: 0,
  chance: 0,
};
const again = (delayMs: number, attempts?: number): RetryDecision => ({
  kind: 'retry',
  delayMs,
  ...(attempts !== undefined && { attempts }),
});
const park = (afterMs: number, isOwn = false): RetryDecision => ({ kind: 'park', afterMs, isOwn });
const giveUp: RetryDecision = { kind: 'give_up' };
const minute = 60_000;

describe('retry policy: what is done after a failed request', () => {
  const table: readonly (readonly [string, Partial<FailedAttempt>, RetryDecision])[] = [
    ['overload, first', {}, again(2_000)],
    ['overload, second', { attempt: 2 }, again(4_000)],
    ['overload, fifth', { attempt: 5 }, again(32_000)],
    ['overload, twentieth', { attempt: 20 }, again(45_000)],
    ['overload, by chance a little later', { chance: 0.8 }, again(2_400)],
    ['overload, at the end of the patience', { attempt: 9, failingForMs: patienceMs - 3_000 }, again(3_000)],
    ['overload, for too long', { attempt: 2, failingForMs: patienceMs }, park(10 * minute, true)],
    ['overload, for too long again', { failingForMs: patienceMs, parks: 1 }, park(20 * minute, true)],
    ['overload, for too long the tenth time', { failingForMs: patienceMs, parks: 9 }, park(60 * minute, true)],
    ['overload without any patience', { patienceMs: 0 }, park(10 * minute, true)],
    ['a rate limit without a time', { code: 'rate_limited' }, again(2_000)],
    ['a rate limit with a time: a floor', { code: 'rate_limited', retryAfterMs: 7_500 }, again(7_500)],
    ['a time shorter than our own delay', { code: 'rate_limited', retryAfterMs: 10 }, again(2_000)],
    ['a time of just a minute', { code: 'rate_limited', retryAfterMs: longestWaitMs }, again(longestWaitMs)],
    ['a time above a minute', { code: 'rate_limited', retryAfterMs: longestWaitMs + 1 }, park(longestWaitMs + 1)],
    ['overload with three weeks', { retryAfterMs: 1_814_400_000 }, park(1_814_400_000)],
    [
      'a time when the patience is over',
      { code: 'rate_limited', failingForMs: patienceMs, retryAfterMs: 20_000 },
      park(10 * minute, true),
    ],
    ['an error of the server', { code: 'server_error' }, again(1_000)],
    ['an error of the server, tenth', { code: 'server_error', attempt: 10 }, again(30_000)],
    ['a lost connection', { code: 'connection_lost', attempt: 3 }, again(4_000)],
    ['an answer that ends in the middle', { code: 'stream_cut' }, again(1_000)],
    [
      'an answer that ends in the middle, for too long',
      { code: 'stream_cut', failingForMs: 700_000 },
      park(10 * minute, true),
    ],
    ['nobody there', { code: 'unreachable', attempt: 2 }, again(2_000)],
    ['no answer in time', { code: 'timeout' }, again(1_000)],
    ['a stall, first', { kind: 'stalled', code: 'stalled' }, again(1_000)],
    ['a stall, third', { kind: 'stalled', code: 'stalled', attempt: 3 }, again(4_000)],
    ['a call that cannot be read', { code: 'malformed_tool_input' }, again(1_000, 4)],
    ['a call that cannot be read, fourth', { code: 'malformed_tool_input', attempt: 4 }, giveUp],
    ['a failure of the editor in its own words, fourth', { code: 'editor_model', attempt: 4 }, giveUp],
    [
      'an answer without anything in it, with a time',
      { code: 'empty_answer', attempt: 4, retryAfterMs: 9_000 },
      park(9_000),
    ],
    ...[
      'key_refused',
      'low_balance',
      'model_not_found',
      'wrong_url',
      'untrusted_certificate',
      'invalid_request',
      'prompt_too_long',
      'thinking_refused',
    ].map((code) => [code, { kind: 'terminal', code }, giveUp] as const),
    ['a refusal for good, with a time', { kind: 'terminal', code: 'key_refused', retryAfterMs: 90_000 }, giveUp],
  ];
  for (const [what, fields, expected] of table) {
    it(`${what}: ${expected.kind}`, () => {
      assert.deepEqual(retryDecision({ ...failed, ...fields }), expected);
    });
  }

  it('holds out as long as it is to, never waits longer than a minute nor shorter than asked for, and ends', () => {
    const counted = ['malformed_tool_input', 'editor_model'];
    const codes = [
      'overloaded',
      'rate_limited',
      'server_error',
      'connection_lost',
      'unreachable',
      'timeout',
      'new_one',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...codes, ...counted),
        fc.option(fc.integer({ min: 1, max: 2_000_000_000 }), { nil: undefined }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (code, retryAfterMs, chance) => {
          let failingForMs = 0;
          for (let attempt = 1; ; attempt++) {
            assert.ok(attempt <= 600);
            const decision = retryDecision({ ...failed, code, retryAfterMs, attempt, failingForMs, chance });
            if (decision.kind !== 'retry') {
              const isCalledOff = (retryAfterMs ?? 0) > longestWaitMs || counted.includes(code);
              if (!isCalledOff) assert.ok(failingForMs >= patienceMs);
              return;
            }
            assert.ok(decision.delayMs > 0 && decision.delayMs <= longestWaitMs);
            assert.ok(decision.delayMs >= (retryAfterMs ?? 0));
            failingForMs += decision.delayMs;
            assert.ok(failingForMs <= patienceMs + (retryAfterMs ?? 0));
          }
        },
      ),
    );
  });

  it('is the table that the README has', () => {
    const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8');
    const rows = readme.match(/^\|.*\| \d+ s +\| \d+ s +\| .* \|$/gm) ?? [];
    const documented = rows.map((row) => (row.match(/\d+(?= s +\|| attempts)/g) ?? []).map(Number).slice(-3));
    const expected = Object.values(retryRules)
      .filter(({ firstDelayMs }) => firstDelayMs > 0)
      .map((rule) => [
        rule.firstDelayMs / 1_000,
        rule.longestDelayMs / 1_000,
        ...('attempts' in rule ? [rule.attempts] : []),
      ]);
    assert.deepEqual(documented, expected);
    assert.match(readme, /for 10, 20, 30 and from then on 60 minutes/);
    assert.deepEqual(parkMs, [10 * minute, 20 * minute, 30 * minute, 60 * minute]);
  });
});
