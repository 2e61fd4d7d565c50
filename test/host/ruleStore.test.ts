import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApprovalRule } from '../../src/core/approval/rules.ts';
import { createRuleStore } from '../../src/host/ruleStore.ts';
import { z } from 'zod';
import { ratchetApi, ratchetExtension } from '../support/session/hostApi.ts';

/** The state of a workspace in memory: what is put in comes out as JSON would give it back. */
class MemoryState implements vscode.Memento {
  readonly #values = new Map<string, string>();
  full = false;

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }
  readonly get = (key: string, otherwise?: unknown): never => {
    const text = this.#values.get(key);
    // As untyped as the editor's own.
    return (text === undefined ? otherwise : JSON.parse(text)) as never;
  };
  async update(key: string, value: unknown): Promise<void> {
    if (this.full) throw new Error('the state cannot be written');
    this.#values.set(key, JSON.stringify(value));
  }
}

const manifestSchema = z.object({ contributes: z.object({ configuration: z.array(z.unknown()) }) });
const key = 'ratchet.approvalRules';
const here = 'file:///home/ada/job';
const npmTest: ApprovalRule = { kind: 'program', words: ['npm', 'test'] };
const make: ApprovalRule = { kind: 'exact', syntax: 'posix', command: 'make all' };

describe('the approval rules in the state of the workspace', () => {
  let state: MemoryState;
  let logged: string[];
  const store = () => createRuleStore(state, (message) => void logged.push(message));

  beforeEach(() => {
    state = new MemoryState();
    logged = [];
  });

  it('are there for the next window, by folder, each once', async () => {
    assert.deepEqual(store().list(here), []);
    await store().add(here, [npmTest, make]);
    await store().add(here, [make]);
    await store().add('file:///elsewhere', [make]);
    assert.deepEqual(store().list(here), [npmTest, make]);
    assert.deepEqual(store().list('file:///elsewhere'), [make]);
    assert.deepEqual(store().list('constructor'), []);
  });

  it('are gone when they are removed, and the others stay', async () => {
    await store().add(here, [npmTest, make]);
    await store().remove(here, npmTest);
    await store().remove(here, npmTest);
    assert.deepEqual(store().list(here), [make]);
  });

  it('that cannot be read allow nothing, and cost no other', async () => {
    await state.update(key, {
      [here]: [npmTest, { kind: 'anything' }, 'npm test', null, { ...make, command: '' }, make],
    });
    assert.deepEqual(store().list(here), [npmTest, make]);
    assert.equal(logged.length, 4);
    for (const broken of ['npm test', [npmTest], { [here]: 'x' }, null]) {
      await state.update(key, broken);
      assert.deepEqual(store().list(here), [], JSON.stringify(broken));
    }
  });

  it('that cannot be kept are said to be so', async () => {
    state.full = true;
    await assert.rejects(store().add(here, [npmTest]), /cannot be written/);
    state.full = false;
    assert.deepEqual(store().list(here), []);
  });

  it('are no setting: no file of a folder can bring them along', async () => {
    await ratchetApi();
    const { contributes } = manifestSchema.parse(ratchetExtension().packageJSON);
    const properties = contributes.configuration;
    assert.doesNotMatch(JSON.stringify(properties), /approvalRules/);
    assert.equal(vscode.workspace.getConfiguration('ratchet').inspect('approvalRules')?.defaultValue, undefined);
  });
});
