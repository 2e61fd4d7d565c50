// Says what the Messages API would answer to a request body: nothing (it is accepted), or the error. Pure, without a
// server, so that property tests can ask it about any body. It must never be softer than the API to make a test pass.
import { checkConversation } from './conversationRules.ts';
import { checkCacheControl, checkImages, checkSizes, checkText } from './contentRules.ts';
import { parseRawJson } from './rawJson.ts';
import { countTokensSchema, messagesSchema, type CountTokensBody, type MessagesBody } from './requestSchema.ts';
import { schemaErrorMessage } from './schemaErrors.ts';
import { checkEffort, checkThinkingBlocks, checkThinkingSettings } from './thinkingRules.ts';
import { checkTools } from './toolRules.ts';
import { defaultRules, invalid, type ValidationError, type ValidationRules } from './validationRules.ts';

/** A body that was read: typed, and with the error that it deserves. */
export type ReadRequest<Body> =
  { readonly ok: true; readonly body: Body } | { readonly ok: false; readonly error: ValidationError };

function refused(error: ValidationError): { readonly ok: false; readonly error: ValidationError } {
  return { ok: false, error };
}

function checkMeaning(body: CountTokensBody | MessagesBody, rules: ValidationRules): ValidationError | undefined {
  const model = rules.models.find((candidate) => candidate.id === body.model);
  if (model === undefined) return { status: 404, type: 'not_found_error', message: `model: ${body.model}` };
  return (
    checkSizes(body, model) ??
    checkThinkingSettings(body, model) ??
    checkEffort(body, model) ??
    checkTools(body) ??
    checkConversation(body, rules) ??
    checkText(body) ??
    checkThinkingBlocks(body, rules) ??
    checkCacheControl(body) ??
    checkImages(body, rules)
  );
}

function toRaw(body: unknown): string {
  if (typeof body === 'string') return body;
  return body === undefined ? 'null' : JSON.stringify(body);
}

function readRaw(raw: string, rules: ValidationRules): ReadRequest<unknown> {
  if (Buffer.byteLength(raw) > rules.maxBodyBytes) {
    return refused({ status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' });
  }
  const parsed = parseRawJson(raw);
  if ('error' in parsed) return refused(invalid(parsed.error));
  return { ok: true, body: parsed.value };
}

/** Reads the raw body of POST /v1/messages. */
export function readMessagesRequest(raw: string, rules: ValidationRules): ReadRequest<MessagesBody> {
  const read = readRaw(raw, rules);
  if (!read.ok) return read;
  const parsed = messagesSchema.safeParse(read.body);
  if (!parsed.success) return refused(invalid(schemaErrorMessage(read.body, parsed.error.issues)));
  const error = checkMeaning(parsed.data, rules);
  return error === undefined ? { ok: true, body: parsed.data } : refused(error);
}

/** Reads the raw body of POST /v1/messages/count_tokens. */
export function readCountTokensRequest(raw: string, rules: ValidationRules): ReadRequest<CountTokensBody> {
  const read = readRaw(raw, rules);
  if (!read.ok) return read;
  const parsed = countTokensSchema.safeParse(read.body);
  if (!parsed.success) return refused(invalid(schemaErrorMessage(read.body, parsed.error.issues)));
  const error = checkMeaning(parsed.data, rules);
  return error === undefined ? { ok: true, body: parsed.data } : refused(error);
}

/**
 * The error that POST /v1/messages answers to `body`, or undefined if it accepts it.
 * `body` is the raw JSON text as it would be on the wire, or the value that would be sent as JSON.
 */
export function validateRequest(body: unknown, rules: Partial<ValidationRules> = {}): ValidationError | undefined {
  const read = readMessagesRequest(toRaw(body), { ...defaultRules, ...rules });
  return read.ok ? undefined : read.error;
}
