// Tells a request for a summary from the others, for the scripts of tests. Knows nothing of sessions.
import { summaryRequest } from '../../../src/core/compaction.ts';

const words = JSON.stringify(summaryRequest);

/** Whether the request ends with the words that ask for a summary. */
export function isSummaryRequest({ messages }: { readonly messages: readonly unknown[] }): boolean {
  return JSON.stringify(messages.at(-1) ?? null).includes(words);
}
