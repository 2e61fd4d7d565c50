// Ways out of the sandbox, tried for real. What counts is what it looks like outside afterwards, not what the command says.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join, relative } from 'node:path';
import { hashBytes } from '../../src/tools/fileHash.ts';
import { openSandboxFixture, type SandboxFixture } from '../support/sandbox/sandboxFixture.ts';

interface Place extends SandboxFixture {
  /** Of a process outside. */
  readonly pid: number;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly address: string;
}

type Escape = readonly [name: string, command: (place: Place) => string];

/** A call of the system by its number, and what it came to. */
const syscall = (number: string, ...values: readonly (string | number)[]): string =>
  `perl -e '$r = syscall(${[number, ...values].join(', ')}); print $r < 0 ? "refused $!{EPERM} $!\\n" : "done\\n"'`;
const x64 = process.arch === 'x64';
const connectUnix = (name: string): string =>
  `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack("S a*", AF_UNIX, "${name}")) and syswrite(S, "hello")'`;
const connectTcp = (host: string, port: number): string =>
  `perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in(${port}, inet_aton("${host}"))) and syswrite(S, "hello")'`;
const sendUdp = (host: string, port: number): string =>
  `perl -MSocket -e 'socket(S, AF_INET, SOCK_DGRAM, 0); send(S, "hello", 0, sockaddr_in(${port}, inet_aton("${host}")))'`;

const files: readonly Escape[] = [
  ['a write beside the folder', ({ base }) => `echo x > ${base}/new; echo x > ${base}/victim`],
  ['a write by ..', ({ folder }) => `echo x > ../new; echo x > ${folder}/../victim; rm -rf ../home`],
  ['a link to a folder outside', ({ base }) => `ln -s ${base} out; echo x > out/new; rm -f out/victim`],
  ['a link to a file outside', ({ base }) => `ln -s ${base}/victim v; echo x > v; ln -s ${base}/new n; echo x > n`],
  [
    'a hard link of a file outside',
    ({ base }) => `ln ${base}/victim hard && echo x > hard; cp -l ${base}/victim h2; echo x > h2`,
  ],
  ['a move over a file outside', ({ base }) => `echo x > mine; mv mine ${base}/victim; mv ${base}/victim .`],
  [
    'the folder itself moved away',
    ({ folder }) => `mv ${folder} ${folder}.old; cd /; mv ${folder} ${folder}.old; rmdir ${folder}`,
  ],
  [
    'the start files of a shell',
    ({ home }) => `echo evil >> ${home}/.profile; echo evil > ${home}/.bashrc; mkdir -p ${home}/.config/autostart`,
  ],
  [
    'the system',
    () => 'echo x > /etc/ratchet-escape; echo x > /usr/bin/ratchet-escape; echo x >> /etc/passwd; rm -f /etc/hostname',
  ],
  ['a library for every program', ({ folder }) => `echo ${folder}/evil.so > /etc/ld.so.preload`],
  [
    'a job of cron or at',
    () =>
      '(echo "* * * * * touch /ratchet-escape") | crontab -; echo x > /var/spool/cron/crontabs/root; echo x > /etc/cron.d/x; echo touch /x | at now',
  ],
  [
    'the root of process 1',
    ({ base }) =>
      `echo x > /proc/1/root${base}/new; echo x > /proc/self/root${base}/new; cat /proc/1/root${base}/home/.ssh/id_ed25519`,
  ],
  [
    'the root and the folder of every process',
    ({ base }) =>
      `for p in /proc/[0-9]*; do echo x > $p/root${base}/new; echo x > $p/cwd/../new; cat $p/root${base}/home/.ssh/id_ed25519; done`,
  ],
  [
    'the files that every process has open',
    () =>
      'for f in /proc/[0-9]*/fd/*; do case $(readlink $f) in */jobs/*/output.log) ;; /*) echo x > $f;; esac; done; ls /proc/self/fd/1/..',
  ],
  [
    'a folder that is a path away from its output',
    () =>
      'cat "$(dirname "$(readlink /proc/self/fd/1)")"/job.json; echo x > "$(dirname "$(readlink /proc/self/fd/1)")"/exit.json',
  ],
];

const secrets: readonly Escape[] = [
  ['a private key', ({ home }) => `cat ${home}/.ssh/id_ed25519; ls -A ${home}/.ssh; tar cf - ${home}/.ssh | cat`],
  [
    'a private key by a link',
    ({ home }) => `ln -s ${home}/.ssh/id_ed25519 k; cat k; ln -s ${home} h; cat h/.ssh/*; cat h/.config/gh/*`,
  ],
  ['the token of a program', ({ home }) => `cat ${home}/.config/gh/hosts.yml; grep -r "the token" ${home}`],
  ['the environment', () => 'env; cat /proc/*/environ; cat /proc/self/environ'],
  [
    'the trace of another session',
    ({ base, otherStorage }) =>
      `cat ${otherStorage}/journal.jsonl; ls ${otherStorage}/..; find ${base} -name journal.jsonl -exec cat {} + 2>/dev/null`,
  ],
  [
    'the files of its own job',
    ({ storage }) =>
      `cat ${storage}/jobs/*/job.json; echo '{}' > ${storage}/jobs/new; for f in claim exit.json job.json code end; do echo x > ${storage}/jobs/x/$f; done; rm -rf ${storage}`,
  ],
  ['the passwords of the system', () => 'cat /etc/shadow /etc/gshadow; ls /etc/ssh/ssh_host*; cat /etc/ssl/private/*'],
  ['memory that is shared by name', () => 'cat /dev/shm/ratchet-*; ls /dev/shm'],
  [
    'a copy of what was hidden, by a mount of its own',
    ({ home }) =>
      `umount ${home}/.ssh; umount -l ${home}/.ssh; cat ${home}/.ssh/*; bwrap --bind / / cat ${home}/.ssh/id_ed25519`,
  ],
];

const obeyed: readonly Escape[] = [
  [
    'a hook of git',
    () =>
      'echo evil > .git/hooks/post-commit; chmod +x .git/hooks/post-commit; rm -rf .git/hooks; ln -sf /x .git/hooks/pre-push',
  ],
  [
    'the configuration of git',
    () =>
      'git config core.fsmonitor evil; echo "[core] fsmonitor = evil" >> .git/config; echo x > .git/config.worktree; echo ../evil > .git/commondir',
  ],
  [
    'another repository in its place',
    () => 'mv .git .git2; rm -rf .git; mkdir -p .git; git init -q --template=/dev/null .',
  ],
  [
    'the settings of the editor',
    () => 'echo "{}" > .vscode/tasks.json; rm -rf .vscode; mv .vscode x; mkdir -p .vscode/y; ln -sfn /tmp .vscode',
  ],
  [
    'the instructions of agents',
    () => 'echo evil >> AGENTS.md; rm -f AGENTS.md; mv AGENTS.md x; echo evil > y; mv -f y AGENTS.md',
  ],
  [
    'a program that runs as its owner',
    () =>
      'cp /bin/sh own; chmod 4755 own; chmod u+s own; perl -e \'sysopen(F, "own2", 65, 04755)\'; install -m 4755 /bin/sh own3',
  ],
];

const mounts: readonly Escape[] = [
  ['a remount', () => 'mount -o remount,rw /; mount -o remount,rw,bind /; echo x > /ratchet-escape'],
  [
    'a mount',
    ({ base, folder }) =>
      `mount --bind ${base} ${folder}/m; mount -t tmpfs x ${folder}; mount --move /tmp /mnt; ${syscall(x64 ? '165' : '40', '"/"', '"/mnt"', '""', 4096, 0)}`,
  ],
  [
    'a namespace of its own',
    ({ base }) =>
      `unshare -Urm sh -c 'mount -o remount,rw /; echo x > ${base}/new'; unshare -U true && echo x > made; ${syscall(x64 ? '272' : '97', 0x10000000)}`,
  ],
  [
    'a sandbox in the sandbox',
    ({ base }) =>
      `bwrap --dev-bind / / sh -c 'echo x > ${base}/new'; bwrap --unshare-user --bind / / sh -c 'echo x > ${base}/new'`,
  ],
  [
    'the namespaces of another process',
    () =>
      `nsenter -t 1 -a sh -c 'echo x > /ratchet-escape'; nsenter -t 1 -m true; ${syscall(x64 ? '308' : '268', 0, 0)}`,
  ],
  [
    'another root',
    () => `chroot . true; ${syscall(x64 ? '161' : '51', '"."')}; ${syscall(x64 ? '155' : '41', '"."', '"."')}`,
  ],
  [
    'a disk as a device',
    () =>
      'mknod disk b 8 0; mknod disk2 b 254 0; mknod mem c 1 1; cat disk mem | head -c 1; ls /dev/sd* /dev/vd* /dev/nvme*; echo x > /dev/vda',
  ],
  ['the memory of the machine', () => 'head -c 1 /dev/mem; head -c 1 /proc/kcore; echo x > /dev/kmsg'],
  ['a file by its handle', () => syscall(x64 ? '304' : '265', -100, 0, 0)],
];

const kernel: readonly Escape[] = [
  [
    'the program that takes core dumps',
    () => 'echo "|/tmp/evil" > /proc/sys/kernel/core_pattern; sysctl -w kernel.core_pattern=x',
  ],
  [
    'settings of the kernel',
    () =>
      'for f in /proc/sys/kernel/modprobe /proc/sys/kernel/hostname /proc/sys/vm/overcommit_memory /proc/sys/fs/binfmt_misc/register; do echo x > $f; done; echo b > /proc/sysrq-trigger',
  ],
  [
    'control groups',
    () =>
      'mkdir /sys/fs/cgroup/ratchet-escape /sys/fs/cgroup/*/ratchet-escape; for f in /sys/fs/cgroup/release_agent /sys/fs/cgroup/*/release_agent; do echo /tmp/evil > $f; done',
  ],
  [
    'the system by /sys',
    () => 'echo /tmp/evil > /sys/kernel/uevent_helper; echo mem > /sys/power/state; ls /sys/kernel/debug',
  ],
  [
    'the key rings of the kernel',
    () =>
      [syscall(x64 ? '248' : '217', '"user"', '"ratchet"', '"x"', 1, -3), syscall(x64 ? '250' : '219', 0, -3, 1)].join(
        '; ',
      ),
  ],
  ['the rings of io_uring', () => syscall('425', 8, '"\\0" x 120')],
  [
    'programs in the kernel',
    () =>
      [
        syscall(x64 ? '321' : '280', 0, '"\\0" x 64', 64),
        syscall(x64 ? '298' : '241', '"\\0" x 128', 0, -1, -1, 0),
      ].join('; '),
  ],
  [
    'input for a terminal',
    () =>
      `perl -e 'open(T, "<", "/dev/null"); $c = "x"; print ioctl(T, 0x5412, $c) ? "done\\n" : "refused $!{EPERM}\\n"'`,
  ],
  [
    'calls of another kind of machine',
    () => (x64 ? `perl -e 'print syscall(0x40000000 + 39) < 0 ? "refused $!{ENOSYS}\\n" : "done\\n"'` : 'true'),
  ],
];

const others: readonly Escape[] = [
  [
    'the end of a process outside',
    ({ pid }) =>
      `kill -9 ${pid}; kill -STOP ${pid}; pkill -9 sleep; perl -e 'kill 9, ${pid}'; ${syscall(x64 ? '434' : '434', pid, 0)}`,
  ],
  ['the end of all processes', () => '(sleep 5 & kill -9 -1); true'],
  [
    'the memory of a process outside',
    ({ pid }) =>
      `perl -e 'syscall(${x64 ? 101 : 117}, 16, ${pid}, 0, 0) == 0 and print "done\\n"'; echo x > /proc/${pid}/mem; gdb -p ${pid} -batch; strace -p ${pid}`,
  ],
  [
    'the priority and limits of a process outside',
    ({ pid }) => `renice -n 19 -p ${pid}; prlimit --pid ${pid} --nofile=1; echo 1000 > /proc/${pid}/oom_score_adj`,
  ],
  [
    'another user',
    () =>
      'sudo -n touch /ratchet-escape; su -c "touch /ratchet-escape"; pkexec touch /ratchet-escape; setpriv --reuid=1 touch /ratchet-escape',
  ],
  ['a socket with a path', ({ home }) => connectUnix(`${home}/service.sock`)],
  ['a socket with an abstract name', ({ base }) => connectUnix(`\\0${base}`)],
  [
    'a socket below /run',
    () =>
      'ls /run; for s in /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/user/*/bus; do test -S $s && echo done; done',
  ],
  [
    'a service of this machine',
    ({ tcpPort }) =>
      `${connectTcp('127.0.0.1', tcpPort)}; curl -s -m 2 http://127.0.0.1:${tcpPort}/; curl -s -m 2 http://localhost:${tcpPort}/`,
  ],
  [
    'a service of this machine by its address',
    ({ tcpPort, address }) => `${connectTcp(address, tcpPort)}; curl -s -m 2 http://${address}:${tcpPort}/`,
  ],
  [
    'a datagram',
    ({ udpPort, address }) =>
      `${sendUdp('127.0.0.1', udpPort)}; ${sendUdp(address, udpPort)}; ${sendUdp('255.255.255.255', udpPort)}`,
  ],
  [
    'a raw socket',
    () =>
      `perl -MSocket -e 'print socket(S, AF_INET, SOCK_RAW, 1) ? "done\\n" : "refused\\n"; print socket(P, 17, SOCK_RAW, 768) ? "done\\n" : "refused\\n"'`,
  ],
  ['a socket to the host of a virtual machine', () => `perl -e 'print socket(V, 40, 1, 0) ? "done\\n" : "refused\\n"'`],
  [
    'an interface of its own',
    ({ address }) =>
      `ip link add x type dummy && echo done; ip addr add ${address}/24 dev lo && echo done; ip link set lo down && echo done`,
  ],
];

const all = { files, secrets, obeyed, mounts, kernel, others };
const guarded = ['/proc/sys/kernel/core_pattern', '/proc/sys/vm/overcommit_memory', '/etc/passwd'];
const words = [
  'the private key',
  'the token',
  'what another session said',
  'the key of the environment',
  'shared secret',
];

(process.platform === 'linux' ? describe : describe.skip)('out of the sandbox', function () {
  this.timeout(60_000);
  let place: Place;
  let reached: string[];
  const owned: (() => unknown)[] = [];

  before(async () => {
    const fixture = await openSandboxFixture();
    const { base, home, folder } = fixture;
    owned.push(() => fixture.dispose());
    reached = [];
    writeFileSync(join(base, 'victim'), 'as it was\n');
    mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
    for (const [path, text] of [
      ['HEAD', 'ref: refs/heads/main\n'],
      ['config', '[core]\n\tbare = false\n'],
      ['hooks/post-commit.sample', 'x\n'],
    ] as const) {
      writeFileSync(join(folder, '.git', path), text);
    }
    for (const name of ['objects', 'refs']) mkdirSync(join(folder, '.git', name));
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(join(folder, '.vscode', 'settings.json'), '{}\n');
    writeFileSync(join(folder, 'AGENTS.md'), 'Be kind.\n');
    const shared = `/dev/shm/ratchet-${process.pid}`;
    writeFileSync(shared, 'shared secret\n');
    owned.push(() => rmSync(shared, { force: true }));
    const sleeper = spawn('sleep', ['600'], { stdio: 'ignore' });
    owned.push(() => sleeper.kill('SIGKILL'));
    const ports: number[] = [];
    for (const where of [join(home, 'service.sock'), `\0${base}`, 0] as const) {
      const server = createServer((socket) => {
        reached.push(String(where));
        socket.destroy();
      });
      if (where === 0) server.listen(0, '0.0.0.0');
      else server.listen(where);
      await once(server, 'listening');
      const address = server.address();
      if (typeof address === 'object' && address) ports.push(address.port);
      owned.push(() => server.close());
    }
    const udp = createSocket('udp4', () => reached.push('udp'));
    udp.bind(0, '0.0.0.0');
    await once(udp, 'listening');
    owned.push(() => udp.close());
    const own = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal);
    place = {
      ...fixture,
      ...{ pid: sleeper.pid ?? 0, tcpPort: ports[0] ?? 0, udpPort: udp.address().port },
      address: own?.address ?? '127.0.0.1',
    };
  });
  after(async () => {
    for (const dispose of owned.reverse()) await dispose();
  });

  beforeEach(() => {
    reached.length = 0;
  });

  it('nothing is tried that would not work outside: the services answer, the files can be read', async () => {
    const { jobs, folder, home, tcpPort } = place;
    await jobs.start({
      key: 'unconfined',
      cwd: folder,
      command: [
        connectUnix(`${home}/service.sock`),
        connectTcp('127.0.0.1', tcpPort),
        `cat ${home}/.ssh/id_ed25519`,
      ].join('; '),
    });
    const chunks: Uint8Array[] = [];
    await jobs.follow('unconfined', 0, (chunk) => void chunks.push(chunk), new AbortController().signal);
    assert.match(Buffer.concat(chunks).toString(), /the private key/);
    assert.deepEqual([...reached].sort(), [`${home}/service.sock`, '0'].sort());
  });

  for (const [kind, escapes] of Object.entries(all)) {
    for (const [name, command] of escapes) {
      it(`${kind}: ${name}`, async () => {
        const before = outside(place);
        const { output } = await place.run(`{ ${command(place)}\n} 2>&1; echo tried`);
        assert.deepEqual(outside(place), before);
        for (const word of words) assert.ok(!output.includes(word), `it read "${word}":\n${output}`);
        assert.ok(!/^done$/m.test(output), output);
        assert.deepEqual(reached, [], 'a service was reached');
        assert.match(readFileSync(`/proc/${place.pid}/stat`, 'utf8'), /^\d+ \(sleep\) S/);
        assert.match(readFileSync(`/proc/${place.pid}/status`, 'utf8'), /^TracerPid:\t0$/m);
      });
    }
  }
});

/** All that must not change, in one value. */
function outside({ base, folder, storage }: Place): unknown {
  const looked: Record<string, string> = {};
  const own = [join(storage, 'tmp'), join(storage, 'jobs')];
  const walk = (path: string): void => {
    if (own.includes(path)) return;
    const found = lstatSync(path);
    const name = relative(base, path);
    // What is in the folder is the command's own, but for what is obeyed; no program of it may run as its owner.
    const isOwn = path.startsWith(`${folder}/`) && !/^folder\/(\.git|\.vscode|AGENTS\.md)(\/|$)/.test(name);
    if (isOwn && (found.mode & 0o4000) !== 0) looked[name] = 'runs as its owner';
    if (!isOwn) looked[name] = describeFile(path);
    if (found.isDirectory()) for (const each of readdirSync(path)) walk(join(path, each));
  };
  walk(base);
  for (const file of guarded) looked[file] = readFileSync(file, 'utf8');
  for (const folderOf of ['/', '/etc', '/usr/bin', '/etc/cron.d']) {
    looked[folderOf] = names(folderOf);
  }
  return looked;
}

function names(path: string): string {
  try {
    return readdirSync(path).sort().join(' ');
  } catch {
    return '';
  }
}

function describeFile(path: string): string {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return readlinkSync(path);
  return found.isFile() ? `${found.mode.toString(8)} ${hashBytes(readFileSync(path))}` : found.mode.toString(8);
}
