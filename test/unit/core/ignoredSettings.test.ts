import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import {
  ignoredSettings,
  parseSettings,
  settingScopes,
  type FoundSettings,
} from '../../../src/core/ignoredSettings.ts';

const url = { 'ratchet.anthropic.baseUrl': 'http://localhost:11434' };

function said(
  found: FoundSettings,
  inEffect: Readonly<Record<string, unknown>> = {},
  isRemote = true,
): readonly string[] {
  return ignoredSettings([found], (key) => inEffect[key], isRemote);
}

describe('settings that are set where they do not count', () => {
  it("are said of a server whose settings are not the user's own", () => {
    const [words] = said({ place: 'user', values: url }, { 'anthropic.baseUrl': '' });
    assert.match(
      words ?? '',
      /^ratchet\.anthropic\.baseUrl in your user settings is not used in this window.*Open Remote Settings/,
    );
    assert.deepEqual(said({ place: 'user', values: url }, { 'anthropic.baseUrl': 'http://localhost:11434' }), []);
    assert.deepEqual(said({ place: 'user', values: url }, { 'anthropic.baseUrl': 'http://its-own' }), []);
    assert.deepEqual(said({ place: 'user', values: url }, {}, false), []);
    assert.deepEqual(said({ place: 'user', values: { 'ratchet.anthropic.baseUrl': '' } }), []);
    assert.deepEqual(said({ place: 'user', values: { 'ratchet.provider': 'offlineDemo' } }, { provider: 'auto' }), []);
  });

  it('are said of a workspace, whatever kind of window it is', () => {
    const values = { ...url, 'ratchet.approvalMode': 'allowAll', 'ratchet.model': 'x' };
    for (const isRemote of [true, false]) {
      const words = said({ place: 'workspace', values }, { approvalMode: 'ask' }, isRemote);
      assert.deepEqual(
        words.map((text) => text.split(' ')[0]),
        ['ratchet.anthropic.baseUrl', 'ratchet.approvalMode'],
      );
      assert.match(words[0] ?? '', /a workspace cannot set it/);
    }
  });

  it("are said of a remote machine, for what is the user's alone", () => {
    const values = { ...url, 'ratchet.provider': 'offlineDemo' };
    assert.match(
      said({ place: 'machine', values }, { provider: 'auto' }).join(),
      /^ratchet\.provider in the settings of this remote machine/,
    );
  });

  it('are none where a file has nothing of the kind', () => {
    for (const values of [undefined, null, 1, 'x', [], {}, { 'other.provider': 1 }])
      assert.deepEqual(said({ place: 'workspace', values }), []);
  });

  it('are those that package.json gives these scopes', async () => {
    const manifest = z
      .object({
        contributes: z.object({
          configuration: z.array(
            z.object({ properties: z.record(z.string(), z.object({ scope: z.string().optional() }).loose()) }),
          ),
        }),
      })
      .parse(JSON.parse(await readFile('package.json', 'utf8')));
    const scoped = manifest.contributes.configuration
      .flatMap(({ properties }) => Object.entries(properties))
      .filter(([, { scope }]) => scope === 'machine' || scope === 'application')
      .map(([key, { scope }]) => [key.slice('ratchet.'.length), scope]);
    assert.deepEqual(Object.fromEntries(scoped), settingScopes);
  });
});

describe('a settings file', () => {
  it('is read with its comments and commas, and what is none is nothing', () => {
    const text = '\uFEFF{ // "a": 1\n "b": "x // y, } /* z */", /* c */ "d": [1, 2,], "e": "\\"," ,\n}';
    assert.deepEqual(parseSettings(text), { b: 'x // y, } /* z */', d: [1, 2], e: '",' });
    assert.equal(parseSettings('{ "a": '), undefined);
    assert.equal(parseSettings(''), undefined);
  });
});
