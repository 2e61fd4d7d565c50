// The local server as a process of its own: node main.ts [--port N] [--api-key KEY] [--script FILE]. It prints its URL as
// its first line and ends on SIGTERM, SIGINT or when its standard input is closed with --until-stdin-ends.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startMessagesServer, type Script } from './startMessagesServer.ts';

function isScript(value: unknown): value is Script {
  return typeof value === 'function';
}

/** Loads the script that FILE exports under the name `script`. */
async function loadScript(file: string): Promise<Script> {
  const loaded: unknown = await import(pathToFileURL(resolve(file)).href);
  const script: unknown = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'script') : undefined;
  if (!isScript(script)) throw new TypeError(`${file} exports no function named "script"`);
  return script;
}

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'api-key': { type: 'string' },
    script: { type: 'string' },
    'until-stdin-ends': { type: 'boolean', default: false },
  },
});

const server = await startMessagesServer({
  port: Number(values.port),
  ...(values['api-key'] === undefined ? {} : { apiKey: values['api-key'] }),
  ...(values.script === undefined ? {} : { script: await loadScript(values.script) }),
});
console.log(server.url);

const stop = (): void => {
  void server.close().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
if (values['until-stdin-ends']) process.stdin.resume().once('end', stop);
