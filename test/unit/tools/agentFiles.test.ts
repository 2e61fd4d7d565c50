import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readAgents } from '../../../src/tools/agentFiles.ts';

const tools = ['read', 'write'];

describe('the agents of a folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratchet-agents-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const file = (name: string, more = ''): string =>
    `---\nname: ${name}\ndescription: For ${name}.\n${more}---\nYou are it.\n`;

  it('are the built-in ones where there are no files', async () => {
    const { agents, problems } = await readAgents(folder, tools);
    assert.deepEqual([agents.map(({ name }) => name), problems], [['explore', 'work'], []]);
  });

  it('are those of both folders, by name, and the same on every look', async () => {
    await write('.claude/agents/z.md', file('zebra'));
    await write('.claude/agents/notes.txt', 'not one');
    await write('.ratchet/agents/a.md', file('ant', 'model: opus\ntools: Read\n'));
    const found = await readAgents(folder, tools);
    assert.deepEqual(
      found.agents.map(({ name }) => name),
      ['explore', 'work', 'ant', 'zebra'],
    );
    assert.match(found.agents[2]?.model ?? '', /^claude-opus-/);
    assert.deepEqual(found.problems, []);
    assert.deepEqual(await readAgents(folder, tools), found);
  });

  it('of .ratchet win over those of .claude', async () => {
    await write('.claude/agents/a.md', file('ant', 'model: theirs\n'));
    await write('.ratchet/agents/a.md', file('ant', 'model: ours\n'));
    const { agents, problems } = await readAgents(folder, tools);
    assert.deepEqual([agents.find(({ name }) => name === 'ant')?.model, problems], ['ours', []]);
  });

  it('that cannot be used cost themselves only, each with words', async () => {
    await write('.ratchet/agents/a.md', file('ant'));
    await write('.ratchet/agents/b.md', file('ant'));
    await write('.ratchet/agents/c.md', 'no fields');
    await write('.ratchet/agents/d.md', file('explore'));
    await write('.ratchet/agents/e.md', file('eel', 'tools: Read, WebSearch\n'));
    await write('.ratchet/agents/f.md', 'x'.repeat(300_000));
    await mkdir(join(folder, '.ratchet/agents/g.md'));
    execFileSync('mkfifo', [join(folder, '.ratchet/agents/h.md')]);
    const { agents, problems } = await readAgents(folder, tools);
    assert.deepEqual(
      agents.map(({ name }) => name),
      ['explore', 'work', 'ant', 'eel'],
    );
    const said = [
      /b\.md is left out: \.ratchet\/agents\/a\.md has the name "ant" already/,
      /c\.md is left out: It must begin with/,
      /d\.md is left out: "explore" is built in/,
      /e\.md: There is no tool WebSearch; it goes without/,
      /f\.md is left out: it is larger than 256 KB/,
      /g\.md is left out: it is not a file/,
      /h\.md is left out: it is not a file/,
    ];
    assert.equal(problems.length, said.length, problems.join('\n'));
    for (const [index, words] of said.entries()) assert.match(problems[index] ?? '', words);
  });

  it('behind a link that leads out are left out, and so is a whole folder of them', async () => {
    const secret = join(folder, '..', 'secret.md');
    await writeFile(secret, file('spy'));
    await write('.ratchet/agents/a.md', file('ant'));
    await symlink(secret, join(folder, '.ratchet/agents/b.md'));
    await symlink('/proc/self/environ', join(folder, '.ratchet/agents/c.md'));
    await mkdir(join(folder, '..', 'elsewhere'));
    await writeFile(join(folder, '..', 'elsewhere', 'e.md'), file('eel'));
    await mkdir(join(folder, '.claude'));
    await symlink('../../elsewhere', join(folder, '.claude/agents'));
    const { agents, problems } = await readAgents(folder, tools);
    assert.deepEqual(
      agents.map(({ name }) => name),
      ['explore', 'work', 'ant'],
    );
    assert.equal(problems.length, 3, problems.join('\n'));
    for (const [index, words] of [
      /^The agents in \.claude\/agents/,
      /b\.md is left out/,
      /c\.md is left out/,
    ].entries()) {
      assert.match(problems[index] ?? '', words);
      assert.match(problems[index] ?? '', /link that leads out/);
    }
  });
});
