// The models that a server says it has, page by page. A server that has no such list is no error: then what is known
// ahead must do. Must never know where the list is kept.
import { z } from 'zod';
import { effortLevels, type Effort } from '../core/messages.ts';
import { checkedBaseURL, checkedKey, newClient } from './client.ts';
import { silentLog, type ModelLog } from './log.ts';
import { modelErrorOf } from './modelFailure.ts';
import { createWatchedFetch } from './watchedFetch.ts';

/** Only what is used is checked: other servers leave out most of it. */
const supported = z.looseObject({ supported: z.boolean() }).nullish();
const infoSchema = z.looseObject({
  id: z.string().min(1),
  display_name: z.string().nullish(),
  lifecycle: z.string().nullish(),
  max_input_tokens: z.number().positive().nullish(),
  max_tokens: z.number().positive().nullish(),
  capabilities: z
    .looseObject({
      effort: z.looseObject({ supported: z.boolean() }).nullish(),
      thinking: z.looseObject({ types: z.looseObject({ adaptive: supported }).nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
});
const pageSchema = z.looseObject({
  data: z.array(z.unknown()),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});

/** A model as its server describes it; what the server does not say is absent. Kept between sessions as it is. */
export const listedModelSchema = z.object({
  id: z.string(),
  name: z.string().optional(),
  /** Tokens. */
  contextWindow: z.number().optional(),
  /** Tokens that one answer may have at most. */
  maxOutputTokens: z.number().optional(),
  adaptiveThinking: z.boolean().optional(),
  /** Levels of effort that it takes; empty when it takes none. */
  efforts: z.array(z.enum(effortLevels)).optional(),
  deprecated: z.literal(true).optional(),
});
export type ListedModel = Readonly<z.infer<typeof listedModelSchema>>;

/** No server has that many: it stops one that never says that it is at the end. */
const mostPages = 20;
const pageSize = 100;
const longestMs = 15_000;

/**
 * Asks for the list, in the order of the server.
 * @throws ModelError, or the signal's reason when it was aborted
 */
export async function listModels(
  endpoint: {
    readonly apiKey: string;
    readonly baseURL: string;
    /** Milliseconds for one page. Default: 15 seconds. */
    readonly timeoutMs?: number;
    readonly log?: ModelLog;
    readonly fetch?: typeof fetch;
  },
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const baseURL = checkedBaseURL(endpoint.baseURL);
  const apiKey = checkedKey(endpoint.apiKey);
  const ignored = { onStart: () => undefined, onBytes: () => undefined, onBroken: () => undefined };
  const client = newClient({
    baseURL,
    apiKey,
    headersTimeoutMs: endpoint.timeoutMs ?? longestMs,
    log: endpoint.log ?? silentLog,
    fetch: createWatchedFetch(endpoint.fetch ?? fetch, apiKey, ignored),
  });
  const models = new Map<string, ListedModel>();
  let after: string | undefined;
  try {
    for (let page = 0; page < mostPages; page += 1) {
      const query = { limit: pageSize, ...(after !== undefined && { after_id: after }) };
      const read = pageSchema.safeParse(await client.get<unknown>('/v1/models', { query, signal }));
      if (!read.success) break;
      for (const entry of read.data.data) {
        const info = infoSchema.safeParse(entry);
        if (info.success) models.set(info.data.id, listedModel(info.data));
      }
      const last = read.data.last_id ?? undefined;
      if (read.data.has_more !== true || last === undefined || last === after) break;
      after = last;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw modelErrorOf(error, { baseURL, model: '', now: Date.now() }) ?? error;
  }
  return [...models.values()];
}

function listedModel(info: z.infer<typeof infoSchema>): ListedModel {
  const { capabilities } = info;
  const adaptive = capabilities?.thinking?.types?.adaptive?.supported;
  return {
    id: info.id,
    ...(info.display_name && { name: info.display_name }),
    ...(info.max_input_tokens && { contextWindow: info.max_input_tokens }),
    ...(info.max_tokens && { maxOutputTokens: info.max_tokens }),
    ...(adaptive !== undefined && { adaptiveThinking: adaptive }),
    ...(capabilities?.effort && { efforts: effortsOf(capabilities.effort) }),
    ...(info.lifecycle === 'deprecated' && { deprecated: true as const }),
  };
}

function effortsOf(effort: Readonly<Record<string, unknown>> & { readonly supported: boolean }): Effort[] {
  return effort.supported ? effortLevels.filter((level) => supported.safeParse(effort[level]).data?.supported) : [];
}
