import assert from 'node:assert/strict';
import { createBench, folder } from '../../support/fakes/bench.ts';
import type { StoredSession } from '../../../src/runner/sessionStore.ts';
import { untilStopped, type FakeToolOptions } from '../../support/fakes/fakeTools.ts';
import { answer, call, hangs, say } from '../../support/fakes/scriptedModel.ts';

describe('sessions: opening and watching', () => {
  it('takes each record in once, however many look at the same time', async () => {
    const bench = createBench({ turns: [answer(call('c1', 'note')), answer(say('Done.'))] });
    const id = await bench.ran();
    const next = createBench({ disk: bench.disk });
    await Promise.all([next.sessions.open(id), next.sessions.open(id), next.sessions.open(id)]);
    const session = await next.sessions.open(id);
    assert.equal(session.state.conversation.length, 4);
    assert.equal(session.state.succeededSteps, 1);
  });

  it('publishes what is new, once, and not what was there before it looked', async () => {
    const writer = createBench();
    const id = await writer.ran();
    const watcher = createBench({ disk: writer.disk });
    await Promise.all([watcher.sessions.open(id), watcher.sessions.open(id)]);
    assert.deepEqual(
      watcher.changes.filter(({ kind }) => kind === 'event'),
      [],
    );
    await writer.sessions.rename(id, 'Renamed');
    await Promise.all([watcher.sessions.open(id), watcher.sessions.open(id)]);
    const seen = watcher.changes.flatMap((change) => (change.kind === 'event' ? [change.event.type] : []));
    assert.deepEqual(seen, ['title_changed']);
  });

  it('sees what another window writes, and does not take its run for interrupted', async () => {
    const runner = createBench({ turns: [hangs('Working')] });
    const id = await runner.create();
    await runner.sessions.send(id, 'Go.');
    await runner.model.requested(1);
    const watcher = createBench({ disk: runner.disk });
    const session = await watcher.sessions.open(id);
    assert.equal(session.name, 'running');
    assert.equal(session.state.title, 'Go.');
    await runner.sessions.stop(id);
    await watcher.sessions.open(id);
    assert.equal(session.name, 'cancelled');
  });

  it('ends up with the same state in the window that wrote and in one that reads', async () => {
    const writer = createBench({ turns: [answer(say('Hm.'), call('c1', 'note')), answer(say('Done.'))] });
    const id = await writer.ran();
    await writer.sessions.resume(id);
    await writer.ended(id);
    const written = await writer.sessions.open(id);
    const read = await createBench({ disk: writer.disk }).sessions.open(id);
    assert.deepEqual(read.state, written.state);
    assert.deepEqual(read.page(100), written.page(100));
  });

  for (const slow of ['owner', 'journal'] as const) {
    it(`does not show the steps of a run as cut that began while it looked at the ${slow}`, async () => {
      const note: FakeToolOptions = { name: 'note', run: untilStopped };
      const killed = createBench({ ownerId: 'killed', tools: [note], turns: [answer(call('c1', 'note'))] });
      const id = await killed.create();
      await killed.sessions.send(id, 'Go.');
      await killed.tool('note').started(1);
      killed.disk.kill('killed');
      const bench = createBench({ disk: killed.disk, tools: [note] });
      const session = await bench.sessions.open(id);
      const look = Promise.withResolvers<undefined>();
      holdNextLook(session.stored, slow, look.promise);
      const looking = bench.sessions.open(id);
      await bench.sessions.resume(id);
      await bench.tool('note').started(1);
      look.resolve(undefined);
      await looking;
      assert.deepEqual(
        session.page(10).items.flatMap((item) => (item.kind === 'step' ? [item.status] : [])),
        ['running'],
      );
      await bench.sessions.stop(id);
    });
  }

  it('a listener that throws is logged and costs nothing', async () => {
    const bench = createBench();
    const error = new Error('view is gone');
    bench.sessions.onChange(() => {
      throw error;
    });
    const id = await bench.ran();
    assert.equal((await bench.sessions.open(id)).name, 'done');
    assert.ok(bench.logged.length > 0 && bench.logged.every((entry) => entry.error === error));
  });

  it('a listener that was taken off hears nothing more', async () => {
    const bench = createBench();
    let heard = 0;
    const off = bench.sessions.onChange(() => (heard += 1));
    off();
    await bench.ran();
    assert.equal(heard, 0);
  });

  it('can be opened again after a first try found nothing', async () => {
    const bench = createBench();
    await assert.rejects(bench.sessions.open('session-1'), { code: 'not_found' });
    const id = await createBench({ disk: bench.disk }).create();
    assert.equal(id, 'session-1');
    assert.equal((await bench.sessions.open(id)).name, 'created');
  });
});

describe('sessions: changes outside of a run', () => {
  it('renames, once, and keeps the name when a message comes', async () => {
    const bench = createBench();
    const id = await bench.create();
    await bench.sessions.rename(id, '  My job ');
    await bench.sessions.rename(id, '   ');
    await bench.sessions.send(id, 'Do it.');
    await bench.ended(id);
    assert.equal((await bench.sessions.open(id)).state.title, 'My job');
  });

  it('titles a session by the first line of its first message', async () => {
    const bench = createBench();
    const id = await bench.ran(`  Tune the model ${'x'.repeat(100)}\nwith details`);
    const { title } = (await bench.sessions.open(id)).state;
    assert.equal(title.length, 60);
    assert.match(title, /^Tune the model x+…$/);
  });

  it('makes all of several changes at the same moment, and the launch that comes with them', async () => {
    const bench = createBench();
    const id = await bench.create();
    await Promise.all([
      bench.sessions.rename(id, 'A'),
      bench.sessions.setApprovalMode(id, 'acceptEdits'),
      bench.sessions.send(id, 'Go.'),
      bench.sessions.rename(id, 'B'),
    ]);
    await bench.ended(id);
    const session = await bench.sessions.open(id);
    assert.deepEqual([session.name, session.state.title, session.state.approvalMode], ['done', 'B', 'acceptEdits']);
    assert.equal(bench.changes.filter((change) => change.kind === 'event').length, bench.events(id).length);
  });

  it('writes into the journal of a run that goes on', async () => {
    const bench = createBench({ turns: [hangs()] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.model.requested(1);
    await bench.sessions.rename(id, 'Meanwhile');
    assert.equal((await bench.sessions.open(id)).state.title, 'Meanwhile');
    await bench.sessions.stop(id);
  });

  it('may be changed the moment the run ends', async () => {
    const bench = createBench();
    const renamed: Promise<void>[] = [];
    bench.sessions.onChange((change) => {
      if (change.kind === 'event' && change.event.type === 'run_ended')
        renamed.push(bench.sessions.rename(change.sessionId, 'Finished'));
    });
    const id = await bench.ran();
    await Promise.all(renamed);
    assert.equal((await bench.sessions.open(id)).state.title, 'Finished');
  });

  it('is not changed from here while another window runs it', async () => {
    const runner = createBench({ turns: [hangs()] });
    const id = await runner.create();
    await runner.sessions.send(id, 'Go.');
    await runner.model.requested(1);
    const other = createBench({ disk: runner.disk });
    await assert.rejects(other.sessions.rename(id, 'Mine'), { code: 'already_running' });
    await assert.rejects(other.sessions.remove(id), { code: 'already_running' });
    await runner.sessions.stop(id);
  });
});

describe('sessions: list, delete, restore', () => {
  it('lists the sessions of a folder with the state they have now', async () => {
    const bench = createBench();
    const done = await bench.ran();
    bench.model.turns.push(hangs());
    const busy = await bench.create();
    await bench.sessions.send(busy, 'Go.');
    await bench.model.requested(2);
    const rows = await bench.sessions.list(folder.uri);
    assert.deepEqual(
      new Map(rows.map(({ id, state }) => [id, state])),
      new Map([
        [done, 'done'],
        [busy, 'running'],
      ]),
    );
    assert.deepEqual(await bench.sessions.list('file:///elsewhere'), []);
    await bench.sessions.stop(busy);
  });

  it('stops what it deletes, puts it into the trash, and brings it back', async () => {
    const bench = createBench({ turns: [hangs()] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.model.requested(1);
    const where = await bench.sessions.remove(id);
    assert.match(where, /trash/);
    await assert.rejects(bench.sessions.open(id), { code: 'not_found' });
    await bench.sessions.restore(id);
    assert.equal((await bench.sessions.open(id)).name, 'cancelled');
  });
});

/** Lets the next look at a session take until `released`. */
function holdNextLook(stored: StoredSession, slow: 'owner' | 'journal', released: Promise<unknown>): void {
  const base = { ...stored };
  let held = false;
  const once = async (name: 'owner' | 'journal'): Promise<void> => {
    if (held || name !== slow) return;
    held = true;
    await released;
  };
  stored.isHeldElsewhere = async () => {
    await once('owner');
    return base.isHeldElsewhere();
  };
  stored.catchUp = async (onEvent) => {
    await once('journal');
    return base.catchUp(onEvent);
  };
}
