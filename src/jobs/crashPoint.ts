// Named places in the life of a job at which a test can have the process die. Nothing happens unless the variable is set.

export type CrashPoint =
  | 'before_job_record'
  | 'after_job_record'
  | 'after_supervisor_spawn'
  | 'before_claim'
  | 'after_claim'
  | 'after_command_spawn'
  | 'after_running_record'
  | 'after_release'
  | 'before_exit_record';

/** The variable that names the place. It is never handed to a command. */
export const crashVariable = 'RATCHET_CRASH_AT';

/** Kills this process when it was asked to die here. */
export function crashPoint(point: CrashPoint): void {
  if (process.env[crashVariable] === point) process.kill(process.pid, 'SIGKILL');
}
