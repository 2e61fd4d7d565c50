// The API key: in the editor's secret storage, else from the environment. It is held nowhere else and never written.
import * as vscode from 'vscode';
import { secretsOfAddress } from '../core/serverAddress.ts';
import type { Log } from './log.ts';
import { setting } from './settings.ts';

const secretName = 'ratchet.anthropic.apiKey';
/** What the SDK, and others who speak this API, read a key from. */
const secretVariables = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] as const;

export interface ApiKey {
  readonly value: string;
  readonly from: 'secret_storage' | 'environment';
}

export class ApiKeyStore implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #log: Log;
  /** For redaction, which cannot wait: every key that was seen in this window. */
  readonly #seen = new Set<string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;

  constructor(secrets: vscode.SecretStorage, log: Log) {
    this.#secrets = secrets;
    this.#log = log;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key !== secretName) return;
      // The new one is to be known before anything is done with it.
      void this.get();
      this.#changed.fire();
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async get(): Promise<ApiKey | undefined> {
    const stored = await this.#stored();
    if (stored !== undefined && stored !== '') return this.#remember({ value: stored, from: 'secret_storage' });
    const fromEnvironment = process.env.ANTHROPIC_API_KEY?.trim();
    if (fromEnvironment) return this.#remember({ value: fromEnvironment, from: 'environment' });
    return undefined;
  }

  async #stored(): Promise<string | undefined> {
    try {
      return await this.#secrets.get(secretName);
    } catch (error) {
      // A locked or missing keyring must not keep a key in the environment from working.
      this.#log('The secret storage could not be read', error);
      return undefined;
    }
  }

  #remember(key: ApiKey): ApiKey {
    this.#seen.add(key.value);
    return key;
  }

  /** Values that must reach neither the disk, nor a command, nor the log. */
  readonly secrets = (): readonly string[] => {
    const inEnvironment = secretVariables.flatMap((name) => process.env[name]?.trim() ?? []);
    const inAddress = secretsOfAddress(setting('anthropic.baseUrl'));
    return [...new Set([...this.#seen, ...inEnvironment, ...inAddress])].filter((value) => value !== '');
  };

  /** Asks for a key and stores it; an empty answer removes the stored one. `none` when the user backed out. */
  async ask(): Promise<'stored' | 'removed' | 'none'> {
    const value = await vscode.window.showInputBox({
      title: 'Anthropic API key',
      prompt: 'Kept in the secret storage of this editor. Leave it empty to remove the stored key.',
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (/\s/.test(text.trim()) ? 'A key has no spaces in it.' : undefined),
    });
    if (value === undefined) return 'none';
    const trimmed = value.trim();
    if (trimmed === '') {
      await this.#secrets.delete(secretName);
      return 'removed';
    }
    await this.#secrets.store(secretName, trimmed);
    return 'stored';
  }
}
