// The trace of a session that is imported as another one: there whole, once, or not at all.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foreignRecord } from '../../../src/core/foreignRecords.ts';
import { answerTo, command, linesOf, type Piece } from '../job.ts';
import { ofType, type Feature } from './feature.ts';

const message = 'Do what is to be shown elsewhere.';
const turns: readonly (readonly Piece[])[] = [[command('shown')]];

export const transfer: Feature = {
  files: {},
  user: async ({ sessions, session, root, goOn }) => {
    await goOn(message);
    const { folder, stored } = session;
    if ((await sessions.list(folder.uri)).length > 1) return;
    const file = join(root, '..', 'trace.jsonl');
    await copyFile(join(stored.storage, 'journal.jsonl'), file);
    await sessions.importTrace(folder, file);
  },
  script: () => (body) => answerTo(body, turns),
  expected: { lines: linesOf(turns), tasks: [], title: message },
  places: [
    ['before_import_named', 1],
    ['after_import_named', 1],
  ],
  broken: ({ records, others }) => {
    // Its prompt and its permissions stay behind.
    const come = records.filter((record) => foreignRecord(record) !== undefined).length;
    const ends = others.map((other) => ofType(other, 'session_imported').at(-1)?.records);
    return [
      ...(others.length === 1 ? [] : [`${others.length} imports`]),
      ...(ends.every((count) => count === come) ? [] : [`${ends.join()} of ${come} records came`]),
    ];
  },
};
