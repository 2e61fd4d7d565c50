// The test's side of the models' extension: puts it into an editor, and answers for its model and its tool.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { installTestExtension } from '../workbench/testExtension.ts';
import { modelRequestSchema, serviceVariable, type ModelRequest, type Part } from './calls.ts';
import { manifest } from './manifest.ts';

export class ModelService {
  readonly #server: Server;
  readonly #requests: ModelRequest[] = [];
  readonly #calls: unknown[] = [];
  readonly #folder: string;
  /** What the model answers; called for each request. */
  model: (request: ModelRequest) => readonly Part[] | Promise<readonly Part[]> = () => [{ kind: 'text', text: 'ok' }];
  /** What the tool answers. */
  tool: (input: unknown) => string | Promise<string> = () => 'stamped';

  private constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(
        (body) => response.end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  }

  static async start(): Promise<ModelService> {
    const service = new ModelService(await mkdtemp(path.join(os.tmpdir(), 'ratchet-models-')));
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  async dispose(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** What the extension hosts need in their environment. */
  get env(): Readonly<Record<string, string>> {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the service does not listen');
    return { [serviceVariable]: `http://127.0.0.1:${address.port}` };
  }

  /** What the model was asked, oldest first. */
  get requests(): readonly ModelRequest[] {
    return this.#requests;
  }

  /** What the tool was called with, oldest first. */
  get calls(): readonly unknown[] {
    return this.#calls;
  }

  async install(home: string): Promise<void> {
    await installTestExtension({
      ...{ home, manifest, around: this.#folder },
      entry: path.join(import.meta.dirname, 'main.ts'),
    });
  }

  async #answer(request: IncomingMessage): Promise<string> {
    const body: unknown = JSON.parse(await text(request));
    if (request.url === '/tool') {
      this.#calls.push(body);
      return this.tool(body);
    }
    const asked = modelRequestSchema.parse(body);
    this.#requests.push(asked);
    return JSON.stringify(await this.model(asked));
  }
}
