// How the SDK's client is made, and the address and key that it gets. Must never know what is asked with it.
import { BaseAnthropic } from '@anthropic-ai/sdk';
import { shownAddress } from '../core/serverAddress.ts';
import { ModelError } from '../runner/ports.ts';
import type { ModelLog } from './log.ts';

const defaultBaseURL = 'https://api.anthropic.com';

export interface ClientOptions {
  readonly baseURL: string;
  readonly apiKey: string;
  /** Milliseconds for the first byte of an answer. Default: four minutes, for local models. */
  readonly headersTimeoutMs?: number;
  readonly log: ModelLog;
  readonly fetch: typeof fetch;
}

/** The SDK's client without the methods for each part of the API, and with nothing from the environment or the disk. */
export function newClient(options: ClientOptions): BaseAnthropic {
  return new BaseAnthropic({
    baseURL: options.baseURL,
    apiKey: options.apiKey,
    // Each of these is otherwise read from the environment or from profiles on disk.
    authToken: null,
    webhookKey: null,
    openTelemetry: false,
    logger: options.log,
    logLevel: 'info',
    // Whether and when a request is made again is decided where it can be shown and stopped.
    maxRetries: 0,
    timeout: options.headersTimeoutMs ?? 240_000,
    fetch: options.fetch,
  });
}

/** The address without what people add to it although the client adds it too. @throws ModelError `wrong_url` */
export function checkedBaseURL(setting: string): string {
  const given = setting.trim() === '' ? defaultBaseURL : setting.trim();
  const address = given.replace(/\/+$/, '').replace(/\/v1(\/messages)?$/, '');
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw wrongUrl(
      `"${shownAddress(given)}" is not a web address: check ratchet.anthropic.baseUrl. It starts with http:// or https://.`,
    );
  }
  // Settings are no place for a secret, and no request can be made to such an address.
  if (url.username !== '' || url.password !== '') {
    throw wrongUrl(
      `The address of ${url.host} has a name or a password in it. Take it out of ratchet.anthropic.baseUrl; a key is set with "Ratchet: Set API Key".`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw wrongUrl(
      `The address of ${url.host} has something behind a "?" or "#", which no request can keep. Take it out of ratchet.anthropic.baseUrl; a key is set with "Ratchet: Set API Key".`,
    );
  }
  return address;
}

function wrongUrl(message: string): ModelError {
  return new ModelError({ kind: 'terminal', code: 'wrong_url', message });
}

/** @throws ModelError `key_refused` */
export function checkedKey(key: string): string {
  const trimmed = key.trim();
  if (!/^[\x21-\x7e]*$/.test(trimmed)) {
    const message = 'The key has characters that no key has. Set it again.';
    throw new ModelError({ kind: 'terminal', code: 'key_refused', message });
  }
  return trimmed;
}
