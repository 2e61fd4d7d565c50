// The record that ends the part of a trace which was made elsewhere. Whatever version imported it, of what stands before
// it only that counts which `foreignRecord` leaves, and it stays so: no revert goes back to before it.
import type { EventOf } from './events.ts';
import { foreignRecord } from './foreignRecords.ts';
import { replay, type Fold } from './reverts.ts';
import type { SessionState } from './sessionState.ts';

/** Takes in the record. False when it is itself of the part that came in a file, and says nothing here. */
export function applyImport(state: SessionState, marker: EventOf<'session_imported'>, fold: Fold): boolean {
  const known = state.foreign?.uptoSeq ?? -1;
  if (marker.seq < known) return false;
  state.foreign = { uptoSeq: marker.seq, marker };
  const { reverts } = state;
  // Versions before did not say it in the header: the records have counted until now.
  if (marker.seq > known)
    replay(
      state,
      reverts.active.flatMap((event) => foreignRecord(event) ?? []),
      fold,
    );
  reverts.active.push(marker);
  reverts.open = undefined;
  reverts.last = undefined;
  state.approvalMode = 'ask';
  state.queue = [];
  state.retry = undefined;
  return true;
}
