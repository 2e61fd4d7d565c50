import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../../src/platform/processIdentity.ts';
import { isAllowedHost, startDomainProxy } from '../../../src/jobs/domainProxy.ts';
import { readClaim, readJob } from '../../../src/jobs/jobRecords.ts';
import { readProcessTable } from '../../../src/jobs/processTable.ts';
import { openSandboxFixture, type SandboxFixture } from '../../support/sandbox/sandboxFixture.ts';
import { until } from './jobsFixture.ts';

(process.platform === 'linux' ? describe : describe.skip)('a confined command', function () {
  this.timeout(60_000);
  let fixture: SandboxFixture;
  beforeEach(async () => {
    fixture = await openSandboxFixture();
  });
  afterEach(() => fixture.dispose());

  it('writes in the folder, with its output and its exit code as ever', async () => {
    const { exit, output } = await fixture.run('echo out; echo err >&2; pwd; echo made > made.txt; exit 7');
    assert.equal(exit.code, 7);
    assert.equal(exit.reason, 'exited');
    assert.equal(output, `out\nerr\n${fixture.folder}\n`);
    assert.equal(readFileSync(join(fixture.folder, 'made.txt'), 'utf8'), 'made\n');
  });

  it('is told by its signal when it dies by one', async () => {
    const { exit } = await fixture.run('kill -9 $$');
    assert.deepEqual([exit.code, exit.signal, exit.reason], [137, 'SIGKILL', 'signalled']);
  });

  it('has a temporary folder of its session, which the next command finds again', async () => {
    await fixture.run('echo kept > /tmp/kept; echo more > "$TMPDIR/more"');
    const { output } = await fixture.run('cat /tmp/kept /tmp/more');
    assert.equal(output, 'kept\nmore\n');
    assert.equal(existsSync('/tmp/kept'), false);
  });

  it('leaves no folder behind that stood in for a missing one', async () => {
    const { output, exit } = await fixture.run('ls -A; mkdir .vscode/x; git init 2>&1; touch .git/config');
    assert.notEqual(exit.code, 0);
    assert.match(output, /^\.claude\n(?:.*\n)*\.git\n(?:.*\n)*\.vscode\nAGENTS\.md\n(?:.*\n)*refs\n/);
    assert.deepEqual(readdirSync(fixture.folder), []);
  });

  it('keeps the place of a missing folder while another command is in its sandbox', async () => {
    await fixture.start('long', 'echo ready > ready; while [ ! -e done ]; do sleep 0.05; done; mkdir .vscode/x');
    await until(() => existsSync(join(fixture.folder, 'ready')));
    await fixture.run('true');
    assert.ok(existsSync(join(fixture.folder, '.vscode')), 'the place is still taken');
    writeFileSync(join(fixture.folder, 'done'), '');
    const exit = await fixture.jobs.follow('long', 0, () => undefined, new AbortController().signal);
    assert.notEqual(exit.code, 0);
    assert.equal(existsSync(join(fixture.folder, '.vscode')), false);
  });

  it('goes on without its supervisor, and its code is known', async () => {
    await fixture.start('alone', 'echo ready > ready; while [ ! -e done ]; do sleep 0.05; done; exit 3');
    await until(() => existsSync(join(fixture.folder, 'ready')));
    const claim = await readClaim(fixture.files('alone'));
    assert.ok(typeof claim !== 'string');
    process.kill(claim.process.pid, 'SIGKILL');
    await until(async () => !(await isAlive(claim.process)));
    assert.equal((await fixture.jobs.find('alone')).status, 'running');
    writeFileSync(join(fixture.folder, 'done'), '');
    await until(async () => (await fixture.jobs.find('alone')).status === 'finished');
    const state = await fixture.jobs.find('alone');
    assert.equal(state.status === 'finished' && state.exit.code, 3);
    assert.deepEqual(readdirSync(fixture.folder).sort(), ['done', 'ready']);
  });

  it('is ended whole by Stop, with what left its group, its session and its environment', async () => {
    const daemon = `setsid env -i /bin/sh -c 'while :; do echo beat >> beats; sleep 0.05; done' &`;
    await fixture.start('tree', `${daemon} while :; do sleep 1; done`);
    await until(() => existsSync(join(fixture.folder, 'beats')));
    const exit = await fixture.jobs.end('tree');
    assert.equal(exit.reason, 'ended');
    const job = await readJob(fixture.files('tree'));
    assert.ok(typeof job !== 'string');
    const left = (await readProcessTable(job.mark)).filter(({ marked }) => marked);
    assert.deepEqual(left, []);
    const beats = readFileSync(join(fixture.folder, 'beats'), 'utf8');
    await fixture.run('sleep 0.3');
    assert.equal(readFileSync(join(fixture.folder, 'beats'), 'utf8'), beats);
  });

  it('is ended by Stop also after its shell has ended and a daemon of it lives on', async () => {
    const daemon = `setsid env -i /bin/sh -c 'while :; do echo beat >> beats; sleep 0.05; done' </dev/null >/dev/null 2>&1 &`;
    await fixture.run(`${daemon} while [ ! -e beats ]; do sleep 0.05; done`);
    const before = readFileSync(join(fixture.folder, 'beats'), 'utf8');
    await until(() => readFileSync(join(fixture.folder, 'beats'), 'utf8') !== before);
    await fixture.jobs.end('command-1');
    const beats = readFileSync(join(fixture.folder, 'beats'), 'utf8');
    await fixture.run('sleep 0.3');
    assert.equal(readFileSync(join(fixture.folder, 'beats'), 'utf8'), beats);
  });

  it('is not run at all where its sandbox can not be made', async () => {
    const { exit } = await fixture.run('touch ran', { program: '/bin/false' });
    assert.equal(exit.reason, 'spawn_failed');
    assert.match(exit.message ?? '', /The sandbox could not be made, so the command was not run/);
    const home = await fixture.run('touch ran', { home: join(fixture.folder, 'x') });
    assert.equal(home.exit.reason, 'spawn_failed');
    assert.match(home.exit.message ?? '', /holds the home folder, with its keys/);
    assert.deepEqual(readdirSync(fixture.folder), []);
  });

  it('reaches the hosts that are allowed, by a proxy outside, and is told on which others it was refused', async () => {
    const server = createServer((_asked, answer) => answer.end('the page\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const ask = (line: string): string =>
      `exec 3<>/dev/tcp/127.0.0.1/3128; printf '${line} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&3; `;
    const get = `printf 'GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3`;
    try {
      const { output, exit } = await fixture.run(
        [
          `${ask(`GET http://127.0.0.1:${port}/`)} cat <&3`,
          `${ask(`CONNECT 127.0.0.1:${port}`)} read -r line <&3; echo "$line"; ${get}`,
          `${ask('CONNECT example.com:443')} cat <&3`,
          `${ask('GET http://other.example.com:8080/')} cat <&3`,
          `echo "proxy $HTTPS_PROXY"; exec 4<>/dev/tcp/127.0.0.1/${port} && echo direct; exit 5`,
        ].join('; '),
        { domains: [`127.0.0.1:${port}`] },
      );
      assert.equal(output.match(/the page/g)?.length, 2, output);
      assert.match(output, /200 Connection established/);
      assert.match(output, /403 Forbidden/);
      assert.match(output, /proxy http:\/\/127\.0\.0\.1:3128/);
      assert.ok(!output.includes('direct'));
      assert.equal(exit.code, 5);
      assert.deepEqual(exit.refusedHosts, ['example.com', 'other.example.com:8080']);
    } finally {
      server.close();
    }
  });

  it('is ended whole by Stop with the way to the network open', async () => {
    await fixture.start('net', 'echo ready > ready; sleep 600', { domains: ['example.com'] });
    await until(() => existsSync(join(fixture.folder, 'ready')));
    assert.equal((await fixture.jobs.end('net')).reason, 'ended');
    const job = await readJob(fixture.files('net'));
    assert.ok(typeof job !== 'string');
    assert.deepEqual(
      (await readProcessTable(job.mark)).filter(({ marked }) => marked),
      [],
    );
  });

  it('is not run when its record can not be read', async () => {
    await fixture.start('damaged', 'true');
    await until(async () => (await fixture.jobs.find('damaged')).status === 'finished');
    const path = fixture.files('damaged').job;
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/"writable":\[\]/, '"writable":"all"'));
    assert.equal(await readJob(fixture.files('damaged')), 'unreadable');
    writeFileSync(path, text);
  });
});

describe('the domains that a sandbox may reach', () => {
  const cases: readonly (readonly [host: string, port: number, domains: readonly string[], isAllowed: boolean])[] = [
    ['example.com', 443, ['example.com'], true],
    ['EXAMPLE.com.', 80, ['Example.com '], true],
    ['example.com', 22, ['example.com'], false],
    ['example.com', 8443, ['example.com:8443'], true],
    ['example.com', 443, ['example.com:8443'], false],
    ['a.example.com', 443, ['example.com'], false],
    ['a.example.com', 443, ['*.example.com'], true],
    ['a.b.example.com', 443, ['*.example.com'], true],
    ['example.com', 443, ['*.example.com'], false],
    ['badexample.com', 443, ['*.example.com', 'example.com'], false],
    ['example.com.evil.org', 443, ['*.example.com', 'example.com'], false],
    ['anything.org', 443, ['*', '*.', ''], false],
  ];
  for (const [host, port, domains, isAllowed] of cases) {
    it(`${host}:${port} is ${isAllowed ? '' : 'not '}among ${domains.join(' ')}`, () => {
      assert.equal(isAllowedHost(host, port, domains), isAllowed);
    });
  }

  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '192.168.1.1',
    '::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    'fec0::1',
  ]) {
    it(`a name that leads to ${address} is not followed`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'ratchet-proxy-'));
      const socketPath = join(folder, 'proxy');
      const proxy = await startDomainProxy({
        socketPath,
        domains: ['inner.example.com'],
        resolve: async () => [address],
      });
      try {
        const asked = request({ socketPath, path: 'http://inner.example.com/' }).end();
        const [answer] = (await once(asked, 'response')) as [IncomingMessage];
        answer.resume();
        assert.equal(answer.statusCode, 403);
        assert.deepEqual(proxy.refused(), ['inner.example.com']);
      } finally {
        proxy.close();
        rmSync(folder, { recursive: true });
      }
    });
  }
});
