// A program that starts one job, for tests that kill it: startJobAndDie <supervisor> <root> <key> <cwd> <command>.

import { createJobClient } from '../../../src/jobs/jobClient.ts';

const [, , supervisorScript = '', root = '', key = '', cwd = '', command = ''] = process.argv;
await createJobClient({ root, supervisorScript }).start({ key, command, cwd });
