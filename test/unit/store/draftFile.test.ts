import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DraftFiles } from '../../../src/store/draftFile.ts';
import { eventually } from '../../support/session/eventually.ts';

const id = '01M8ZZZZZZZZZZZZZZZZZZZZ01';
const send = { id, sessionId: 's1', text: 'Do it.', at: 7 };

describe('drafts on the disk', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ratchet-drafts-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  const place = (name = 'own'): string => join(home, name, 'drafts');
  const open = (options: Partial<ConstructorParameters<typeof DraftFiles>[0]> = {}): DraftFiles =>
    new DraftFiles({
      folder: place(),
      otherFolders: () => Promise.resolve([]),
      openFolders: () => ['file:///job'],
      redact: (value) => value,
      log: (message, error) => {
        throw new Error(message, { cause: error });
      },
      ...options,
    });
  const written = async (folder = place()): Promise<string> =>
    (await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))).join('\n');

  /** Another process that keeps a message and a draft, and then waits to be killed. */
  async function startWindow(folder = place()) {
    const source = join(import.meta.dirname, '..', '..', '..', 'src', 'store', 'draftFile.ts');
    const script = `
      import { DraftFiles } from ${JSON.stringify(source)};
      const files = new DraftFiles({ folder: ${JSON.stringify(folder)}, otherFolders: async () => [],
        openFolders: () => ['file:///job'], redact: (value) => value, log: console.error });
      files.keepDraft({ key: 's2', text: 'half a sent', at: 3 });
      await files.keepSend(${JSON.stringify(send)});
      console.log('kept');
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return {
      kill: async () => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    };
  }

  it('are those of a window that was killed, wherever the editor puts the next one', async () => {
    await (await startWindow(place('before'))).kill();
    const next = open({ otherFolders: () => Promise.resolve([place('before')]) });
    const kept = await next.kept();
    assert.deepEqual(kept.sends, [send]);
    assert.deepEqual(kept.drafts, [{ key: 's2', text: 'half a sent', at: 3 }]);
    assert.deepEqual(await readdir(place('before')), []);
    // And again after the next end.
    assert.match(await written(), /half a sent/);
  });

  it('of a window that lives stay its own; whoever asks for its message waits until it has settled', async () => {
    const window = await startWindow();
    const next = open();
    assert.deepEqual(await next.kept(), { drafts: [], sends: [] });
    let isSettled = false;
    const settled = next.settledElsewhere(id).then(() => (isSettled = true));
    await new Promise((resolve) => setTimeout(resolve, 250));
    assert.equal(isSettled, false);
    await window.kill();
    await settled;
    assert.deepEqual((await next.kept()).sends, [send]);
  });

  it('of other folders are left alone, and so is what cannot be read', async () => {
    await (await startWindow()).kill();
    await writeFile(join(place(), 'torn.json'), '{"version":1,"dra');
    const names = await readdir(place());
    assert.deepEqual(await open({ openFolders: () => ['file:///other'] }).kept(), { drafts: [], sends: [] });
    assert.deepEqual(await readdir(place()), names);
  });

  it('are readable for nobody else, and hold no key that is known', async () => {
    const files = open({
      redact: (value) => JSON.parse(JSON.stringify(value).replaceAll('sk-secret', '[redacted]')) as typeof value,
    });
    await files.keepSend({ ...send, text: 'use sk-secret' });
    const [name = ''] = await readdir(place());
    assert.equal((await stat(join(place(), name))).mode & 0o777, 0o600);
    assert.equal((await stat(place())).mode & 0o777, 0o700);
    assert.doesNotMatch(await written(), /sk-secret/);
  });

  it('count by their time, keep images that are not sent again, and know what was cleared', async () => {
    const files = open();
    const image = { mediaType: 'image/png', data: 'AAAA', width: 1, height: 1 } as const;
    files.keepDraft({ key: 's1', text: 'a', images: [image], at: 1 });
    files.keepDraft({ key: 's1', text: 'ab', at: 2 });
    files.keepDraft({ key: 's1', text: 'late', at: 1 });
    assert.deepEqual((await files.kept()).drafts, [{ key: 's1', text: 'ab', images: [image], at: 2 }]);
    files.keepDraft({ key: 's1', text: '', images: [], at: 3 });
    assert.deepEqual((await files.kept()).drafts, [{ key: 's1', text: '', at: 3 }]);
    await eventually(async () => (await written().catch(() => '')).includes('"at":3'));
  });
});
