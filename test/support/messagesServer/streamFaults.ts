// Wraps a message in something that goes wrong on its way. It must know nothing of sockets: it only says what is to happen.
import { toReply, type MessageReply, type Scripted, type StreamFault } from './reply.ts';

function toMessage(scripted: Scripted): MessageReply {
  const reply = toReply(scripted);
  if (reply.kind !== 'message') throw new TypeError('only a message can go wrong on its way, not an HTTP error');
  return reply;
}

function withFault(scripted: Scripted, fault: StreamFault): MessageReply {
  return { ...toMessage(scripted), fault };
}

/** The connection is destroyed after `bytes` of the body. */
export function dropAt(bytes: number, reply: Scripted): MessageReply {
  return withFault(reply, { kind: 'drop', atByte: bytes });
}

/** The response ends cleanly after `bytes` of the body, as if it were complete. */
export function closeAt(bytes: number, reply: Scripted): MessageReply {
  return withFault(reply, { kind: 'close', atByte: bytes });
}

export interface StalledReply extends MessageReply {
  /** Lets the rest of the message go out. */
  readonly release: () => void;
}

/** Nothing more comes after `bytes` of the body, until `release()` or until the client goes away. */
export function stallAt(bytes: number, reply: Scripted, options: { readonly pingEveryMs?: number } = {}): StalledReply {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const fault: StreamFault = { kind: 'stall', atByte: bytes, released: promise, ...options };
  return {
    ...withFault(reply, fault),
    release: () => {
      resolve(undefined);
    },
  };
}

/** After `afterBlocks` complete blocks an `error` event comes instead of the rest. */
export function midStreamError(type: string, afterBlocks: number, reply: Scripted, message?: string): MessageReply {
  const error = { type, message: message ?? type.replace(/_error$/, '').replaceAll('_', ' ') };
  return withFault(reply, { kind: 'error', afterBlocks, error });
}

/** Each delta comes after a pause of `msPerDelta`. */
export function slow(msPerDelta: number, reply: Scripted): MessageReply {
  return { ...toMessage(reply), msPerDelta };
}
