// Named places at which a test can have the process die, or stand still: before and after each barrier that a promise of
// the product stands on. Nothing happens unless the variable is set.

/** The places in the extension host's part of the work. */
export const hostCrashPoints = [
  // A session is made.
  'after_session_folder',
  'after_journal_created',
  // The journal.
  'before_journal_write',
  'after_journal_write',
  'after_journal_barrier',
  'before_torn_tail_kept',
  'after_torn_tail_kept',
  'after_torn_tail_cut',
  // Ownership.
  'before_lease_taken',
  'after_lease_taken',
  'after_older_leases_removed',
  'before_lease_released',
  'after_lease_released',
  // Caches.
  'before_summary_cache',
  'after_summary_cache',
  'before_scan_named',
  'after_scan_named',
  'before_scan_added',
  'after_scan_added',
  // Small files that are whole or not there; the supervisor passes these too.
  'before_file_named',
  'after_file_named',
  // Writes and edits.
  'before_copy_staged',
  'after_copy_staged',
  'before_content_kept',
  'after_content_kept',
  'before_replace_renamed',
  'after_replace_renamed',
  // Jobs, as their client sees them.
  'before_job_record',
  'after_job_record',
  'after_supervisor_spawn',
] as const;

/** The places in the life of a job that its supervisor goes through. */
export const supervisorCrashPoints = [
  'before_claim',
  'after_claim',
  'after_command_spawn',
  'after_running_record',
  'after_release',
  'before_exit_record',
  'after_exit_record',
] as const;

/** Places that not every run passes. */
export const rareCrashPoints = [
  // Reverts, forks and imports.
  'before_file_removed',
  'after_file_removed',
  'before_fork_named',
  'before_import_named',
  'after_import_named',
  // A command that is ended.
  'after_end_requested',
  'before_tree_ended',
  'after_tree_ended',
] as const;

export type CrashPoint =
  | (typeof hostCrashPoints)[number]
  | (typeof rareCrashPoints)[number]
  | (typeof supervisorCrashPoints)[number]
  | `test_${string}`;

/**
 * The variable that names the place, `after_claim`, or the place and which pass of it, `after_claim:3`. The process dies
 * there; with a third word, `after_claim:3:stand`, it stands still until it gets a SIGCONT.
 */
export const crashVariable = 'RATCHET_CRASH_AT';

const [wanted = '', pass = '1', what = 'die'] = (process.env[crashVariable] ?? '').split(':');
let passes = 0;

/** Kills this process, or has it stand still, when it was asked to here. */
export function crashPoint(point: CrashPoint): void {
  if (point !== wanted) return;
  passes += 1;
  if (passes === Number(pass)) process.kill(process.pid, what === 'stand' ? 'SIGSTOP' : 'SIGKILL');
}
