// The proof that what is sent is never lost, as a program: node test/sends/main.ts [--kills N] [--seed S] [--kind K] [--place P]
// Ends with 1 when a message was lost or came twice.
import { parseArgs } from 'node:util';
import { sendCases } from './sendCases.ts';
import { killKinds, places, SendRun, type SendResult } from './sendRun.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
    place: { type: 'string' },
  },
});
const kind = oneOf(killKinds, values.kind);
const place = oneOf(places, values.place);
const began = performance.now();
const results: SendResult[] = [];
const run = await SendRun.start();
try {
  for (const one of sendCases(Number(values.seed), Number(values.kills))) {
    const result = await run.try({ ...one, ...(kind && { kind }), ...(place && { place }) });
    results.push(result);
    report(result);
  }
} finally {
  await run.dispose();
}
printTable();
const isWrong = ({ outcome }: SendResult): boolean => outcome === 'lost' || outcome === 'doubled';
process.exitCode = results.some(isWrong) ? 1 : 0;

function oneOf<T extends string>(known: readonly T[], word: string | undefined): T | undefined {
  const found = known.find((one) => one === word);
  if (word !== undefined && found === undefined) throw new Error(`There is no ${word}: ${known.join(', ')}`);
  return found;
}

function report({ number, kind: killed, place: where, delayMs, isBusy, outcome, detail }: SendResult): void {
  const at = `${Math.round(delayMs)} ms after the key${isBusy ? ', busy' : ''}`;
  console.log(`${number}: ${killed} killed, ${where}, ${at}: ${outcome}${detail === '' ? '' : ` (${detail})`}`);
}

function printTable(): void {
  const columns = ['kills', 'recorded', 'given back', 'both at rest', 'lost', 'doubled'];
  const rowOf = (name: string, of: readonly SendResult[]): readonly string[] => {
    const count = (outcome: SendResult['outcome']): number => of.filter((each) => each.outcome === outcome).length;
    const both = of.filter(({ wasBoth }) => wasBoth).length;
    return [
      name,
      ...[of.length, count('recorded'), count('given back'), both, count('lost'), count('doubled')].map(String),
    ];
  };
  const rows = [
    ['', ...columns],
    ...killKinds.map((each) =>
      rowOf(
        each,
        results.filter((result) => result.kind === each),
      ),
    ),
    rowOf('all', results),
  ];
  const widths = ['all'.length + 3, ...columns.map(({ length }) => length)];
  for (const row of rows) console.log(`| ${row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join(' | ')} |`);
  console.log(`${Math.round((performance.now() - began) / 1000)} s`);
}
