// Asks a server a few small questions, to find out whether it can be worked with and which forms of a request it takes.
// Nothing of a session is sent. What the answers mean is connectionVerdict.ts.
import type { ModelRequest } from '../core/messages.ts';
import type { RequestSettings } from '../core/requestBuilder.ts';
import { countOf } from '../core/words.ts';
import { ModelError } from '../runner/ports.ts';
import { createAnthropicModel } from './anthropic.ts';
import { checkedBaseURL } from './client.ts';
import { judgeConnection, speaksMessages, type ConnectionVerdict, type PlainAnswer } from './connectionVerdict.ts';
import { listModels, type ListedModel } from './listModels.ts';
import type { ModelLog } from './log.ts';
import { codesOf } from './modelFailure.ts';
import { createWatchedFetch } from './watchedFetch.ts';

export interface ConnectionCheck {
  readonly apiKey: string;
  readonly baseURL: string;
  /** What a run would send. */
  readonly settings: RequestSettings;
  /** Milliseconds for one question. Default: a minute, for local models that load first. */
  readonly timeoutMs?: number;
  readonly log?: ModelLog;
  readonly fetch?: typeof fetch;
}

export interface ConnectionReport {
  readonly verdict: ConnectionVerdict;
  /** What was asked and found, one line each. */
  readonly details: readonly string[];
  /** What the server lists; empty when it lists nothing. */
  readonly models: readonly ListedModel[];
}

const answerTokens = 512;
const bodyBytes = 20_000;

/** Checks one server with one model. @throws the signal's reason when it was aborted; every failure is a verdict */
export async function checkConnection(check: ConnectionCheck, signal: AbortSignal): Promise<ConnectionReport> {
  const { settings } = check;
  // An address that cannot be used may have a password in it.
  const server = check.baseURL === '' ? 'the Anthropic API' : (readableBase(check.baseURL) ?? 'none');
  const details = [`Server: ${server}`, `Model: ${settings.model}`];
  const models = await modelsOf(check, signal);
  details.push(models.length === 0 ? 'List of models: none' : `List of models: ${countOf(models.length, 'model')}`);
  const plain: ModelRequest = {
    model: settings.model,
    max_tokens: Math.min(answerTokens, settings.maxTokens),
    system: [{ type: 'text', text: 'You answer a check of the connection.' }],
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word "ok".' }] }],
  };
  const first = await ask(check, plain, signal);
  if (first.error) {
    const verdict = await explain(check, first.error, plain, models, signal);
    details.push(`A small request: ${first.error.message}`, ...saidBy(first.error));
    return { verdict, details, models };
  }
  const latency = `first words after ${Math.round(first.latencyMs)} ms`;
  details.push(`A small request: answered, ${latency}`, `Window: ${settings.contextWindow ?? 'not known'} tokens`);
  const refused: string[] = [];
  for (const { name, request } of forms(plain, settings)) {
    const { error } = await ask(check, request, signal);
    details.push(`${name}: ${error ? `refused. ${error.message}` : 'taken'}`);
    if (error) refused.push(name);
  }
  return { verdict: works(settings.model, latency, refused), details, models };
}

function works(model: string, latency: string, refused: readonly string[]): ConnectionVerdict {
  if (refused.includes(formNames.tools)) {
    const message = `${model} answers, but takes no tools: the agent cannot work with it. Choose another model.`;
    return { code: 'no_tools', message, actions: ['chooseModel', 'openSettings'] };
  }
  if (refused.length > 0) {
    const message = `${model} answers (${latency}), but refuses: ${refused.join(', ')}. ${refused.includes(formNames.thinking) ? 'Set ratchet.thinking to "off".' : refused.includes(formNames.effort) ? 'Set ratchet.effort to "default".' : 'The log has the details.'}`;
    return { code: 'works_partly', message, actions: ['openSettings', 'chooseModel'] };
  }
  return { code: 'works', message: `The connection works: ${model} answers, ${latency}.`, actions: [] };
}

const formNames = {
  tools: 'Tools',
  cache: 'Prompt cache',
  thinking: 'Adaptive thinking',
  effort: 'Effort',
  system: 'System messages in the conversation',
} as const;

/** The forms that a run would send, each alone: a refusal names what is refused. */
function forms(
  plain: ModelRequest,
  settings: RequestSettings,
): readonly { readonly name: string; readonly request: ModelRequest }[] {
  const { model, max_tokens, ...rest } = plain;
  const tool = { name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: {} } };
  const { effort } = settings;
  return [
    { name: formNames.tools, request: { ...plain, tools: [tool] } },
    { name: formNames.cache, request: { model, max_tokens, cache_control: { type: 'ephemeral' }, ...rest } },
    ...(settings.thinking === 'adaptive'
      ? [{ name: formNames.thinking, request: { model, max_tokens, thinking: { type: 'adaptive' as const }, ...rest } }]
      : []),
    ...(effort ? [{ name: formNames.effort, request: { model, max_tokens, output_config: { effort }, ...rest } }] : []),
    ...(settings.takesSystemMessages
      ? [
          {
            name: formNames.system,
            request: {
              ...plain,
              messages: [
                ...plain.messages,
                { role: 'system' as const, content: [{ type: 'text' as const, text: 'ok' }] },
              ],
            },
          },
        ]
      : []),
  ];
}

interface Asked {
  readonly latencyMs: number;
  readonly error?: ModelError;
}

async function ask(check: ConnectionCheck, request: ModelRequest, signal: AbortSignal): Promise<Asked> {
  const { apiKey, baseURL, log, timeoutMs = 60_000 } = check;
  const model = createAnthropicModel({
    apiKey,
    baseURL,
    ...(check.fetch && { fetch: check.fetch }),
    idleTimeoutMs: timeoutMs,
    headersTimeoutMs: timeoutMs,
    ...(log && { log }),
  });
  const start = performance.now();
  let firstAt: number | undefined;
  try {
    await model.stream(request, { signal, onDelta: () => (firstAt ??= performance.now()) });
    return { latencyMs: (firstAt ?? performance.now()) - start };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError) return { latencyMs: performance.now() - start, error };
    throw error;
  }
}

/** The list is a help here, not the question: whatever goes wrong with it shows in what is asked next. */
async function modelsOf(check: ConnectionCheck, signal: AbortSignal): Promise<readonly ListedModel[]> {
  try {
    return await listModels({ ...check, timeoutMs: Math.min(check.timeoutMs ?? 10_000, 10_000) }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError) return [];
    throw error;
  }
}

async function explain(
  check: ConnectionCheck,
  error: ModelError,
  request: ModelRequest,
  models: readonly ListedModel[],
  signal: AbortSignal,
): Promise<ConnectionVerdict> {
  const failure = {
    code: error.code,
    message: error.message,
    said: error.said,
    status: error.status,
    systemCodes: codesOf(error),
  };
  const common = {
    model: check.settings.model,
    hasKey: check.apiKey.trim() !== '',
    models: models.map(({ id }) => id),
  };
  const baseURL = readableBase(check.baseURL);
  if (baseURL === undefined) return { code: 'wrong_url', message: error.message, actions: ['openSettings'] };
  // A path that is not there is answered with the same 404 as a model that is not.
  const mayBePath = error.code === 'model_not_found' && error.said?.includes(common.model) !== true;
  if (error.code !== 'wrong_url' && !mayBePath) return judgeConnection(failure, { ...common, baseURL });
  const plain = await askPlainly(check, baseURL, request, signal);
  let speaksAt: string | undefined;
  for (const other of otherAddresses(baseURL)) {
    const answer = await askPlainly(check, other, request, signal);
    if (answer && answer.status !== 404 && speaksMessages(answer.body)) {
      speaksAt = other;
      break;
    }
  }
  return judgeConnection(speaksAt === undefined ? failure : { ...failure, code: 'wrong_url' }, {
    ...common,
    baseURL,
    ...(plain && { plain }),
    ...(speaksAt !== undefined && { speaksAt }),
  });
}

function readableBase(setting: string): string | undefined {
  try {
    return checkedBaseURL(setting);
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}

/** What people write too much of: each address on the way up to the machine itself. The key stays with its server. */
function otherAddresses(baseURL: string): readonly string[] {
  const { origin, pathname } = new URL(baseURL);
  const names = pathname.split('/').filter((name) => name !== '');
  const shorter = names.map(
    (_, count) =>
      `${origin}${names
        .slice(0, count)
        .map((name) => `/${name}`)
        .join('')}`,
  );
  return [...shorter.reverse().slice(0, 3), ...(names.length === 0 ? [`${origin}/anthropic`] : [])];
}

/** The same request without a stream; undefined when nothing readable came. */
async function askPlainly(
  check: ConnectionCheck,
  baseURL: string,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<PlainAnswer | undefined> {
  const ignored = { onStart: () => undefined, onBytes: () => undefined, onBroken: () => undefined };
  const send = createWatchedFetch(check.fetch ?? fetch, check.apiKey.trim(), ignored);
  try {
    const response = await send(`${baseURL}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(request),
      signal: AbortSignal.any([signal, AbortSignal.timeout(check.timeoutMs ?? 60_000)]),
    });
    const body = (await response.text()).slice(0, bodyBytes);
    return { status: response.status, contentType: response.headers.get('content-type') ?? '', body };
  } catch (error) {
    signal.throwIfAborted();
    check.log?.info(`${baseURL} could not be asked`, error);
    return undefined;
  }
}

function saidBy({ said }: ModelError): readonly string[] {
  return said === undefined ? [] : [`The server said: ${said}`];
}
