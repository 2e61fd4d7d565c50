// Writes to the session <id> below <root> until a write fails, then on; prints what was acknowledged. Run with a limit on
// the size of files.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RatchetError } from '../../../src/core/errors.ts';
import type { NewEvent } from '../../../src/core/events.ts';
import { createFileSessionStore } from '../../../src/store/fileSessionStore.ts';

const [root = '', sessionId = ''] = process.argv.slice(2);
const store = createFileSessionStore({
  root,
  ownerId: 'child',
  now: Date.now,
  redact: (event) => event,
  log: () => undefined,
});
const session = await store.open(sessionId);
const journal = await session.claim(() => undefined);
if (!journal) throw new Error('not the owner');
const file = join(session.storage, 'journal.jsonl');
const note = (text: string): NewEvent => ({ type: 'note_added', level: 'info', text });
const size = async (): Promise<number> => (await stat(file)).size;

const first = await journal.appendDurable([note('before')]);
const sizeBefore = await size();
// The first of these is under way alone or with the second; the second is part of the same group or fits and must be taken.
const results = await Promise.allSettled([
  journal.append([note('x'.repeat(40_000))]),
  journal.appendDurable([note('y'.repeat(40_000))]),
]);
const sizeAfterFailure = await size();
const last = await journal.appendDurable([note('after')]);
await journal.close();
const refused = results.map((result) =>
  result.status === 'rejected' && result.reason instanceof RatchetError ? result.reason.code : result.status,
);
const acknowledged = [...first, ...last].map(({ seq }) => seq);
process.stdout.write(JSON.stringify({ refused, acknowledged, sizeBefore, sizeAfterFailure }));
