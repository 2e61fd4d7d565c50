// The end of the network inside of a sandbox: takes connections on the loopback interface there, hands them to the proxy outside by a
// socket with a path, and runs the command beside. The supervisor's own script in another role.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

/** The role, as the supervisor script's third argument. */
export const forwardRole = 'forward';
/** Nothing else listens on the interface of a new network namespace. */
const port = 3128;

/** What programs find the proxy by. */
function proxyEnvironment(): Record<string, string> {
  const address = `http://127.0.0.1:${String(port)}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  const none = 'localhost,127.0.0.1,::1';
  return {
    ...Object.fromEntries(names.map((name) => [name, address])),
    ...{ NO_PROXY: none, no_proxy: none, NODE_USE_ENV_PROXY: '1' },
  };
}

/** Runs a command with the network that the proxy gives. Returns the code to exit with. */
export async function runForwarder(socketPath: string, shell: string, command: string): Promise<number> {
  const server = createServer((client) => {
    const proxy = connect(socketPath);
    client.on('error', () => proxy.destroy()).on('close', () => proxy.destroy());
    proxy.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(proxy).pipe(client);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const env = { ...process.env, ...proxyEnvironment() };
  // Meant for this process, not for the command.
  delete env.ELECTRON_RUN_AS_NODE;
  const child = spawn(shell, ['-c', command], { env, stdio: 'inherit' });
  await once(child, 'exit');
  return child.exitCode ?? 128 + (child.signalCode === null ? 0 : constants.signals[child.signalCode]);
}
