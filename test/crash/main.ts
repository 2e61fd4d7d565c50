// The proof by killing, as a program: node test/crash/main.ts [--kills N] [--seed S] [--case C] [--form F] [--parallel P] [--keep]
// Ends with 1 when anything that must hold did not.
import { parseArgs } from 'node:util';
import { forms, type CaseResult } from './crashCase.ts';
import { crashCase } from './plan.ts';
import { runCases, type Summary } from './runCases.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    case: { type: 'string' },
    form: { type: 'string' },
    parallel: { type: 'string', default: '4' },
    keep: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const form = forms.find((one) => one === values.form);
if (values.form !== undefined && form === undefined)
  throw new Error(`There is no form ${values.form}: ${forms.join(', ')}`);
const only = values.case === undefined ? undefined : Number(values.case);
if (only !== undefined) console.log(JSON.stringify(crashCase(seed, only), undefined, 2));

const summary = await runCases({
  seed,
  only,
  form,
  kills: Number(values.kills),
  parallel: only === undefined ? Number(values.parallel) : 1,
  keep: values.keep,
  onCase: report,
});
printTable(summary);
process.exitCode = summary.failed.length > 0 || summary.unreached.length > 0 ? 1 : 0;

function report({ number, violations }: CaseResult, { cases, kills, seconds }: Summary): void {
  for (const { rule, detail } of violations) console.log(`case ${number} breaks "${rule}": ${detail.slice(0, 2_000)}`);
  if (violations.length > 0) console.log(`  again: npm run crash -- --seed ${seed} --case ${number} --keep`);
  if (cases % 25 === 0) console.log(`${cases} cases, ${kills} kills, ${seconds} s`);
}

function printTable(result: Summary): void {
  const { cases, kills, resumes, stepsRunTwice, stepsLost, refused, leftOver, seconds, failed, unreached } = result;
  if (unreached.length > 0) console.log(`nothing was killed at: ${unreached.join(', ')}`);
  const columns: readonly (readonly [string, number])[] = [
    ['cases', cases],
    ['kills', kills],
    ['resumes', resumes],
    ['steps run twice', stepsRunTwice],
    ['steps lost', stepsLost],
    ['requests refused', refused],
    ['left-over processes', leftOver],
    ['cases that failed', failed.length],
    ['seconds', seconds],
  ];
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padStart(columns[index]?.[0].length ?? 0)).join(' | ')} |`;
  console.log(row(columns.map(([name]) => name)));
  console.log(row(columns.map(([name]) => '-'.repeat(name.length))));
  console.log(row(columns.map(([, value]) => String(value))));
}
