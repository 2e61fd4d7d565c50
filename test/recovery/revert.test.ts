import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RatchetError } from '../../src/core/errors.ts';
import { crashVariable, type CrashPoint } from '../../src/platform/crashPoint.ts';
import { revertStage, secondMessage } from '../crash/revertStage.ts';
import { answer, call, say } from '../support/fakes/scriptedModel.ts';

/** Between every record and every effect. */
const points: readonly CrashPoint[] = [
  'after_lease_taken',
  'before_journal_write',
  'after_journal_barrier',
  'before_content_kept',
  'after_content_kept',
  'before_replace_renamed',
  'after_replace_renamed',
  'before_file_removed',
  'after_file_removed',
  'before_lease_released',
];

const original = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'old.txt': 'old\n' };
const changed = { 'a.txt': 'three\n', 'b.txt': 'two\n', 'made.txt': 'made\n' };
const edit = (id: string, name: string, from: string, to: string) =>
  answer(call(id, 'edit', { file_path: name, old_string: from, new_string: to }));

describe('a revert whose process is killed', function () {
  this.timeout(300_000);
  let base: string;
  /** A session with two messages, the second of which changed everything; copied for each kill. */
  let template: { readonly root: string; readonly folder: string };

  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'ratchet-revert-'));
    template = { root: join(base, 'template', 'root'), folder: join(base, 'work') };
    await mkdir(template.folder, { recursive: true });
    for (const [name, content] of Object.entries(original)) await writeFile(join(template.folder, name), content);
    await writeFile(join(template.folder, 'old.txt'), 'older\n');
    const stage = revertStage(template.root, template.folder, [
      answer(call('r0', 'read', { file_path: 'old.txt' })),
      // Its content after this is kept nowhere: a revert works it out again.
      edit('c0', 'old.txt', 'older', 'old'),
      answer(say('First done.')),
      answer(call('c1', 'read', { file_path: 'a.txt' }), call('c2', 'read', { file_path: 'b.txt' })),
      edit('c3', 'a.txt', 'one', 'two'),
      edit('c4', 'b.txt', 'one', 'two'),
      edit('c5', 'a.txt', 'two', 'three'),
      answer(call('c6', 'run_command', {})),
      answer(say('Second done.')),
    ]);
    const { id } = await stage.sessions.create(stage.folder);
    for (const text of ['First.', 'Second.']) {
      await stage.sessions.send(id, text);
      await (
        await stage.sessions.open(id)
      ).run?.ended;
    }
    await cp(template.folder, join(base, 'template', 'folder'), { recursive: true });
  });
  after(() => rm(base, { recursive: true, force: true }));

  /** Everything as it was before the kill: the folder has one path, since the session is that folder's. */
  async function afresh(): Promise<{ readonly root: string; readonly folder: string }> {
    const root = await mkdtemp(join(base, 'root-'));
    await cp(template.root, root, { recursive: true });
    await rm(template.folder, { recursive: true });
    await cp(join(base, 'template', 'folder'), template.folder, { recursive: true });
    return { root, folder: template.folder };
  }
  async function dies(root: string, what: string, at: string): Promise<boolean> {
    const script = join(import.meta.dirname, '..', 'crash', 'revertStage.ts');
    const child = spawn(process.execPath, [script, root, template.folder, what], {
      env: { ...process.env, [crashVariable]: at },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (data: Buffer) => (said += data.toString()));
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (signal === null) assert.equal(code, 0, said);
    return signal === 'SIGKILL';
  }
  async function files(): Promise<Record<string, string>> {
    const names = (await readdir(template.folder)).sort();
    return Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, await readFile(join(template.folder, name), 'utf8')] as const),
      ),
    );
  }
  const isUnfinished = (error: unknown) => error instanceof RatchetError && error.code === 'revert_unfinished';

  /** Kills at each pass of the place until it is passed no more; how often that was. */
  async function atEachPass(point: CrashPoint, what: string, check: (root: string) => Promise<void>): Promise<number> {
    for (let pass = 1; ; pass++) {
      const { root } = await afresh();
      if (what === 'undo') assert.equal(await dies(root, 'revert', 'nowhere'), false);
      const died = await dies(root, what, `${point}:${String(pass)}`);
      if (died) await check(root);
      await rm(root, { recursive: true });
      if (!died) return pass - 1;
    }
  }

  for (const point of points) {
    it(`at ${point} is found, lets nothing run, and comes to its end`, async () => {
      const deaths = await atEachPass(point, 'revert', async (root) => {
        const stage = revertStage(root, template.folder, [answer(say('Third done.'))]);
        const { id, messageId } = await secondMessage(stage);
        const { sessions } = stage;
        const { reverts } = (await sessions.open(id)).state;
        if (reverts.open) {
          await assert.rejects(sessions.send(id, 'Third.'), isUnfinished);
          assert.equal((await sessions.finishRevert(id))?.text, 'Second.');
        } else if (!reverts.last) {
          assert.deepEqual(await files(), changed, 'nothing is done before it is on record');
          await sessions.revert(id, messageId, (await sessions.planRevert(id, messageId)).lastSeq);
        }
        assert.deepEqual(await files(), original);
        await sessions.send(id, 'Third.');
        await (
          await sessions.open(id)
        ).run?.ended;
        assert.doesNotMatch(JSON.stringify(stage.model.requests.at(-1)), /Second/);
      });
      assert.ok(deaths > 0, 'the place is passed');
    });
  }

  it('in its undo is found as well, and everything is back then', async () => {
    for (const point of ['after_journal_barrier', 'after_replace_renamed'] as const) {
      const deaths = await atEachPass(point, 'undo', async (root) => {
        const stage = revertStage(root, template.folder);
        const { id } = await secondMessage(stage);
        const { reverts } = (await stage.sessions.open(id)).state;
        if (reverts.open) await stage.sessions.finishRevert(id);
        else if (reverts.last) await stage.sessions.undoRevert(id);
        assert.deepEqual(await files(), changed);
        assert.match(JSON.stringify((await stage.sessions.open(id)).state.conversation), /Second done/);
      });
      assert.ok(deaths > 0);
    }
  });

  it('in a fork leaves the other session and no half one', async () => {
    for (const point of ['after_session_folder', 'before_fork_named', 'before_file_named'] as const) {
      const { root } = await afresh();
      const died = await dies(root, 'fork', point);
      const stage = revertStage(root, template.folder);
      const rows = await stage.sessions.list(stage.folder.uri);
      assert.equal(rows.length, died ? 1 : 2);
      assert.ok(rows.every(({ problem }) => problem === undefined));
      const { id, messageId } = await secondMessage(stage);
      const { sessionId } = await stage.sessions.fork(id, messageId);
      assert.equal((await stage.sessions.open(sessionId)).state.title, 'First. (fork)');
      await rm(root, { recursive: true });
    }
    assert.deepEqual(await files(), changed);
  });
});
