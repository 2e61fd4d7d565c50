// The HTTP exchange under the SDK: decides which headers go out and sees every byte that comes in. It must never know
// what the bytes mean.

/** The version of the API whose requests and events this folder writes and reads. */
const apiVersion = '2026-10-21';

export interface ByteWatch {
  /** The headers of a good answer are there: its body is read from now on. */
  readonly onStart: () => void;
  readonly onBytes: () => void;
  /** The body broke off with this error. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Wraps `base` for one request. Nothing that the SDK picked up from environment variables goes out: the headers are
 * the fixed ones, the SDK's own counters, and the key under both names that servers look for. Redirects are not
 * followed, since the key would follow them.
 */
export function createWatchedFetch(base: typeof fetch, apiKey: string, watch: ByteWatch): typeof fetch {
  return async (input, init) => {
    const headers = ownHeaders(new Headers(init?.headers), apiKey);
    const response = await base(input, { ...init, headers, redirect: 'manual' });
    if (!response.ok || !response.body) return response;
    watch.onStart();
    return new Response(watched(response.body, watch), { status: response.status, headers: response.headers });
  };
}

function ownHeaders(sent: Headers, apiKey: string): Headers {
  const headers = new Headers();
  sent.forEach((value, name) => {
    if (name.startsWith('x-stainless-')) headers.set(name, value);
  });
  headers.set('accept', 'application/json');
  headers.set('content-type', 'application/json');
  headers.set('user-agent', 'ratchet');
  headers.set('anthropic-version', apiVersion);
  if (apiKey !== '') {
    headers.set('authorization', `Bearer ${apiKey}`);
    headers.set('x-api-key', apiKey);
  }
  return headers;
}

function watched(body: ReadableStream<Uint8Array>, watch: ByteWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        watch.onBytes();
        controller.enqueue(value);
      } catch (error) {
        watch.onBroken(error);
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
