// What is wrong with a connection, in words with what to do about it: from the failure of one small request and what else
// was seen of the server. Pure: it sends nothing.
import { headOf } from '../core/wellFormed.ts';
import { parsedJson } from '../core/parsedJson.ts';

export type ConnectionAction = 'openSettings' | 'setApiKey' | 'chooseModel' | 'tryAgain';

export interface ConnectionVerdict {
  /** `works`, or a stable name of what is wrong. */
  readonly code: string;
  /** What was found and what to do, as sentences. */
  readonly message: string;
  /** What helps, the best first. */
  readonly actions: readonly ConnectionAction[];
}

/** How the server answers the same request when no stream is asked for. */
export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface ConnectionFailure {
  /** As in ModelError. */
  readonly code: string;
  readonly message: string;
  readonly said?: string | undefined;
  readonly status?: number | undefined;
  /** Codes of the error and its causes, such as `ECONNREFUSED`. */
  readonly systemCodes: readonly string[];
}

export interface ConnectionFacts {
  /** As it is asked: without `/v1` at its end. */
  readonly baseURL: string;
  readonly model: string;
  readonly hasKey: boolean;
  readonly plain?: PlainAnswer;
  /** Another address of the same server that does speak the Messages API. */
  readonly speaksAt?: string;
  /** Models that the server lists. */
  readonly models?: readonly string[];
}

const wait: readonly ConnectionAction[] = ['tryAgain'];
const address: readonly ConnectionAction[] = ['openSettings', 'tryAgain'];

/** The meaning of a failed check. */
export function judgeConnection(failure: ConnectionFailure, facts: ConnectionFacts): ConnectionVerdict {
  const { baseURL } = facts;
  if (failure.status === 407) {
    const message = `A proxy between here and ${baseURL} wants a name and a password. Set them in the editor's "http.proxy", then check again.`;
    return { code: 'proxy_login', message, actions: address };
  }
  switch (failure.code) {
    case 'unreachable':
      return { code: 'no_server', message: nobodyThere(failure.systemCodes, baseURL), actions: address };
    case 'untrusted_certificate':
      return certificate(failure, baseURL);
    case 'wrong_url':
      return wrongAddress(failure, facts);
    case 'key_refused':
      return keyRefused(failure, facts);
    case 'model_not_found':
      return noSuchModel(facts);
    case 'stream_cut':
    case 'bad_response': {
      const message = `The server at ${baseURL} begins to answer, but its stream cannot be read to the end. A proxy may gather or change it: let it pass unbuffered. The log has the details.`;
      return { code: 'stream_broken', message, actions: wait };
    }
    case 'timeout':
    case 'stalled': {
      const message = `The server at ${baseURL} took the connection and then said nothing. A local server may still load the model: wait, then check again.`;
      return { code: 'no_answer', message, actions: wait };
    }
    case 'connection_lost': {
      const message = `The server at ${baseURL} closed the connection. Check that the address has the right port, and http:// or https:// as the server speaks it.`;
      return { code: 'connection_closed', message, actions: address };
    }
    case 'rate_limited':
    case 'overloaded':
    case 'server_error':
      return { code: failure.code, message: `The address and the key are right. ${failure.message}`, actions: wait };
    case 'low_balance':
      return { code: failure.code, message: failure.message, actions: wait };
    default:
      return { code: failure.code, message: failure.message, actions: address };
  }
}

function nobodyThere(codes: readonly string[], baseURL: string): string {
  const host = URL.parse(baseURL)?.hostname ?? baseURL;
  if (codes.some((code) => /^(ENOTFOUND|EAI_.*|ERR_NAME_NOT_RESOLVED)$/.test(code)))
    return `There is no machine named ${host}. Check the address in ratchet.anthropic.baseUrl, and the network.`;
  if (/^(localhost|127\.|\[::1\])/.test(host))
    return `No server listens at ${baseURL}. Start it, or check the port in ratchet.anthropic.baseUrl.`;
  return `No server answered at ${baseURL}. Check the network, and "http.proxy" where there is a proxy.`;
}

function certificate({ systemCodes }: ConnectionFailure, baseURL: string): ConnectionVerdict {
  if (systemCodes.some((code) => /WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST|EPROTO/.test(code))) {
    const message = `The server at ${baseURL} does not speak https. Write the address with http://, or check the port.`;
    return { code: 'not_https', message, actions: address };
  }
  const message = `The certificate of ${baseURL} is not trusted here. Add the one who issued it (your company's, when a proxy looks into the traffic) to the certificates of this machine or to NODE_EXTRA_CA_CERTS, then restart the editor.`;
  return { code: 'untrusted_certificate', message, actions: address };
}

function wrongAddress(failure: ConnectionFailure, { baseURL, plain, speaksAt }: ConnectionFacts): ConnectionVerdict {
  if (plain && plain.status < 300 && isMessage(plain.body)) {
    const message = `The server at ${baseURL} answers, but not as a stream. Ratchet needs streaming: switch it on in the gateway, or take a proxy out of the way that gathers answers.`;
    return { code: 'no_stream', message, actions: address };
  }
  if (speaksAt !== undefined) {
    const message = `There is no Messages API at ${baseURL}, but there is one at ${speaksAt}. Set ratchet.anthropic.baseUrl to that.`;
    return { code: 'wrong_path', message, actions: address };
  }
  if (plain === undefined) return { code: 'not_messages_api', message: failure.message, actions: address };
  if (plain.status >= 300 && plain.status < 400) {
    const message = `${baseURL} sends its visitors on to another address, which is not followed since the key would go along. Set ratchet.anthropic.baseUrl to the address itself.`;
    return { code: 'redirect', message, actions: address };
  }
  const kind = plain.contentType.includes('html') || /^\s*</.test(plain.body) ? 'a web page' : 'something else';
  const openAi = /"(choices|chat\.completion)"/.test(plain.body) ? " It looks like OpenAI's API." : '';
  const message = `What answers at ${baseURL} is ${kind}, not the Messages API (status ${plain.status}).${openAi} Check the path in ratchet.anthropic.baseUrl: it is what stands before /v1/messages.`;
  return { code: 'not_messages_api', message, actions: address };
}

function keyRefused({ status, said }: ConnectionFailure, { baseURL, hasKey }: ConnectionFacts): ConnectionVerdict {
  const words = said === undefined ? '' : ` It said: ${headOf(said, 200)}`;
  if (!hasKey) {
    const message = `The server at ${baseURL} wants a key, and there is none. Set one.${words}`;
    return { code: 'key_missing', message, actions: ['setApiKey'] };
  }
  const what = status === 403 ? 'may not be used for this' : 'was refused';
  return {
    code: 'key_refused',
    message: `The key ${what} by ${baseURL}. Set the key that belongs to this server.${words}`,
    actions: ['setApiKey', 'openSettings'],
  };
}

const listedModels = 5;

function noSuchModel({ baseURL, model, models = [] }: ConnectionFacts): ConnectionVerdict {
  const more = models.length > listedModels ? ` and ${models.length - listedModels} more` : '';
  const has = models.length === 0 ? '' : ` It has ${models.slice(0, listedModels).join(', ')}${more}.`;
  const message = `The server at ${baseURL} is there and takes the key, but it has no model "${model}".${has} Choose another one.`;
  return { code: 'model_not_found', message, actions: ['chooseModel', 'openSettings'] };
}

/** Whether this is an answer of the Messages API in one piece. */
function isMessage(body: string): boolean {
  return typeOf(body) === 'message';
}

/** Whether this is an answer or an error in the shape of the Messages API. */
export function speaksMessages(body: string): boolean {
  const type = typeOf(body);
  return type === 'message' || (type === 'error' && /"error"\s*:\s*\{/.test(body));
}

function typeOf(body: string): unknown {
  const value = parsedJson(body);
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
}
