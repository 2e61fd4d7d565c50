// Everything that was asked of the server, in order, and the tests that wait for more of it. It must know nothing of how
// requests are answered.
import type { IncomingHttpHeaders } from 'node:http';
import type { Delivery } from './deliverMessage.ts';
import type { ValidationError } from './validationRules.ts';

export interface RecordedRequest {
  /** From 1, over all requests of the server. */
  readonly number: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came, byte for byte (as UTF-8 text). */
  readonly raw: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
  readonly receivedAt: Date;
  /** The HTTP status of the answer, from when it is known. */
  readonly status: number | undefined;
  /** Why it was refused. */
  readonly error: ValidationError | undefined;
  /** Settles when the answer has ended, however it did. */
  readonly finished: Promise<Delivery>;
}

/** What the server itself may say about a request that it recorded. */
export interface OpenRecord {
  readonly request: RecordedRequest;
  /** Shows it to those who wait; an answer does so too. */
  readonly arrive: () => void;
  readonly answer: (status: number, error?: ValidationError) => void;
  readonly finish: (delivery: Delivery) => void;
}

export interface RequestLog {
  readonly requests: readonly RecordedRequest[];
  readonly record: (request: Pick<RecordedRequest, 'method' | 'path' | 'headers' | 'raw' | 'body'>) => OpenRecord;
  /** The next POST /v1/messages to come; it was checked, its answer may still be on the way. */
  readonly nextRequest: (predicate?: (request: RecordedRequest) => boolean) => Promise<RecordedRequest>;
  /** Settles when `count` POST /v1/messages have come since the start. */
  readonly waitForRequests: (count: number) => Promise<readonly RecordedRequest[]>;
  /** Rejects everybody who still waits. */
  readonly close: () => void;
}

interface Waiter {
  /** True when it was served and need not be asked again. */
  readonly offer: (request: RecordedRequest) => boolean;
  readonly reject: (error: Error) => void;
}

/** True for POST /v1/messages. */
export function isMessagesRequest(request: RecordedRequest): boolean {
  return request.method === 'POST' && request.path === '/v1/messages';
}

/** An empty log. */
export function createRequestLog(): RequestLog {
  const requests: RecordedRequest[] = [];
  const arrived: RecordedRequest[] = [];
  let waiters: readonly Waiter[] = [];
  let isClosed = false;

  function waitFor<T>(serve: (request: RecordedRequest, resolve: (value: T) => void) => boolean): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // The test that waits sees the rejection; a test that gave up must not take the whole run with it.
    promise.catch(() => undefined);
    if (isClosed) reject(new Error('the server is closed: no request will come'));
    else waiters = [...waiters, { offer: (request) => serve(request, resolve), reject }];
    return promise;
  }

  return {
    requests,
    record: (asked) => {
      const { promise: finished, resolve: finish } = Promise.withResolvers<Delivery>();
      let status: number | undefined;
      let refusal: ValidationError | undefined;
      const request: RecordedRequest = {
        ...asked,
        number: requests.length + 1,
        receivedAt: new Date(),
        get status() {
          return status;
        },
        get error() {
          return refusal;
        },
        finished,
      };
      requests.push(request);
      const arrive = (): void => {
        if (!isMessagesRequest(request) || arrived.includes(request)) return;
        arrived.push(request);
        waiters = waiters.filter((waiter) => !waiter.offer(request));
      };
      return {
        request,
        arrive,
        answer: (given, error) => {
          status = given;
          refusal = error;
          arrive();
        },
        finish,
      };
    },
    nextRequest: (predicate = () => true) =>
      waitFor((request, resolve) => {
        if (!predicate(request)) return false;
        resolve(request);
        return true;
      }),
    waitForRequests: (count) => {
      if (arrived.length >= count) return Promise.resolve([...arrived]);
      return waitFor((_request, resolve) => {
        if (arrived.length < count) return false;
        resolve([...arrived]);
        return true;
      });
    },
    close: () => {
      isClosed = true;
      for (const waiter of waiters) waiter.reject(new Error('the server was closed while a test waited for a request'));
      waiters = [];
    },
  };
}
