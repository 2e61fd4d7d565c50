import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeLink } from '../../../src/core/webLinks.ts';
import { linkedFile } from '../../../src/tools/linkedFile.ts';

describe('a file that an answer links to', () => {
  let root = '';
  let folder = '';
  before(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'ratchet-links-')));
    folder = join(root, 'folder');
    await mkdir(join(folder, 'src'), { recursive: true });
    await mkdir(join(root, 'folder-2'));
    await writeFile(join(folder, 'src', 'a.ts'), '');
    await writeFile(join(folder, '..a'), '');
    await writeFile(join(root, 'secret'), '');
    await symlink(join(root, 'secret'), join(folder, 'innocent.md'));
    await symlink(root, join(folder, 'up'));
    await symlink('src/a.ts', join(folder, 'link.ts'));
    await symlink(folder, join(root, 'linked'));
  });
  after(() => rm(root, { recursive: true }));

  const cases: readonly (readonly [path: string, isInside: boolean])[] = [
    ['src/a.ts', true],
    ['./src/../src/a.ts', true],
    ['..a', true],
    ['link.ts', true],
    ['not/there.ts', true],
    ['innocent.md', false],
    ['up/secret', false],
    ['../secret', false],
    ['../folder-2/x', false],
    ['/etc/passwd', false],
    ['..', false],
    ['.', false],
    ['up/folder/src/a.ts', true],
  ];
  for (const [path, isInside] of cases) {
    it(`${path} is ${isInside ? 'in the folder' : 'asked about'}`, async () => {
      assert.equal((await linkedFile(folder, path)).isInside, isInside);
    });
  }

  it('is named by where it really is where that is outside, and by the path of the folder where it is inside', async () => {
    assert.equal((await linkedFile(folder, 'innocent.md')).path, join(root, 'secret'));
    assert.equal((await linkedFile(folder, 'link.ts')).path, join(folder, 'src', 'a.ts'));
    assert.deepEqual(await linkedFile(join(root, 'linked'), 'src/a.ts'), {
      path: join(root, 'linked', 'src', 'a.ts'),
      isInside: true,
    });
  });
});

describe('a web address that an answer links to', () => {
  const cases: readonly (readonly [href: string, kind: string])[] = [
    ['https://example.com/a?b=c', 'editorAsks'],
    ['http://example.com', 'editorAsks'],
    ['HTTPS://EXAMPLE.COM', 'editorAsks'],
    ['https://localhost.example.com', 'editorAsks'],
    ['http://localhost:8080/delete', 'ask'],
    ['http://127.0.0.1:9/', 'ask'],
    ['http://127.1/', 'ask'],
    ['http://[::1]:80/', 'ask'],
    ['http://0x7f000001/', 'ask'],
    ['http://a.localhost/', 'ask'],
    ['mailto:ada@example.com?body=x', 'ask'],
    ['command:workbench.action.terminal.new', 'never'],
    ['vscode://publisher.name/run', 'never'],
    ['vscode:extension/x', 'never'],
    ['file:///etc/passwd', 'never'],
    ['javascript:alert(1)', 'never'],
    ['data:text/html,x', 'never'],
    ['ssh://host', 'never'],
    ['//example.com', 'never'],
    ['not an address', 'never'],
    ['http://[::127.0.0.1]/', 'ask'],
    ['http://[::ffff:0:7f00:1]/', 'ask'],
    ['http://[64:ff9b::7f00:1]/', 'ask'],
    ['http://[64:ff9b:1::127.1.2.3]/', 'ask'],
    ['http://[2002:7f00:1::]/', 'ask'],
    ['http://[2002:7f00:1:2:3:4:5:6]/', 'ask'],
    ['http://ip6-localhost/', 'ask'],
    ['http://ip6-loopback:8080/', 'ask'],
    ['http://localhost.localdomain./', 'ask'],
    ['http://localhost6/', 'ask'],
    ['http://[64:ff9b::808:808]/', 'editorAsks'],
    ['http://[2001:db8::7f00:1]/', 'editorAsks'],
    ['http://[2001:db8:1:2:3:4:5:6]/', 'editorAsks'],
    ['http://notlocalhost/', 'editorAsks'],
  ];
  for (const [href, kind] of cases) {
    it(`${href}: ${kind}`, () => {
      assert.equal(judgeLink(href).kind, kind);
    });
  }
});
