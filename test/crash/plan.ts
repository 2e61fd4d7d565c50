// Which sessions are killed where: an endless list of cases that a seed decides, every named place in each round of it.
// The same seed and number always give the same case.
import { hostCrashPoints, supervisorCrashPoints } from '../../src/platform/crashPoint.ts';
import type { CrashCase, Kill, KillMoment } from './crashCase.ts';
import { features } from './features/all.ts';
import { featureCase, featurePlaces } from './featurePlan.ts';
import { randomFrom } from './random.ts';

/** Records, by how often an uninterrupted run of the job writes them; those that a feature has cases for are not here. */
const records = {
  prompt_set: 1,
  run_started: 1,
  request_started: 15,
  assistant_message_completed: 15,
  step_started: 19,
  step_finished: 19,
  agent_started: 2,
  agent_ended: 2,
  task_added: 2,
  task_updated: 1,
} as const;

/** Passes of the other places in an uninterrupted run, where there are more than one. */
const passes: Readonly<Record<string, number>> = {
  before_journal_write: 72,
  after_journal_write: 72,
  after_journal_barrier: 57,
  before_file_named: 9,
  after_file_named: 9,
  before_scan_added: 8,
  after_scan_added: 8,
  before_copy_staged: 3,
  after_copy_staged: 3,
  before_job_record: 9,
  after_job_record: 9,
  after_supervisor_spawn: 9,
  test_before_request: 15,
  test_streaming: 50,
  test_after_answer: 15,
};

const tornTailPoints: readonly string[] = hostCrashPoints.filter((point) => point.includes('torn_tail'));
/** Killed at in edits and reverts alike. */
const revertPoints: ReadonlySet<string> = new Set(features.revert.places.map(([point]) => point));

/** Places that are passed when a session begins, with the highest pass. */
const places: readonly (readonly [string, number])[] = [
  ...hostCrashPoints
    .filter((point) => !tornTailPoints.includes(point) && !revertPoints.has(point))
    .map((point) => [point, passes[point] ?? 1] as const),
  ...['test_before_request', 'test_streaming', 'test_after_answer'].map(
    (point) => [point, passes[point] ?? 1] as const,
  ),
  ...Object.entries(records).flatMap(([type, count]) => [
    [`test_before_${type}`, count] as const,
    [`test_after_${type}`, count] as const,
  ]),
];

/** Places that a resume passes in its first steps, whatever it goes on with. */
const resumePlaces: readonly string[] = [
  ...tornTailPoints,
  'before_journal_write',
  'after_journal_write',
  'after_journal_barrier',
  'before_lease_taken',
  'after_lease_taken',
  'after_older_leases_removed',
  'before_summary_cache',
  'after_summary_cache',
  'before_file_named',
  'after_file_named',
  'test_before_run_started',
  'test_before_session_resumed',
  'test_after_session_resumed',
  'test_before_relaunch_prepared',
  'test_after_relaunch_prepared',
  'test_before_request',
  'test_after_answer',
  'test_before_step_finished',
  'test_after_step_finished',
];

/** A step is continued only while its command runs: the slow one, cut soon after this record, which is its start. */
const slowStepRecord = 33;
const continuedPlaces = ['test_before_step_continued', 'test_after_step_continued'] as const;
/** Cases in each round that cut the slow command. */
const slowCases = 8;
/** Two agents are at work between these records, each with a command; cut there, both go on inside. */
const agentRecords = [51, 70] as const;
const agentPlaces = ['test_before_agent_resumed', 'test_after_agent_resumed'] as const;
/** Cases in each round that cut the agents at work. */
const agentCases = 8;
/** Writes of several records in one piece, and where they are torn: the first ones, added tasks, a changed task. */
const tornBatches: readonly (readonly [number, number])[] = [
  [1, 0.3],
  [1, 0.55],
  [1, 0.8],
  [5, 0.4],
  [5, 0.7],
  [39, 0.6],
];

/** Places that only the long form of the job passes, with the passes of an uninterrupted run. */
const longPlaces: readonly (readonly [string, number])[] = [
  ['test_before_history_healed', 1],
  ['test_after_history_healed', 1],
  ['test_before_results_trimmed', 1],
  ['test_after_results_trimmed', 1],
  ['test_before_compaction_started', 1],
  ['test_after_compaction_started', 1],
  ['test_before_history_compacted', 1],
  ['test_after_history_compacted', 1],
  ['test_summary_streaming', 2],
];

/** All places that a whole round must have killed something at. */
export const allPlaces: readonly string[] = [
  ...new Set([
    ...places.map(([point]) => point),
    ...resumePlaces,
    ...continuedPlaces,
    ...agentPlaces,
    ...supervisorCrashPoints,
    ...longPlaces.map(([point]) => point),
    ...featurePlaces.map(({ point }) => point),
  ]),
];

const jobCount = 9;
/** About what an uninterrupted run takes, in milliseconds. */
const runMs = 6_500;
/** Records that an uninterrupted run acknowledges. */
const recordCount = 80;
const models = ['claude-opus-4-8', 'claude-sonnet-5-5'] as const;

/** Cases in one round: each place first in one, each place of a resume and of a supervisor second in at least one. */
const shortCases = places.length + supervisorCrashPoints.length + tornBatches.length + slowCases + agentCases;
const jobCases = shortCases + longPlaces.length;
export const roundLength = jobCases + featurePlaces.length;

/** The case with this number, from 0. */
export function crashCase(seed: number, number: number): CrashCase {
  const random = randomFrom(seed * 1_000_003 + number);
  const place = featurePlaces[(number % roundLength) - jobCases];
  if (place) return featureCase(number, place, random);
  const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
  const below = (limit: number): number => Math.floor(random() * limit);
  const who = (): Kill['who'] => pick(['host', 'host', 'supervisors', 'supervisors', 'everything'] as const) ?? 'host';
  const round = Math.floor(number / roundLength);
  const index = number % roundLength;
  const longPlace = longPlaces[index - shortCases];
  const isAgentCase = longPlace === undefined && index >= shortCases - agentCases;
  const isSlowCase = index < shortCases - agentCases && index >= shortCases - agentCases - slowCases;
  const tornAt = tornBatches[index - places.length - supervisorCrashPoints.length]?.[1];

  const first: KillMoment = longPlace
    ? { kind: 'point', point: longPlace[0], pass: 1 + below(longPlace[1]) }
    : isAgentCase
      ? { kind: 'record', count: agentRecords[0] + below(agentRecords[1] - agentRecords[0]), ms: below(3) * below(60) }
      : firstMoment(index, below);
  // Both agents go on at the same time: the second pass is the other one.
  const second: KillMoment = isAgentCase
    ? { kind: 'point', point: agentPlaces[index % 2] ?? agentPlaces[0], pass: 1 + below(2) }
    : isSlowCase
      ? { kind: 'point', point: continuedPlaces[index % 2] ?? continuedPlaces[0], pass: 1 }
      : secondMoment(round + index, below);
  const third: KillMoment =
    random() < 0.5
      ? { kind: 'time', ms: below(runMs) }
      : { kind: 'record', count: 1 + below(recordCount), ms: below(60) };
  const mustTear = second.kind === 'point' && tornTailPoints.includes(second.point);
  const tear = (must = false): number | undefined => (must || random() < 0.1 ? random() : undefined);
  // What is to be found running again is left alone first.
  const firstWho = isSlowCase ? (pick(['host', 'supervisors'] as const) ?? 'host') : who();
  return {
    number,
    model: pick(models) ?? models[0],
    mode: pick(['resume', 'retry'] as const) ?? 'resume',
    form: longPlace === undefined ? 'job' : 'longJob',
    kills: [
      { at: first, who: firstWho, tear: tornAt ?? tear(mustTear) },
      { at: second, who: who(), tear: tear() },
      { at: third, who: who(), tear: tear() },
    ],
  };
}

function firstMoment(index: number, below: (limit: number) => number): KillMoment {
  const place = places[index];
  if (place) return { kind: 'point', point: place[0], pass: 1 + below(place[1]) };
  const point = supervisorCrashPoints[index - places.length];
  if (point !== undefined) return supervisorMoment(point, jobCount, below);
  const batch = tornBatches[index - places.length - supervisorCrashPoints.length];
  if (batch !== undefined) return { kind: 'point', point: 'after_journal_write', pass: batch[0] };
  // Two of each: before the command can have begun, and ever later while it runs.
  const turn = (shortCases - agentCases - 1 - index) >> 1;
  return { kind: 'record', count: slowStepRecord, ms: turn * 200 + below(150) };
}

function supervisorMoment(point: string, jobs: number, below: (limit: number) => number): KillMoment {
  const hostMs = below(2) === 0 ? undefined : below(300);
  return { kind: 'supervisor', point, job: 1 + below(jobs), hostMs };
}

function secondMoment(turn: number, below: (limit: number) => number): KillMoment {
  const choices = resumePlaces.length + supervisorCrashPoints.length + 4;
  const choice = turn % choices;
  const point = resumePlaces[choice];
  if (point !== undefined) return { kind: 'point', point, pass: 1 };
  const supervisorPoint = supervisorCrashPoints[choice - resumePlaces.length];
  if (supervisorPoint !== undefined) return supervisorMoment(supervisorPoint, 2, below);
  // Twice in a row: dead again before it has done much.
  return { kind: 'time', ms: below(400) };
}
