import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryClassOf } from '../../../src/core/retryPolicy.ts';
import type { NewEvent } from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { remedyFor } from '../../../src/projection/remedies.ts';
import { bannerOf } from '../../../src/projection/sessionView.ts';
import { oneOfEach as e } from '../../support/fakes/oneOfEach.ts';
import { header, stamp } from '../core/events.ts';

const help = (code: string, model = 'claude-sonnet-5-5', isCompacted = false): string | undefined =>
  remedyFor({ code, message: '' }, model, isCompacted)?.label;

describe('what helps with a failure', () => {
  for (const [code, label] of [
    ['key_refused', 'Set another key'],
    ['low_balance', 'Set another key'],
    ['model_not_found', 'Choose another model'],
    ['no_permission', 'Choose another model'],
    ['refusal', 'Choose another model'],
    ['invalid_request', 'Choose another model'],
    ['context_full', 'Choose another model'],
    ['prompt_too_long', 'Compact'],
    ['request_too_large', 'Compact'],
    ['thinking_refused', 'Choose thinking or model'],
    ['untrusted_certificate', 'Check connection'],
    ['wrong_url', 'Check connection'],
    ['server_error', undefined],
    ['connection_lost', undefined],
    ['constructor', undefined],
  ] as const) {
    it(`${code}: ${label ?? 'to try again'}`, () => {
      assert.equal(help(code), label);
    });
  }

  it('is another model where the editor has the account', () => {
    for (const code of ['key_refused', 'low_balance']) assert.equal(help(code, 'vscode:a/b/c'), 'Choose another model');
  });

  it('is to try again when the conversation was compacted since', () => {
    assert.equal(help('prompt_too_long', 'm', true), undefined);
    const failed: NewEvent = {
      ...e.run_ended,
      outcome: 'failed',
      error: { code: 'prompt_too_long', message: 'The conversation is longer than the model can take. Compact it.' },
    };
    const label = (...events: NewEvent[]): string | undefined =>
      bannerOf(foldEvents(header, stamp([e.run_started, e.user_message_added, ...events])), 'failed')?.remedy?.label;
    assert.equal(label(failed), 'Compact');
    assert.equal(label(failed, e.history_compacted), undefined);
  });

  it('is there for each refusal by a server that the same request would get again', () => {
    const source = readFileSync(join(import.meta.dirname, '../../../src/model/modelFailure.ts'), 'utf8');
    const codes = new Set([...source.matchAll(/'terminal',\s*'(\w+)'/g)].map(([, code]) => code ?? ''));
    assert.ok(codes.size >= 9, [...codes].join(' '));
    for (const code of codes) {
      assert.equal(retryClassOf({ kind: 'terminal', code }), 'never');
      assert.ok(help(code), code);
    }
  });
});
