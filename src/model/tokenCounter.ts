// Asks the server how many tokens a request has. Many servers cannot say: then an estimate must do, so a failure is no
// error here. It must never delay a run for long.
import { z } from 'zod';
import type { ModelRequest } from '../core/messages.ts';
import type { ModelLog } from './log.ts';

const answer = z.looseObject({ input_tokens: z.number().nonnegative() });
const longestMs = 15_000;

/**
 * Counts by the given way to post a body to `/v1/messages/count_tokens`. A server that failed once is not asked again.
 * @returns tokens of the input, or undefined; throws the signal's reason when it was aborted
 */
export function createTokenCounter(
  post: (body: object, signal: AbortSignal) => Promise<unknown>,
  log: ModelLog,
): (request: ModelRequest, signal: AbortSignal) => Promise<number | undefined> {
  let answers = true;
  return async ({ model, thinking, system, tools, messages }, signal) => {
    if (!answers) return undefined;
    const body = { model, ...(thinking && { thinking }), system, tools, messages };
    try {
      const counted = answer.parse(await post(body, AbortSignal.any([signal, AbortSignal.timeout(longestMs)])));
      return counted.input_tokens;
    } catch (error) {
      signal.throwIfAborted();
      answers = false;
      log.info('The server did not count tokens; the length of the conversation is estimated.', error);
      return undefined;
    }
  };
}
