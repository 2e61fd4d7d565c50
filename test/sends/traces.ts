// What the traces on the disk say of a message, in whichever session and storage of the editor it is.
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEvent } from '../../src/core/events.ts';

export interface Recorded {
  /** Ids of the messages that have the text: more than one says that it was sent twice. */
  readonly ids: ReadonlySet<string>;
  /** Records that bring it into the conversation. */
  readonly added: number;
}

/** Where a text was recorded, below the user data of an editor. A last line that is being written is left out. */
export async function recordedAs(userDataFolder: string, text: string): Promise<Recorded> {
  const storage = path.join(userDataFolder, 'User', 'workspaceStorage', '*', 'ratchet-dev.ratchet', 'sessions', '*');
  const ids = new Set<string>();
  let added = 0;
  for (const file of globSync(path.join(storage, '*', 'journal.jsonl'))) {
    const content = await readFile(file, 'utf8');
    if (!content.includes(text)) continue;
    for (const line of content.split('\n').slice(1, -1)) {
      if (!line.includes(text)) continue;
      const parsed = parseEvent(JSON.parse(line));
      if (parsed.kind !== 'event') continue;
      const { event } = parsed;
      if (event.type !== 'user_message_added' && event.type !== 'message_queued') continue;
      if (!event.text.includes(text)) continue;
      ids.add(event.messageId);
      if (event.type === 'user_message_added') added += 1;
    }
  }
  return { ids, added };
}
