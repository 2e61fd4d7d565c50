// A program that starts one job, for tests that kill it: startJobAndDie <root> <key> <cwd> <command>.

import { createJobClient } from '../../../src/jobs/jobClient.ts';
import { supervisorScript } from './jobsFixture.ts';

const [, , root = '', key = '', cwd = '', command = ''] = process.argv;
await createJobClient({ root, supervisorScript }).start({ key, command, cwd });
