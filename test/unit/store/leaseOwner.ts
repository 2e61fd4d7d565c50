// Another window, for the tests of ownership: claims the session <id> below <root>, says how that went, then does what it
// is told, a word a line.
import { createInterface } from 'node:readline';
import { createFileSessionStore } from '../../../src/store/fileSessionStore.ts';

const [root = '', sessionId = ''] = process.argv.slice(2);
const store = createFileSessionStore({
  root,
  ownerId: `process ${String(process.pid)}`,
  now: Date.now,
  redact: (event) => event,
  log: () => undefined,
});
const session = await store.open(sessionId);
const journal = await session.claim(
  () => undefined,
  (kind) => {
    process.stdout.write(`asked ${kind}\n`);
  },
);
process.stdout.write(journal ? 'owner\n' : 'refused\n');
for await (const word of createInterface({ input: process.stdin })) {
  if (word === 'append') {
    await journal?.appendDurable([{ type: 'note_added', level: 'info', text: 'written by another process' }]);
    process.stdout.write('written\n');
  }
  if (word === 'close') {
    await journal?.close();
    process.stdout.write('closed\n');
  }
}
