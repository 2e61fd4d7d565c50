// Questions before calls: allowed, denied with a reason, and allowed always.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { approvalRuleSchema, type ApprovalRule } from '../../../src/core/approval/rules.ts';
import type { EventOf } from '../../../src/core/events.ts';
import { crashPoint } from '../../../src/platform/crashPoint.ts';
import { systemErrorCode } from '../../../src/platform/systemError.ts';
import type { ApprovalRuleStore } from '../../../src/runner/approvalRules.ts';
import { answerTo, call, command, firstWords, linesOf, type Piece } from '../job.ts';
import { around, ofType, type Desk, type Feature } from './feature.ts';

const message = 'Ask before you do anything.';
const always = 'edits below kept/';
const tasks = ['Ask inside one.', 'Ask inside two.'];
const denied = call('write', { file_path: 'denied.md', content: 'no\n' });
const turns: readonly (readonly Piece[])[] = [
  [command('allowed'), { ...denied, isDone: ({ result }) => result.includes('said: Not this one.') }],
  [
    call('write', { file_path: 'kept/first.md', content: 'one\n' }),
    call('write', { file_path: 'kept/second.md', content: 'two\n' }),
  ],
  // Two in one answer, each with a question of its own.
  [call('edit', { file_path: 'a.txt', old_string: 'old', new_string: 'new' }), command('allowed too')],
  tasks.map((task) => call('delegate', { agent: 'work', task })),
];
/** What the agents do, at the same time. */
const agentTurns = (task: string): readonly (readonly Piece[])[] => [[command(task)]];

export const approvals: Feature = {
  files: { 'a.txt': 'old\n' },
  window: (root) => ({ defaultApprovalMode: () => 'ask', approvalRules: ruleFile(join(root, '..', 'rules.json')) }),
  user: async (desk) => {
    desk.onRecord((event) => {
      if (event.type === 'approval_requested') void answer(desk, event);
    });
    await desk.goOn(message);
  },
  script: () => (body) => {
    const task = firstWords(body);
    if (tasks.includes(task)) return answerTo(body, agentTurns(task));
    // An edit has to have seen what it changes.
    return answerTo(body, [[call('read', { file_path: 'a.txt' })], ...turns]);
  },
  expected: { lines: linesOf([...turns, ...tasks.flatMap(agentTurns)]), tasks: [], title: message },
  places: [
    ...around({ approval_requested: 7, approval_answered: 7 }),
    ['test_before_rule_kept', 1],
    ['test_after_rule_kept', 1],
    ['test_before_step_started', 8],
    ['test_after_step_started', 8],
  ],
  broken: ({ records, files }) => {
    const asked = ofType(records, 'approval_requested');
    const answered = ofType(records, 'approval_answered').map(({ stepId }) => stepId);
    const answers = new Map(ofType(records, 'approval_answered').map(({ stepId, seq }) => [stepId, seq]));
    const started = new Set(ofType(records, 'step_started').map(({ stepId }) => stepId));
    const deniedSteps = ofType(records, 'approval_answered').filter(({ decision }) => decision === 'deny');
    return [
      ...answered.filter((id, index) => answered.indexOf(id) !== index).map((id) => `${id} was answered twice`),
      ...asked
        .filter(({ stepId, seq }) => seq > (answers.get(stepId) ?? Infinity))
        .map(({ stepId }) => `${stepId} was asked about again after its answer`),
      ...asked.filter(({ preview }) => preview.includes('+two')).map(() => 'what a rule covers was asked about'),
      ...deniedSteps.filter(({ stepId }) => started.has(stepId)).map(({ stepId }) => `${stepId} was denied and began`),
      ...(deniedSteps.length === 0 || files.has('denied.md') ? ['the denial did not hold'] : []),
    ];
  },
};

async function answer({ sessions, session }: Desk, event: EventOf<'approval_requested'>): Promise<void> {
  const { stepId, asked } = event;
  const path = asked?.kind === 'edit' ? asked.path : '';
  if (path === 'denied.md') await sessions.approve(session.id, stepId, 'deny', 'Not this one.');
  else if (path.startsWith('kept/')) await sessions.allowAlways(session.id, stepId, always);
  else await sessions.approve(session.id, stepId, 'allow');
}

/** Rules that outlive the host, as those of a window do. */
function ruleFile(file: string): ApprovalRuleStore {
  const list = (): readonly ApprovalRule[] => {
    try {
      return z.array(approvalRuleSchema).parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') throw error;
      return [];
    }
  };
  return {
    syntax: 'posix',
    list,
    add: (_folder, rules) => {
      crashPoint('test_before_rule_kept');
      writeFileSync(`${file}.new`, JSON.stringify([...list(), ...rules]));
      renameSync(`${file}.new`, file);
      crashPoint('test_after_rule_kept');
      return Promise.resolve();
    },
    remove: () => Promise.reject(new Error('no rule is removed here')),
  };
}
