import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { FinishedStep } from '../../../src/core/sessionState.ts';
import { ToolInputError, type Tool, type ToolResult } from '../../../src/runner/ports.ts';
import { createEditTool } from '../../../src/tools/editTool.ts';
import { createReadTool } from '../../../src/tools/readTool.ts';
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { createToolFolder, type ToolFolder } from './toolFolder.ts';

describe('a file that is changed by the agent', () => {
  let folder: ToolFolder;
  let done: FinishedStep[];
  beforeEach(async () => {
    folder = await createToolFolder();
    done = [];
    await folder.put('a.txt', 'one\ntwo\n');
  });
  afterEach(() => folder.remove());

  /** Makes a call as the runner does, and keeps what it records. */
  async function made(tool: Tool, input: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const id = `toolu_${String(done.length)}`;
    const context = folder.context({ stepId: id, done: () => done });
    const plan = await tool.plan(input, context);
    const result = await plan.execute();
    const base = { id, runId: 'run', tool: tool.definition.name, input, startedAt: 1, finishedAt: 2 };
    const end = {
      outcome: result.outcome,
      content: result.content,
      isError: result.outcome !== 'succeeded',
      ...(result.seen && { seen: [...result.seen] }),
      ...(result.artifacts && { artifacts: [...result.artifacts] }),
    };
    done.push({ ...base, ...(plan.intent && { intent: plan.intent }), status: 'finished', result: end });
    return result;
  }
  const read = () => made(createReadTool(), { file_path: 'a.txt' });
  const edit = (from: string, to: string) =>
    made(createEditTool(), { file_path: 'a.txt', old_string: from, new_string: to });
  const write = (content: string) => made(createWriteTool(), { file_path: 'a.txt', content });
  const text = () => readFile(folder.at('a.txt'), 'utf8');
  const refuses = (call: Promise<unknown>, words: RegExp) =>
    assert.rejects(call, (error) => {
      assert.ok(error instanceof ToolInputError);
      assert.match(error.message, words);
      return true;
    });
  const changed = /^a\.txt has changed since you read it; by whom is not known\. Read it again/;

  it('is changed when it is as it was read, again and again', async () => {
    await read();
    await edit('one', '1');
    await edit('two', '2');
    await write('3\n');
    await edit('3', '4');
    assert.equal(await text(), '4\n');
  });

  it('is not changed when someone changed it since; it is when it was read again', async () => {
    await read();
    await folder.put('a.txt', 'one\ntwo\nby hand\n');
    await refuses(edit('one', '1'), changed);
    await refuses(write('all\n'), changed);
    assert.equal(await text(), 'one\ntwo\nby hand\n');
    await read();
    await edit('one', '1');
    assert.equal(await text(), '1\ntwo\nby hand\n');
  });

  it('is not changed when a command of the agent changed it: its content was not seen', async () => {
    await read();
    const content = 'by a command\n';
    await folder.put('a.txt', content);
    done.push({
      ...{ id: 'toolu_command', runId: 'run', tool: 'run_command', input: {}, status: 'finished' },
      ...{ intent: { kind: 'job', key: 'k', command: 'make' }, startedAt: 1, finishedAt: 2 },
      result: {
        ...{ outcome: 'succeeded', content: '', isError: false },
        artifacts: [{ path: 'a.txt', change: 'changed', size: content.length, sha256: 'x' }],
      },
    });
    await refuses(edit('by', 'from'), changed);
  });

  it('is not written over unread; it is edited where the text to replace is found', async () => {
    await refuses(write('all\n'), /^a\.txt exists, and you have not read it in this session\. Read it first/);
    assert.equal(await text(), 'one\ntwo\n');
    await edit('one', '1');
    // Whoever edits it knows it from then on.
    await write('all\n');
    assert.equal(await text(), 'all\n');
  });

  it('is written with the content it has, which changes nothing', async () => {
    const result = await write('one\ntwo\n');
    assert.equal(result.outcome, 'succeeded');
  });

  it('counts as seen when a part was read, and when it is named as a picture', async () => {
    await made(createReadTool(), { file_path: 'a.txt', view_range: [1, 1] });
    await write('all\n');
    await folder.put('b.bin', new Uint8Array([0, 1, 2]));
    await made(createReadTool(), { file_path: 'b.bin' });
    await made(createWriteTool(), { file_path: 'b.bin', content: 'text now' });
    assert.equal(await readFile(folder.at('b.bin'), 'utf8'), 'text now');
  });

  it('is not known by a change that failed, nor by a look at a file that is not there', async () => {
    await read();
    const input = { file_path: 'a.txt', old_string: 'one', new_string: '1' };
    const plan = await createEditTool().plan(input, folder.context({ done: () => done }));
    await folder.put('a.txt', 'by hand');
    const { outcome, content } = await plan.execute();
    assert.equal(outcome, 'failed');
    done.push({
      ...{ id: 'toolu_failed', runId: 'run', tool: 'edit', input, status: 'finished', startedAt: 1, finishedAt: 2 },
      ...(plan.intent && { intent: plan.intent }),
      result: { outcome, content, isError: true },
    });
    await refuses(edit('by', 'from'), changed);
    // What it would have made was made by somebody else.
    await folder.put('a.txt', '1\ntwo\n');
    await refuses(edit('1', 'one'), changed);
    assert.equal((await made(createReadTool(), { file_path: 'none.txt' })).seen, undefined);
  });
});
