import assert from 'node:assert/strict';
import type { Confinement } from '../../../src/core/confinement.ts';
import { sandboxRefusals } from '../../../src/tools/sandboxRefusals.ts';

const confinement: Confinement = {
  ...{ program: '/usr/bin/bwrap', folder: '/home/ada/job', temporary: '/s/tmp', home: '/home/ada' },
  ...{ hidden: ['/home/ada/.config/Code'], writable: [], domains: [] },
};

describe('what the sandbox refused, by the output of a command', () => {
  const outside = (path: string): string => `It tried to write ${path}, which is outside the folder.`;
  const told: readonly (readonly [output: string, words: readonly string[]])[] = [
    ['/bin/bash: line 1: /etc/x: Read-only file system', [outside('/etc/x')]],
    ["touch: cannot touch '/etc/my file': Read-only file system", [outside('/etc/my file')]],
    ["Error: EROFS: read-only file system, open '/home/ada/.npm/x'", [outside('/home/ada/.npm/x')]],
    ["OSError: [Errno 30] Read-only file system: '/home/ada/.cache/x'", [outside('/home/ada/.cache/x')]],
    ['open /home/ada/.cache/go-build/1: read-only file system', [outside('/home/ada/.cache/go-build/1')]],
    [
      'error: could not lock config file .git/config: Read-only file system',
      ['It tried to write .git/config, which is protected: programs outside the sandbox run or obey it.'],
    ],
    [
      "fatal: Unable to create '/home/ada/job/.git/index.lock': Read-only file system",
      ['It tried to write .git/index.lock, which is protected: programs outside the sandbox run or obey it.'],
    ],
    ['curl: (6) Could not resolve host: example.com', ['It tried to reach example.com.']],
    [
      'npm error request to https://x failed, reason: getaddrinfo EAI_AGAIN registry.example.com',
      ['It tried to reach registry.example.com.'],
    ],
    [
      'ssh: Could not resolve hostname git.example.com: Temporary failure in name resolution',
      ['It tried to reach git.example.com.'],
    ],
    ['ping: connect: Network is unreachable', ['It tried to use the network.']],
    ['sudo: The "no new privileges" flag is set', ['It tried to become another user.']],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', ['It tried to reach the Docker daemon.']],
    ['cat: /etc/shadow: Permission denied', ['It was denied /etc/shadow, which is outside the folder.']],
    [
      "cat: '/home/ada/.config/Code/x': No such file or directory",
      ['It looked for /home/ada/.config/Code/x, which is not there inside the sandbox.'],
    ],
  ];
  for (const [output, words] of told) {
    it(`"${output.slice(0, 60)}"`, () => {
      assert.deepEqual(sandboxRefusals(`before\n${output}\nafter\n`, confinement), words);
    });
  }

  const silent = [
    '1 test failed',
    'cat: missing.txt: No such file or directory',
    './x: Permission denied',
    'make: *** [all] Error 2',
  ];
  for (const output of silent) {
    it(`nothing for "${output}"`, () => {
      assert.deepEqual(sandboxRefusals(output, confinement), []);
    });
  }

  it('in no more words than can be read, however much was refused', () => {
    const output = Array.from({ length: 5_000 }, (_, n) => `cp: cannot create '/etc/${n}': Read-only file system`).join(
      '\n',
    );
    assert.equal(sandboxRefusals(output, confinement).length, 3);
  });
});
