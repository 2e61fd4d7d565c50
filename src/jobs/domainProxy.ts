// The only way from a sandbox to the network: an HTTP proxy on a socket with a path, which lives as long as the job's supervisor and
// lets through what the user allowed by domain. It sees names, never contents.

import { lookup } from 'node:dns/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { BlockList, connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { systemErrorCode } from '../platform/systemError.ts';

export interface DomainProxy {
  /** Hosts that were asked for and are not allowed, each once, in the order in which they were asked for. */
  readonly refused: () => readonly string[];
  readonly close: () => void;
}

export interface DomainProxyOptions {
  readonly socketPath: string;
  /** `example.com`, or `*.example.com` for all names below it; with `:port` for another port than 80 and 443. */
  readonly domains: readonly string[];
  /** The addresses of a name; by default those of the system. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const webPorts: readonly number[] = [80, 443];
/** More names of refused hosts are not kept. */
const refusedLimit = 20;
const noSuchDomain = 'is not among the domains that are allowed in the sandbox (ratchet.sandbox.allowedDomains)';

/** Addresses of this machine and of its own network: a public name that leads there is not followed. */
const inner = new BlockList();
for (const [address, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ] as const),
]) {
  inner.addSubnet(address, bits, 'ipv4');
}
for (const [address, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  // What carries an address of the older kind inside leads wherever that one does.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
] as const) {
  inner.addSubnet(address, bits, 'ipv6');
}

/** Whether a host and port are covered by an entry. */
export function isAllowedHost(host: string, port: number, domains: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return domains.some((entry) => {
    const [, domain = '', ownPort] = /^(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? [];
    if (ownPort === undefined ? !webPorts.includes(port) : Number(ownPort) !== port) return false;
    return domain.startsWith('*.') ? domain.length > 2 && name.endsWith(domain.slice(1)) : domain === name;
  });
}

/** Listens at `socketPath`; rejects when it can't. */
export async function startDomainProxy(options: DomainProxyOptions): Promise<DomainProxy> {
  const { socketPath, domains } = options;
  const refused: string[] = [];
  const open = new Set<Duplex>();
  const keep = <T extends Duplex>(socket: T): T => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    return socket;
  };
  /** An address to go to; undefined, and noted, when the host is not allowed. */
  const addressOf = async (host: string, port: number): Promise<string | undefined> => {
    if (isAllowedHost(host, port, domains)) {
      const address = await firstAddress(host, options);
      if (address !== undefined) return address;
    }
    const name = webPorts.includes(port) ? host : `${host}:${String(port)}`;
    if (!refused.includes(name) && refused.length < refusedLimit) refused.push(name);
    return undefined;
  };

  const tunnel = async (asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    keep(client);
    const target = parseTarget(`http://${asked.url ?? ''}`, 443);
    const address = target && (await addressOf(target.host, target.port));
    if (!target || address === undefined) {
      client.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n${asked.url ?? ''} ${noSuchDomain}\n`);
      return;
    }
    const server: Socket = keep(connect(target.port, address));
    server.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) server.write(head);
      client.pipe(server).pipe(client);
    });
    server.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n'));
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  };
  const plain = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const target = parseTarget(asked.url ?? '', 80);
    const address = target && (await addressOf(target.host, target.port));
    if (!target || address === undefined) {
      answer.writeHead(403, { connection: 'close' }).end(`${target?.host ?? 'This'} ${noSuchDomain}\n`);
      return;
    }
    const { 'proxy-connection': _connection, 'proxy-authorization': _authorization, ...headers } = asked.headers;
    const onward = request(
      { host: address, port: target.port, method: asked.method, path: target.path, headers, setHost: false },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      },
    );
    onward.on('error', () => {
      if (!answer.headersSent) answer.writeHead(502);
      answer.end();
    });
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  };

  const server = createServer((asked, answer) => void plain(asked, answer).catch(() => answer.destroy()));
  server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    void tunnel(asked, client, head).catch(() => client.destroy());
  });
  server.on('clientError', (_error, client) => client.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socketPath, resolve);
  });
  return {
    refused: () => refused,
    close: () => {
      server.close();
      server.closeAllConnections();
      for (const socket of open) socket.destroy();
    },
  };
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

function parseTarget(url: string, usualPort: number): Target | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname, search } = new URL(url);
  if (protocol !== 'http:' || hostname === '') return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  // A port that is the usual one of http is left out by the parser.
  const written = /^http:\/\/[^/]*:80(?:\/|$)/.test(url) ? 80 : usualPort;
  return { host, port: port === '' ? written : Number(port), path: `${pathname}${search}` };
}

/** A name that leads into this machine or its network was not what the user allowed; an address that is an entry itself was. */
async function firstAddress(host: string, { resolve }: DomainProxyOptions): Promise<string | undefined> {
  if (isIP(host) !== 0) return host;
  const addresses = resolve ? await resolve(host) : await addressesOf(host);
  return addresses.every((address) => !isInner(address)) ? addresses[0] : undefined;
}

function isInner(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return inner.check(mapped, 'ipv4');
  return inner.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}
