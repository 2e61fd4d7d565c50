// Reads the trace of a session as it is on the disk, line by line; whatever is not a record of this version is an error.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEvent, type SessionEvent } from '../../../src/core/events.ts';

/** Every record of a session, in the order of the file. `userDataFolder`: of the editor, whichever window made it. */
export async function journalOf(userDataFolder: string, sessionId: string): Promise<readonly SessionEvent[]> {
  const storage = path.join(userDataFolder, 'User', 'workspaceStorage', '*', 'ratchet-dev.ratchet', 'sessions', '*');
  const [file, ...others] = globSync(path.join(storage, sessionId, 'journal.jsonl'));
  assert.ok(file !== undefined && others.length === 0, `session ${sessionId} has one journal`);
  const [, ...lines] = (await readFile(file, 'utf8')).split('\n');
  assert.equal(lines.pop(), '', 'the last line is whole');
  return lines.map((line) => {
    const parsed = parseEvent(JSON.parse(line));
    assert.ok(parsed.kind === 'event', line);
    return parsed.event;
  });
}
