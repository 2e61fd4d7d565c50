// A workspace folder, a home with keys, and the storage of two sessions, on the real disk, with jobs that are confined to the folder.
// Not below the temporary folder: that is another one inside, and would hide whatever is tried.
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ensureBubblewrap } from '../../../scripts/bubblewrap.ts';
import type { Confinement } from '../../../src/core/confinement.ts';
import { createJobClient } from '../../../src/jobs/jobClient.ts';
import type { JobExit, JobPort } from '../../../src/jobs/jobPort.ts';
import { jobFiles, type JobFiles } from '../../../src/jobs/jobRecords.ts';
import { bundledSupervisor } from '../programs/bundledProgram.ts';

export interface SandboxFixture {
  readonly base: string;
  readonly folder: string;
  readonly home: string;
  /** Of the session whose commands are run. */
  readonly storage: string;
  readonly otherStorage: string;
  readonly confinement: Confinement;
  readonly jobs: JobPort;
  files(key: string): JobFiles;
  /** Runs a command in the sandbox to its end. */
  run(
    command: string,
    more?: Partial<Confinement>,
  ): Promise<{ readonly exit: JobExit; readonly output: string; readonly key: string }>;
  start(key: string, command: string, more?: Partial<Confinement>): Promise<void>;
  dispose(): Promise<void>;
}

export async function openSandboxFixture(): Promise<SandboxFixture> {
  const program = await ensureBubblewrap();
  const base = await realpath(await mkdtemp(join(homedir(), '.ratchet-sandbox-')));
  const [folder, home, sessions] = ['folder', 'home', 'editor/sessions'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  const storage = join(sessions, 'own');
  const otherStorage = join(sessions, 'other');
  for (const path of [folder, join(home, '.ssh'), join(home, '.config', 'gh'), storage, otherStorage]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
  writeFileSync(join(home, '.ssh', 'id_ed25519'), 'the private key\n', { mode: 0o600 });
  writeFileSync(join(home, '.config', 'gh', 'hosts.yml'), 'oauth_token: the token\n', { mode: 0o600 });
  writeFileSync(join(home, '.profile'), 'export A=1\n');
  writeFileSync(join(otherStorage, 'journal.jsonl'), 'what another session said\n', { mode: 0o600 });
  const root = join(storage, 'jobs');
  const environment = { ...process.env, DEMO_API_KEY: 'the key of the environment', SSH_AUTH_SOCK: '/run/agent' };
  const jobs = createJobClient({ root, supervisorScript: bundledSupervisor(), environment, graceMs: 5_000 });
  const confinement: Confinement = {
    ...{ program, folder, home, temporary: join(storage, 'tmp') },
    hidden: [join(base, 'editor')],
    ...{ writable: [], domains: [] },
  };
  let number = 0;
  const start = (key: string, command: string, more: Partial<Confinement> = {}): Promise<void> =>
    jobs.start({ key, command, cwd: folder, confinement: { ...confinement, ...more } });
  return {
    ...{ base, folder, home, storage, otherStorage, confinement, jobs, start },
    files: (key) => jobFiles(join(root, key)),
    async run(command, more) {
      const key = `command-${++number}`;
      await start(key, command, more);
      const chunks: Uint8Array[] = [];
      const exit = await jobs.follow(key, 0, (chunk) => void chunks.push(chunk), new AbortController().signal);
      return { exit, output: Buffer.concat(chunks).toString('utf8'), key };
    },
    async dispose() {
      for (const { key } of await jobs.list()) await jobs.end(key);
      await rm(base, { recursive: true, force: true });
    },
  };
}
