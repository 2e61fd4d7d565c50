// The border to the browser's own storage and locks. Nothing else touches them.
import { createDeskStorage, noDeskStorage, type DeskStorage } from './deskStorage.ts';

/** The storage of this page; none where the editor does not give it one. */
export function pageDeskStorage(workspace: string | undefined, pageId: string): DeskStorage {
  if (workspace === undefined) return noDeskStorage;
  try {
    const storage = window.localStorage;
    // Absent in an insecure context, whatever its type says.
    const locks = 'locks' in navigator ? navigator.locks : undefined;
    return createDeskStorage({ storage, locks, pageId, workspace });
  } catch {
    // Blocked by the browser's settings.
    return noDeskStorage;
  }
}
