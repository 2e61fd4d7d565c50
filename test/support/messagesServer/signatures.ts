// Signs the thinking that the server hands out and checks what comes back. A signature is bound to the key, the model
// and every byte of the text. It must know nothing of messages or of where a block stands.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The key of a server that was not given one: fixed, so that a server started again still knows its own thinking. */
export const defaultSigningKey = 'local messages server';

export type SignatureCheck = 'valid' | 'foreign' | 'altered';

const ownerBytes = 8;

function mac(key: string, ...parts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
  return hmac.digest();
}

/** The signature (base64) of `text` as thought by `model`. */
export function signThinking(key: string, model: string, text: string): string {
  const owner = mac(key, 'owner', model).subarray(0, ownerBytes);
  return Buffer.concat([owner, mac(key, 'text', model, text)]).toString('base64');
}

/**
 * `foreign`: not a signature of this server and this model. `altered`: it was made here for this model, but for another
 * text, or it was damaged behind its first bytes.
 */
export function checkThinking(key: string, model: string, text: string, signature: string): SignatureCheck {
  const expected = Buffer.from(signThinking(key, model, text));
  const given = Buffer.from(signature);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return 'valid';
  const owner = mac(key, 'owner', model).subarray(0, ownerBytes);
  return Buffer.from(signature, 'base64').subarray(0, ownerBytes).equals(owner) ? 'altered' : 'foreign';
}

/** The `data` of a redacted_thinking block: opaque to the client, checked like a signature. */
export function redactThinking(key: string, model: string, text: string): string {
  return `${Buffer.from(text).toString('base64url')}.${signThinking(key, model, text)}`;
}

/** As `checkThinking`, for the `data` of a redacted_thinking block. */
export function checkRedacted(key: string, model: string, data: string): SignatureCheck {
  const dot = data.indexOf('.');
  if (dot < 0) return 'foreign';
  const text = Buffer.from(data.slice(0, dot), 'base64url').toString();
  const result = checkThinking(key, model, text, data.slice(dot + 1));
  return result === 'valid' && data !== redactThinking(key, model, text) ? 'altered' : result;
}
