import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { ToolInputError } from '../../../src/runner/ports.ts';
import { createGlobTool } from '../../../src/tools/globTool.ts';
import { createGrepTool } from '../../../src/tools/grepTool.ts';
import { createReadTool } from '../../../src/tools/readTool.ts';
import { resultLimit, resultText } from '../../../src/tools/resultText.ts';
import { RunStopped } from '../../../src/runner/runStopped.ts';
import { call, createToolFolder, cutStep, type ToolFolder } from './toolFolder.ts';

describe('tools that only look', () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(() => folder.remove());
  const read = (input: Record<string, unknown>) => call(createReadTool(), input, folder.context());

  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    Buffer.alloc(1222),
  ]);
  const contents: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['a text', 'one\ntwo\n', /^one\ntwo\n$/],
    ['an empty file', '', /^\(empty file\)$/],
    ['white space', ' \n ', /^\(empty file, only white space\)$/],
    ['a picture', png, /^\(file is a PNG picture, 1,234 bytes; its content is not shown\)$/],
    ['a binary file', new Uint8Array(20), /^\(file is a binary file, 20 bytes;/],
    ['what is not UTF-8', new Uint8Array([0x61, 0xff, 0x62]), /^a\uFFFDb$/],
  ];
  for (const [what, content, expected] of contents) {
    it(`reads ${what}`, async () => {
      await folder.put('file', content);
      const result = await read({ file_path: 'file' });
      assert.equal(result.outcome, 'succeeded');
      assert.match(result.content, expected);
    });
  }

  it('reads a range of lines', async () => {
    await folder.put('file', 'one\ntwo\nthree\n');
    assert.equal((await read({ file_path: 'file', view_range: [2, 3] })).content, 'two\nthree');
    assert.equal((await read({ file_path: 'file', view_range: [9, 12] })).content, '(no text in these lines)');
  });

  it('cuts a long file between characters and says how much is left', async () => {
    const face = '😀';
    await folder.put('long', `x${face.repeat(20_000)}\nend\n`);
    const { content } = await read({ file_path: 'long' });
    const [shown = '', left = ''] = content.split('\n');
    assert.ok(content.isWellFormed());
    assert.match(shown, /^x(😀)+$/u);
    assert.ok(Buffer.byteLength(shown) <= resultLimit && Buffer.byteLength(shown) > resultLimit - 4);
    const bytesLeft = 80_006 - Buffer.byteLength(shown);
    assert.equal(
      left,
      `[${bytesLeft.toLocaleString('en-US')} more bytes, 2 line breaks, left out; use view_range to read it]`,
    );
  });

  for (const [what, file_path, told] of [
    ['a file that is not there', 'nope.txt', /no such file/],
    ['a folder', '.', /not a regular file/],
    ['a pipe, without waiting for a writer', 'pipe', /not a regular file/],
  ] as const) {
    it(`fails on ${what}`, async () => {
      execFileSync('mkfifo', [folder.at('pipe')]);
      const result = await read({ file_path });
      assert.equal(result.outcome, 'failed');
      assert.match(result.content, told);
      assert.ok(!result.content.includes(folder.base));
    });
  }

  for (const input of [
    {},
    { file_path: '' },
    { file_path: 7 },
    { file_path: 'a\0b' },
    { file_path: 'a', view_range: ['x'] },
  ]) {
    it(`refuses the input ${JSON.stringify(input)} with the field's name`, async () => {
      await assert.rejects(
        read(input),
        (error) => error instanceof ToolInputError && /file_path|view_range/.test(error.message),
      );
    });
  }

  it('lists and searches with paths relative to the folder', async () => {
    await folder.put('src/a.ts', 'const needle = 1;\n');
    await folder.put('src/b.ts', 'other\n');
    const glob = await call(createGlobTool(), { pattern: '**/*.ts' }, folder.context());
    assert.deepEqual(glob.content.split('\n').sort(), ['src/a.ts', 'src/b.ts']);
    const grep = await call(createGrepTool(), { pattern: 'need.e' }, folder.context());
    assert.equal(grep.content.trimEnd(), 'src/a.ts:1:const needle = 1;');
  });

  it('says so when nothing matches', async () => {
    assert.equal((await call(createGlobTool(), { pattern: '*.zig' }, folder.context())).content, '(no matches)');
    assert.equal((await call(createGrepTool(), { pattern: 'zig' }, folder.context())).content, '(no matches)');
  });

  it('fails on a pattern that is no regular expression', async () => {
    const result = await call(createGrepTool(), { pattern: '(' }, folder.context());
    assert.equal(result.outcome, 'failed');
    assert.match(result.content, /regex/);
  });

  it('is run again after an interruption', async () => {
    const tool = createReadTool();
    const context = folder.context();
    const plan = await tool.plan({ file_path: 'a' }, context);
    assert.deepEqual(await tool.recover(cutStep(tool, { file_path: 'a' }, plan, context), context), { kind: 'rerun' });
  });

  for (const [kind, outcome] of [
    ['user', 'not_started'],
    ['user_keep_command', 'not_started'],
    ['time_limit', 'not_started'],
  ] as const) {
    it(`does not begin after a stop (${kind})`, async () => {
      const result = await call(
        createReadTool(),
        { file_path: 'a' },
        folder.context({ signal: AbortSignal.abort(new RunStopped(kind)) }),
      );
      assert.equal(result.outcome, outcome);
    });
  }

  it('leaves its step open on a shutdown', async () => {
    const reason = new RunStopped('shutdown');
    const context = folder.context({ signal: AbortSignal.abort(reason) });
    await assert.rejects(call(createGrepTool(), { pattern: 'a' }, context), (error) => error === reason);
  });

  it('ends a search that is stopped in the middle', async () => {
    await folder.put('file', 'needle\n'.repeat(50_000));
    const stop = new AbortController();
    const plan = await createGrepTool().plan({ pattern: '(a+)+$' }, folder.context({ signal: stop.signal }));
    const ended = plan.execute();
    stop.abort(new RunStopped('user'));
    assert.equal((await ended).outcome, 'cancelled');
  });
});

describe('resultText', () => {
  it('is never empty, holds no NUL and no lone surrogate', () => {
    assert.equal(resultText('', '(nothing)'), '(nothing)');
    assert.equal(resultText('a\0b\ud83d', '(nothing)'), 'a\uFFFDb\uFFFD');
  });
});
