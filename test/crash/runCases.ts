// Runs cases of the plan, several at a time, until there were enough kills, and adds up what they showed.
import { bundlePrograms, type Programs } from './bundle.ts';
import { forms, runCase, type CaseResult, type CaseSetup, type Form } from './crashCase.ts';
import { allPlaces, crashCase, roundLength } from './plan.ts';

export interface RunOptions {
  readonly seed: number;
  /** At least so many, in whole rounds of the plan's places. */
  readonly kills: number;
  readonly parallel: number;
  readonly keep: boolean;
  /** Only this case. */
  readonly only?: number | undefined;
  /** Only the cases of this form. */
  readonly form?: Form | undefined;
  readonly onCase?: (result: CaseResult, done: Summary) => void;
}

export interface Summary {
  readonly cases: number;
  readonly kills: number;
  readonly resumes: number;
  readonly stepsRunTwice: number;
  readonly stepsLost: number;
  readonly refused: number;
  readonly leftOver: number;
  readonly seconds: number;
  readonly failed: readonly CaseResult[];
  /** Places of the plan at which nothing was killed. */
  readonly unreached: readonly string[];
}

/** Rounds of the plan that are looked through for cases that aim at a place which was missed. */
const rounds = 4;

/** Runs until the kills are enough and each place was reached; a case that fails does not stop the others. */
export async function runCases(options: RunOptions): Promise<Summary> {
  const programs = await bundlePrograms();
  try {
    return await runWith(programs, options);
  } finally {
    await programs.dispose();
  }
}

async function runWith(programs: Programs, options: RunOptions): Promise<Summary> {
  const { seed, only, form } = options;
  const startedAt = performance.now();
  const setup = await uninterrupted(programs, options);
  const results: CaseResult[] = [];
  const summary = (): Summary => addUp(results, startedAt, only === undefined && form === undefined);
  let next = only ?? 0;
  let tried = roundLength;
  /** A later case that aims at a place where nothing was killed yet: a busy machine passes some places too late. */
  const aimed = (missing: ReadonlySet<string>): number | undefined => {
    for (; tried < roundLength * rounds; tried++) {
      const { kills } = crashCase(seed, tried);
      if (kills.some(({ at }) => at.kind === 'point' && missing.has(at.point))) return tried++;
    }
    return undefined;
  };
  const nextCase = (): number | undefined => {
    if (only !== undefined) return next === only ? next++ : undefined;
    const { kills, unreached } = addUp(results, startedAt, form === undefined);
    if (options.form !== undefined) while (crashCase(seed, next).form !== options.form) next += 1;
    if (next < roundLength || kills < options.kills) return next++;
    return unreached.length === 0 ? undefined : aimed(new Set(unreached));
  };
  const work = async (): Promise<void> => {
    for (let number = nextCase(); number !== undefined; number = nextCase()) {
      const result = await runCase(crashCase(seed, number), setup);
      results.push(result);
      options.onCase?.(result, summary());
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  return summary();
}

/** The runs that nothing interrupts: they must be right themselves, and their files are what all others are compared with. */
async function uninterrupted(programs: Programs, options: RunOptions): Promise<CaseSetup> {
  const { keep, seed, only, parallel } = options;
  const expected = new Map<Form, ReadonlyMap<string, string>>();
  const one = only === undefined ? options.form : crashCase(seed, only).form;
  const open: Form[] = one === undefined ? [...forms] : [one];
  const work = async (): Promise<void> => {
    for (let form = open.shift(); form !== undefined; form = open.shift()) {
      const calm = { number: -1, model: 'claude-opus-4-8', mode: 'resume', form, kills: [] } as const;
      const of = form;
      const onFiles = (files: ReadonlyMap<string, string>): void => void expected.set(of, files);
      const { violations } = await runCase(calm, { programs, expectedFiles: () => undefined, keep, onFiles });
      const wrong = violations.map(({ rule, detail }) => `${rule}: ${detail}`).join('; ');
      if (wrong !== '') throw new Error(`The uninterrupted run of ${form} is wrong: ${wrong}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return { programs, expectedFiles: (form) => expected.get(form), keep };
}

function addUp(results: readonly CaseResult[], startedAt: number, wholeRound: boolean): Summary {
  const sum = (of: (result: CaseResult) => number): number => results.reduce((total, one) => total + of(one), 0);
  const reached = new Set(results.flatMap((result) => result.reached));
  return {
    cases: results.length,
    kills: sum((one) => one.kills),
    resumes: sum((one) => one.resumes),
    stepsRunTwice: sum((one) => one.stepsRunTwice),
    stepsLost: sum((one) => one.stepsLost),
    refused: sum((one) => one.refused),
    leftOver: sum((one) => one.leftOver),
    seconds: Math.round((performance.now() - startedAt) / 1000),
    failed: results.filter(({ violations }) => violations.length > 0),
    unreached: wholeRound ? allPlaces.filter((place) => !reached.has(place)) : [],
  };
}
