import assert from 'node:assert/strict';
import { mkdir, open, readFile, readdir, rename, stat, truncate, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import {
  eventsOf,
  folder,
  headerLine,
  lines,
  linesIn,
  note,
  runStarted,
  useStore,
  userMessage,
} from './storeFixture.ts';

describe('store: a journal on disk', () => {
  const store = useStore();

  it('begins with its header and holds one event a line, numbered from 1', async () => {
    const session = await store().window('w').create(folder);
    const journal = await session.claim(() => undefined);
    const stamped = [
      ...((await journal?.append([note('a')])) ?? []),
      ...((await journal?.appendDurable([note('b'), note('c')])) ?? []),
    ];
    await journal?.close();
    const [header, ...events] = await linesIn(store().journal(session.id));
    const { createdAt, ...rest } = JSON.parse(header ?? '') as Record<string, unknown>;
    assert.equal(typeof createdAt, 'number');
    assert.deepEqual(rest, { ratchet: 'journal', format: 1, sessionId: session.id, folder });
    assert.deepEqual(
      events.map((line) => JSON.parse(line) as unknown),
      stamped,
    );
    assert.deepEqual(
      stamped.map(({ seq }) => seq),
      [1, 2, 3],
    );
  });

  it('acknowledges appends in the order in which they were asked for, durable or not', async () => {
    const session = await store().window('w').create(folder);
    const journal = await session.claim(() => undefined);
    assert.ok(journal);
    const order: string[] = [];
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (text, index) => {
        await (index % 2 === 0 ? journal.appendDurable([note(text)]) : journal.append([note(text)]));
        order.push(text);
      }),
    );
    await journal.close();
    assert.deepEqual(order, ['a', 'b', 'c', 'd']);
  });

  it('waits for the disk where it must, and once for all that wait together', async () => {
    const session = await store().window('w').create(folder);
    const journal = await session.claim(() => undefined);
    assert.ok(journal);
    const handle = await open(store().journal(session.id), 'r');
    const handles = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const flush = mock.method(handles, 'datasync');
    try {
      await journal.append([note('a')]);
      assert.equal(flush.mock.callCount(), 0);
      await journal.appendDurable([note('b')]);
      assert.equal(flush.mock.callCount(), 1);
      await Promise.all(['c', 'd', 'e', 'f', 'g'].map((text) => journal.appendDurable([note(text)])));
      assert.ok(flush.mock.callCount() <= 3, 'the first alone at most, the others as a group');
    } finally {
      flush.mock.restore();
    }
    await journal.close();
  });

  it('writes what still waits before it closes, and takes nothing after', async () => {
    const session = await store().window('w').create(folder);
    const journal = await session.claim(() => undefined);
    const last = journal?.append([note('last')]);
    await journal?.close();
    assert.equal((await last)?.length, 1);
    await assert.rejects(async () => journal?.append([note('late')]), { code: 'storage' });
    await journal?.close();
    assert.equal((await eventsOf(await store().window('x').open(session.id))).length, 1);
  });

  it('gives out what it wrote itself only once', async () => {
    const session = await store().window('w').create(folder);
    const journal = await session.claim(() => undefined);
    await journal?.append([note('mine')]);
    assert.deepEqual(await eventsOf(session), []);
    await journal?.close();
    assert.deepEqual(await eventsOf(session), []);
    assert.equal((await eventsOf(await store().window('x').open(session.id))).length, 1);
  });

  it('gives out each event once to readers at the same time', async () => {
    await store().seed('s', headerLine('s') + lines([note('a'), note('b')]));
    const session = await store().window('w').open('s');
    const [one, two] = await Promise.all([eventsOf(session), eventsOf(session)]);
    assert.equal(one.length + two.length, 2);
  });

  it('is for its owner only: files 0600, folders 0700', async () => {
    const session = await store().window('w').create(folder);
    const journal = await session.claim(() => undefined);
    await journal?.append([note('a')]);
    await store().window('w').list(folder.uri);
    await journal?.close();
    await writeFile(store().journal(session.id), `${await readFile(store().journal(session.id), 'utf8')}{"torn`);
    await (await session.claim(() => undefined))?.close();
    for (const name of await readdir(session.storage)) {
      assert.equal((await stat(join(session.storage, name))).mode & 0o777, 0o600, name);
    }
    assert.ok((await readdir(session.storage)).length >= 4, 'journal, lease, summary and torn line');
    assert.equal((await stat(session.storage)).mode & 0o777, 0o700);
    assert.equal((await stat(join(session.storage, '..'))).mode & 0o777, 0o700);
  });

  it('redacts before anything is on disk, and hands out what was written', async () => {
    const redact = (event: ReturnType<typeof note>): ReturnType<typeof note> =>
      event.type === 'note_added' ? { ...event, text: event.text.replace('sk-secret', '[redacted]') } : event;
    const session = await store().window('w', redact).create(folder);
    const journal = await session.claim(() => undefined);
    const [event] = (await journal?.append([note('key sk-secret')])) ?? [];
    await journal?.close();
    assert.ok(event?.type === 'note_added' && event.text === 'key [redacted]');
    assert.ok(!(await readFile(store().journal(session.id), 'utf8')).includes('sk-secret'));
  });

  it('makes what it writes well-formed', async () => {
    const session = await store().window('w').create(folder);
    const journal = await session.claim(() => undefined);
    await journal?.append([note('half a pair: \ud83d')]);
    await journal?.close();
    assert.match(await readFile(store().journal(session.id), 'utf8'), /half a pair: \ufffd/);
  });
});

describe('store: a torn last line', () => {
  const store = useStore();

  it('is cut off when the journal is written on, and kept beside it byte for byte', async () => {
    const whole = headerLine('s') + lines([note('a')]);
    const torn = Buffer.concat([Buffer.from('{"seq":2,"at":1,"type":"note_add'), Buffer.from([0xf0, 0x9f])]);
    await store().seed('s', Buffer.concat([Buffer.from(whole), torn]));
    const session = await store().window('w').open('s');
    assert.equal((await eventsOf(session)).length, 1);
    const journal = await session.claim(() => undefined);
    const [event] = (await journal?.append([note('b')])) ?? [];
    await journal?.close();
    assert.equal(event?.seq, 2);
    assert.deepEqual(await readFile(`${store().journal('s')}.torn-${String(Buffer.byteLength(whole))}`), torn);
    assert.equal((await linesIn(store().journal('s'))).length, 3);
  });

  it('is kept whole when it is large, and does not replace an older one from the same place', async () => {
    const whole = headerLine('s');
    const torn = [Buffer.alloc(3 * 1024 * 1024, 'x'), Buffer.from('second')];
    for (const bytes of torn) {
      await store().seed('s', Buffer.concat([Buffer.from(whole), bytes]));
      await (await (await store().window('w').open('s')).claim(() => undefined))?.close();
    }
    const beside = `${store().journal('s')}.torn-${String(Buffer.byteLength(whole))}`;
    assert.deepEqual(await readFile(beside), torn[0]);
    assert.deepEqual(await readFile(`${beside}-2`), torn[1]);
  });
});

describe('store: a journal that cannot be read in full', () => {
  const store = useStore();

  async function opened(
    bytes: string | Buffer,
  ): Promise<{ readonly texts: readonly string[]; readonly damage: string | undefined }> {
    await store().seed('s', bytes);
    const session = await store().window('w').open('s');
    const events = await eventsOf(session);
    return {
      texts: events.map((event) => (event.type === 'note_added' ? event.text : event.type)),
      damage: session.damage,
    };
  }

  it('passes over a line that is garbage, and says so', async () => {
    const { texts, damage } = await opened(
      headerLine('s') + lines([note('a')]) + '{"seq":2,,,\n' + lines([note('c')], 3),
    );
    assert.deepEqual(texts, ['a', 'c']);
    assert.equal(damage, '1 line of the trace could not be read and was passed over. Everything else is here.');
  });

  it('says how many records are missing when lines are gone', async () => {
    const { texts, damage } = await opened(headerLine('s') + lines([note('a')]) + lines([note('d')], 4));
    assert.deepEqual(texts, ['a', 'd']);
    assert.equal(damage, '2 records of the trace are missing. Everything else is here.');
  });

  it('names records of a later version instead of refusing them', async () => {
    const { texts, damage } = await opened(
      headerLine('s') + '{"seq":1,"at":1,"type":"picture_drawn"}\n' + lines([note('b')], 2),
    );
    assert.deepEqual(texts, ['b']);
    assert.equal(damage, '1 record of a later version is not shown. Everything else is here.');
  });

  it('does not lose what follows because of one wrong digit in a number', async () => {
    const { texts, damage } = await opened(
      headerLine('s') +
        lines([note('a'), note('b')]) +
        lines([note('c')], 9_000_003) +
        lines([note('d'), note('e')], 4),
    );
    assert.deepEqual(texts, ['a', 'b', 'c', 'd', 'e']);
    assert.equal(damage, undefined);
  });

  it('takes the first of two records with the same number: a second writer had written over it', async () => {
    const { texts } = await opened(
      headerLine('s') + lines([note('a'), note('b')]) + lines([note('other b')], 2) + lines([note('c')], 3),
    );
    assert.deepEqual(texts, ['a', 'b', 'c']);
  });

  it('skips a line of 40 MB without the rest', async () => {
    const huge = Buffer.alloc(40 * 1024 * 1024, 'x');
    const { texts, damage } = await opened(
      Buffer.concat([
        Buffer.from(headerLine('s') + lines([note('a')])),
        huge,
        Buffer.from(`\n${lines([note('c')], 3)}`),
      ]),
    );
    assert.deepEqual(texts, ['a', 'c']);
    assert.match(damage ?? '', /^1 line /);
  });

  for (const [what, bytes, problem] of [
    ['is empty (0 bytes)', '', /first line cannot be read/],
    ['has a header that is garbage', `{"ratchet":"jour\n${lines([note('a')])}`, /first line cannot be read/],
    ['is of a later format', headerLine('s', { format: 7 }), /format 7; this version reads format 1\. Update Ratchet/],
  ] as const) {
    it(`is in the list with what is wrong with it when it ${what}, and the others are too`, async () => {
      await store().seed('s', bytes);
      await store().seed('t', headerLine('t') + lines([runStarted, userMessage]));
      const rows = await store().window('w').list(folder.uri);
      assert.deepEqual(rows.map(({ id }) => id).sort(), ['s', 't']);
      assert.match(rows.find(({ id }) => id === 's')?.problem ?? '', problem);
      assert.equal(rows.find(({ id }) => id === 't')?.problem, undefined);
      const code = what.includes('later') ? 'unsupported_format' : 'storage';
      await assert.rejects(store().window('w').open('s'), { name: 'RatchetError', code });
      assert.equal(await readFile(store().journal('s'), 'utf8'), bytes, 'nothing was changed or deleted');
    });
  }

  it('says that the session is gone when its folder is', async () => {
    const session = await store().window('w').create(folder);
    await rename(session.storage, `${session.storage}-away`);
    await assert.rejects(eventsOf(session), { code: 'not_found' });
    await assert.rejects(
      session.claim(() => undefined),
      { code: 'not_found' },
    );
    await assert.rejects(session.isHeldElsewhere(), { code: 'not_found' });
    await rename(`${session.storage}-away`, session.storage);
    assert.deepEqual(await eventsOf(session), []);
  });

  it('finds no session by a name that is not one', async () => {
    for (const id of ['nope', '..', '../../etc', '', 'a/b']) {
      await assert.rejects(store().window('w').open(id), { code: 'not_found' });
      await assert.rejects(store().window('w').restoreFromTrash(id), { code: 'not_found' });
    }
  });

  it('lists and opens although no cache can be read or written', async () => {
    const session = await store().window('w').create(folder);
    const blocked = join(session.storage, 'summary.json');
    // A folder in the place of the file: it fails for every user, root too.
    await mkdir(join(blocked, 'x'), { recursive: true });
    const [row] = await store().window('w').list(folder.uri);
    assert.deepEqual([row?.id, row?.problem], [session.id, undefined]);
    await store().window('w').open(session.id);
  });

  it('finds nothing new in a journal that shrank behind its back', async () => {
    await store().seed('s', headerLine('s') + lines([note('a'), note('b')]));
    const session = await store().window('w').open('s');
    await eventsOf(session);
    await truncate(store().journal('s'), Buffer.byteLength(headerLine('s')));
    assert.deepEqual(await eventsOf(session), []);
  });
});
