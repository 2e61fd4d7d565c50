// Puts a reply on the wire, with its pauses and with what goes wrong on the way. It must know nothing of requests, and it
// decides nothing.
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { eventsOf, messageOf, type MessageContext, type StreamEvent } from './messageEvents.ts';
import type { ApiError, MessageReply, StreamFault } from './reply.ts';

/** How an answer ended: complete, cut by the script (drop, close, error), or left by the client. */
export type Delivery = 'sent' | 'dropped' | 'closed' | 'failed' | 'aborted';

interface Piece {
  readonly bytes: Buffer;
  readonly isDelta: boolean;
}

type ErrorEvent = { readonly type: 'error'; readonly error: ApiError; readonly request_id: string };

function encode(event: StreamEvent | ErrorEvent): Piece {
  const bytes = Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return { bytes, isDelta: event.type === 'content_block_delta' };
}

// The events up to the end of the n-th block.
function afterBlocks(events: readonly StreamEvent[], blocks: number): readonly StreamEvent[] {
  if (blocks === 0) return events.slice(0, 1);
  const end = events.findIndex((event) => event.type === 'content_block_stop' && event.index === blocks - 1);
  if (end < 0) throw new RangeError(`midStreamError: the message has fewer than ${blocks} blocks`);
  return events.slice(0, end + 1);
}

function piecesOf(reply: MessageReply, context: MessageContext, requestId: string): readonly Piece[] {
  if (context.body.stream !== true) {
    return [{ bytes: Buffer.from(JSON.stringify(messageOf(reply, context))), isDelta: false }];
  }
  const events = eventsOf(reply, context);
  if (reply.fault?.kind !== 'error') return events.map(encode);
  const error: ErrorEvent = { type: 'error', error: reply.fault.error, request_id: requestId };
  return [...afterBlocks(events, reply.fault.afterBlocks), error].map(encode);
}

/** The byte at which the script wants something to happen; throws RangeError if the body has no such byte. */
function faultByte(fault: StreamFault | undefined, pieces: readonly Piece[]): number {
  if (fault === undefined || fault.kind === 'error') return Number.POSITIVE_INFINITY;
  const size = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (fault.atByte >= size) throw new RangeError(`${fault.kind} at byte ${fault.atByte}: the body has only ${size}`);
  return fault.atByte;
}

async function write(response: ServerResponse, bytes: Buffer, left: Promise<void>): Promise<void> {
  if (bytes.length === 0) return;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  // A write error means that the client is gone; `left` says the same, and is what is looked at.
  response.write(bytes, () => {
    resolve(undefined);
  });
  await Promise.race([promise, left]);
}

async function stall(
  response: ServerResponse,
  fault: StreamFault & { kind: 'stall' },
  left: Promise<void>,
): Promise<void> {
  const pinger =
    fault.pingEveryMs === undefined
      ? undefined
      : setInterval(() => response.write(encode({ type: 'ping' }).bytes), fault.pingEveryMs);
  await Promise.race([fault.released, left]);
  clearInterval(pinger);
}

// A call, because the answer may be another one after each wait.
function hasLeft(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Settles when the client goes away. */
function leaving(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  signal.addEventListener(
    'abort',
    () => {
      resolve(undefined);
    },
    { once: true },
  );
  return promise;
}

// Where in this piece of `size` bytes, which begins at `start`, the fault is; undefined if it is in another piece.
function cutIn(fault: StreamFault | undefined, stopAt: number, start: number, size: number): number | undefined {
  if (stopAt < start || stopAt >= start + size) return undefined;
  // Pings cannot go into the middle of an event.
  return fault?.kind === 'stall' && fault.pingEveryMs !== undefined ? 0 : stopAt - start;
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function end(response: ServerResponse, how: Delivery): Delivery {
  response.end();
  return how;
}

/**
 * Sends `reply`. `signal` is aborted when the client goes away; `onStart` is called when the headers are out. Throws RangeError, before anything is sent, if the fault
 * of the reply cannot happen.
 */
export async function deliverMessage(
  response: ServerResponse,
  reply: MessageReply,
  context: MessageContext,
  requestId: string,
  signal: AbortSignal,
  onStart: () => void,
): Promise<Delivery> {
  const pieces = piecesOf(reply, context, requestId);
  const stopAt = faultByte(reply.fault, pieces);
  const isStream = context.body.stream === true;
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream; charset=utf-8' : 'application/json' });
  response.flushHeaders();
  onStart();
  const left = leaving(signal);
  let sent = 0;
  for (const { bytes, isDelta } of pieces) {
    if (isDelta && reply.msPerDelta !== undefined) await wait(reply.msPerDelta, signal);
    const cut = cutIn(reply.fault, stopAt, sent, bytes.length);
    sent += bytes.length;
    await write(response, cut === undefined ? bytes : bytes.subarray(0, cut), left);
    if (hasLeft(signal)) return 'aborted';
    if (cut === undefined) continue;
    switch (reply.fault?.kind) {
      case 'drop':
        response.destroy();
        return 'dropped';
      case 'close':
        return end(response, 'closed');
      case 'stall':
        await stall(response, reply.fault, left);
        await write(response, bytes.subarray(cut), left);
        if (hasLeft(signal)) return 'aborted';
        break;
      case 'error':
      case undefined:
        break;
      default:
        return reply.fault satisfies never;
    }
  }
  return end(response, reply.fault?.kind === 'error' ? 'failed' : 'sent');
}
