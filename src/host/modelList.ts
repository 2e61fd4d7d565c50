// The models that the server of this editor lists, kept across windows. A list of another server is none; without one
// what is known ahead counts. Nothing waits for it.
import { z } from 'zod';
import { checkedBaseURL } from '../model/client.ts';
import { listedModelSchema, type ListedModel } from '../model/listModels.ts';
import { ModelError } from '../runner/ports.ts';

const stateKey = 'ratchet.models';
const keptSchema = z.object({ baseURL: z.string(), at: z.number(), models: z.array(listedModelSchema) });
const oldAfterMs = 24 * 60 * 60_000;

export interface ModelListPorts {
  /** Such as the editor's global state. */
  readonly memory: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  /** The address that is set now; empty for the Anthropic API. */
  readonly baseURL: () => string;
  /** Asks the server; undefined when there is none to be asked now. @throws ModelError */
  readonly fetch: () => Promise<readonly ListedModel[] | undefined>;
  readonly now: () => number;
  readonly log: (message: string, error?: unknown) => void;
}

export class ModelList {
  readonly #ports: ModelListPorts;
  #pending: Promise<readonly ListedModel[]> | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: ModelListPorts) {
    this.#ports = ports;
  }

  /** In the order of the server; empty when nothing is known of it. */
  models(): readonly ListedModel[] {
    return this.#kept()?.models ?? [];
  }

  find(model: string): ListedModel | undefined {
    return this.models().find(({ id }) => id === model);
  }

  /** Milliseconds since 1970. */
  get listedAt(): number | undefined {
    return this.#kept()?.at;
  }

  #kept(): z.infer<typeof keptSchema> | undefined {
    const kept = keptSchema.safeParse(this.#ports.memory.get(stateKey)).data;
    return kept?.baseURL === addressOf(this.#ports.baseURL()) ? kept : undefined;
  }

  /** Asks the server now and keeps what it says. @throws ModelError; what was kept stays then */
  refresh(): Promise<readonly ListedModel[]> {
    this.#pending ??= this.#refresh().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #refresh(): Promise<readonly ListedModel[]> {
    const baseURL = addressOf(this.#ports.baseURL());
    this.#triedAt = this.#ports.now();
    const models = await this.#ports.fetch();
    if (models === undefined) return this.models();
    await this.#ports.memory.update(stateKey, { baseURL, at: this.#ports.now(), models: [...models] });
    return models;
  }

  /** The same in the background, when it is a day old, or `always`; a server that cannot say is asked once a day. */
  async refreshIfOld(always?: 'always'): Promise<void> {
    const last = Math.max(this.listedAt ?? Number.NEGATIVE_INFINITY, this.#triedAt);
    if (!always && this.#ports.now() - last < oldAfterMs) return;
    try {
      await this.refresh();
    } catch (error) {
      // Whatever it is: what is known ahead does, and the log has it.
      this.#ports.log('The server did not list its models; what is known of them ahead is used', error);
    }
  }
}

function addressOf(baseURL: string): string {
  try {
    return checkedBaseURL(baseURL);
  } catch (error) {
    if (error instanceof ModelError) return baseURL;
    throw error;
  }
}
