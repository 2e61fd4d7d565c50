import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  longestWaitMs,
  retryClassOf,
  retryDecision,
  retryRules,
  type FailedAttempt,
  type RetryDecision,
} from '../../../src/core/retryPolicy.ts';

const failed: FailedAttempt = {
  kind: 'retryable',
  code: 'overloaded',
  retryAfterMs: undefined,
  attempt: 1,
  failingForMs: 0,
  chance: 0,
};
const again = (delayMs: number, attempts: number): RetryDecision => ({ kind: 'retry', delayMs, attempts });
const giveUp: RetryDecision = { kind: 'give_up' };

describe('retry policy: what is done after a failed request', () => {
  const table: readonly (readonly [string, Partial<FailedAttempt>, RetryDecision])[] = [
    ['overload, first', {}, again(2_000, 5)],
    ['overload, second', { attempt: 2 }, again(4_000, 5)],
    ['overload, fourth', { attempt: 4 }, again(16_000, 5)],
    ['overload, fifth', { attempt: 5 }, giveUp],
    ['overload, for too long', { attempt: 2, failingForMs: 117_000 }, giveUp],
    ['overload, by chance a little later', { chance: 0.8 }, again(2_400, 5)],
    ['a rate limit without a time', { code: 'rate_limited' }, again(2_000, 5)],
    ['a rate limit with a time: a floor', { code: 'rate_limited', retryAfterMs: 7_500 }, again(7_500, 5)],
    ['a time shorter than our own delay', { code: 'rate_limited', retryAfterMs: 10 }, again(2_000, 5)],
    ['a time of just a minute', { code: 'rate_limited', retryAfterMs: longestWaitMs }, again(longestWaitMs, 5)],
    [
      'a time above a minute',
      { code: 'rate_limited', retryAfterMs: longestWaitMs + 1 },
      { kind: 'park', afterMs: longestWaitMs + 1 },
    ],
    ['overload with three weeks', { retryAfterMs: 1_814_400_000 }, { kind: 'park', afterMs: 1_814_400_000 }],
    [
      'a time after the last attempt',
      { code: 'rate_limited', attempt: 5, retryAfterMs: 20_000 },
      { kind: 'park', afterMs: 20_000 },
    ],
    ['an error of the server', { code: 'server_error' }, again(1_000, 4)],
    ['an error of the server, fourth', { code: 'server_error', attempt: 4 }, giveUp],
    ['a lost connection', { code: 'connection_lost', attempt: 3 }, again(4_000, 4)],
    ['an answer that ends in the middle', { code: 'stream_cut' }, again(1_000, 4)],
    ['nobody there', { code: 'unreachable', attempt: 2 }, again(2_000, 3)],
    ['nobody there, third', { code: 'unreachable', attempt: 3 }, giveUp],
    ['no answer in time', { code: 'timeout' }, again(1_000, 3)],
    ['a stall, first', { kind: 'stalled', code: 'stalled' }, again(1_000, 2)],
    ['a stall, second', { kind: 'stalled', code: 'stalled', attempt: 2 }, giveUp],
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

  it('never waits longer than a minute, nor shorter than the server asked for, nor for ever', () => {
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
        fc.constantFrom(...codes),
        fc.option(fc.integer({ min: 1, max: 2_000_000_000 }), { nil: undefined }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (code, retryAfterMs, chance) => {
          let failingForMs = 0;
          for (let attempt = 1; ; attempt++) {
            assert.ok(attempt <= 5);
            const decision = retryDecision({ kind: 'retryable', code, retryAfterMs, attempt, failingForMs, chance });
            if (decision.kind !== 'retry') return;
            assert.ok(decision.delayMs <= longestWaitMs && decision.delayMs >= (retryAfterMs ?? 0));
            failingForMs += decision.delayMs;
            assert.ok(failingForMs <= retryRules[retryClassOf({ kind: 'retryable', code })].totalMs);
          }
        },
      ),
    );
  });

  it('is the table that the README has', () => {
    const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8');
    const rows = readme.match(/^\|.*\| \d+ +\| .* s +\| .* s +\| .* s? *\|$/gm) ?? [];
    const documented = rows.map((row) => (row.match(/\d+(?= s| +\|)/g) ?? []).map(Number).slice(-4));
    const expected = Object.values(retryRules)
      .filter(({ attempts }) => attempts > 1)
      .map((rule) => [rule.attempts, rule.firstDelayMs / 1_000, rule.longestDelayMs / 1_000, rule.totalMs / 1_000]);
    assert.deepEqual(documented, expected);
  });
});
