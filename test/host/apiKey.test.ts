import assert from 'node:assert/strict';
import process from 'node:process';
import * as vscode from 'vscode';
import { ApiKeyStore } from '../../src/host/apiKey.ts';

/** A secret storage in memory; a locked one fails like a keyring that is not there. */
class MemorySecrets implements vscode.SecretStorage {
  readonly #values = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;
  locked = false;

  async keys(): Promise<string[]> {
    return [...this.#values.keys()];
  }
  async get(key: string): Promise<string | undefined> {
    if (this.locked) throw new Error('the keyring is locked');
    return this.#values.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    this.#values.set(key, value);
    this.#changed.fire({ key });
  }
  async delete(key: string): Promise<void> {
    this.#values.delete(key);
    this.#changed.fire({ key });
  }
}

describe('the API key', () => {
  const name = 'ratchet.anthropic.apiKey';
  let secrets: MemorySecrets;
  let logged: string[];
  let keys: ApiKeyStore;

  beforeEach(() => {
    secrets = new MemorySecrets();
    logged = [];
    keys = new ApiKeyStore(secrets, (text) => {
      logged.push(text);
    });
    process.env.ANTHROPIC_API_KEY = ' from-environment\n';
  });

  afterEach(() => {
    keys.dispose();
    delete process.env.ANTHROPIC_API_KEY;
  });

  it('comes from the secret storage before the environment', async () => {
    assert.deepEqual(await keys.get(), { value: 'from-environment', from: 'environment' });
    await secrets.store(name, 'from-storage');
    assert.deepEqual(await keys.get(), { value: 'from-storage', from: 'secret_storage' });
  });

  it('is known for redaction from wherever it came, also when it was replaced', async () => {
    await keys.get();
    await secrets.store(name, 'from-storage');
    await keys.get();
    assert.deepEqual([...keys.secrets()].sort(), ['from-environment', 'from-storage']);
  });

  it('comes from the environment when the secret storage cannot be read, which is logged', async () => {
    secrets.locked = true;
    assert.deepEqual(await keys.get(), { value: 'from-environment', from: 'environment' });
    assert.equal(logged.length, 1);
  });

  it('is none where neither has one', async () => {
    process.env.ANTHROPIC_API_KEY = ' ';
    assert.equal(await keys.get(), undefined);
  });

  it('tells of a change of its own secret only', async () => {
    let changes = 0;
    keys.onDidChange(() => {
      changes++;
    });
    await secrets.store('another', 'x');
    await secrets.store(name, 'from-storage');
    await secrets.delete(name);
    assert.equal(changes, 2);
  });
});
