import assert from 'node:assert/strict';
import { openSmallDisk } from '../support/disk/smallDisk.ts';
import { runOnFullDisk, type Moment } from '../crash/fullDiskCase.ts';
import { bundlePrograms, type Programs } from '../crash/bundle.ts';

const host = (point: string, pass = 1): Moment => ({ of: 'host', point, pass });
const supervisor = (point: string, left = 0): Moment => ({ of: 'supervisor', point, left });

/** When the disk is full all at once: before each kind of write there is, in the host and in a job's supervisor. */
const moments: readonly Moment[] = [
  host('before_journal_write', 3),
  host('before_journal_write', 20),
  host('test_streaming', 5),
  host('before_copy_staged'),
  host('before_content_kept'),
  host('before_scan_named'),
  host('before_job_record'),
  host('after_job_record'),
  supervisor('before_claim'),
  // There is room for the claim, and for nothing after it.
  supervisor('before_claim', 1),
  supervisor('after_command_spawn'),
  supervisor('after_running_record'),
  supervisor('before_exit_record'),
  host('before_lease_released'),
];
const atOnce = 4;

describe('storage that is full all at once', function () {
  this.timeout(300_000);
  let programs: Programs | undefined;

  before(async function () {
    const disk = await openSmallDisk(64);
    if (typeof disk === 'string') {
      console.log(`No disk can be filled on this machine (${disk}).`);
      console.log('What can be shown without one is in test/unit/store/fullDisk.test.ts.');
      this.skip();
    }
    await disk.dispose();
    programs = await bundlePrograms();
  });
  after(() => programs?.dispose());

  /** What of each moment's case must not be. */
  async function broken(killed: boolean): Promise<readonly string[]> {
    const found: string[] = [];
    const left = [...moments];
    const work = async (): Promise<void> => {
      for (let moment = left.shift(); moment; moment = left.shift()) {
        const violations = await runOnFullDisk(programs!, moment, killed);
        found.push(...violations.map(({ rule, detail }) => `${JSON.stringify(moment)}: ${rule}: ${detail}`));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return found;
  }

  it('holds a run up, which goes on by itself when there is space, with each step done once', async () => {
    assert.deepEqual(await broken(false), []);
  });

  it('loses nothing either when the host is killed then, and resumed when there is space', async () => {
    assert.deepEqual(await broken(true), []);
  });
});
