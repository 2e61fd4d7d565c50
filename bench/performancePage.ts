// The page that the benchmarks write: one table, with what it was measured on.
import { cpus, release, totalmem } from 'node:os';
import type { Result } from './result.ts';

/** What one benchmark found. */
export interface Measured {
  readonly results: readonly Result[];
  /** How much of the cores others used before and after it. */
  readonly busy: string;
}

/** docs/performance.md, whole. */
export function performancePage(measured: readonly Measured[], seconds: number): string {
  const cores = cpus();
  const facts = [
    `${cores.length} cores (${cores[0]?.model ?? 'unknown'})`,
    `${Math.round(totalmem() / 1024 ** 3)} GB of memory`,
    `${process.platform} ${release().split('-', 1)[0] ?? ''}`,
    `Node ${process.version}`,
  ];
  const rows = measured.flatMap(({ results, busy }) =>
    results.map(({ what, measured: value, baseline, ratio, target, met }) =>
      row([what, value, baseline, ratio, target, met === undefined ? '' : met ? 'yes' : '**no**', busy]),
    ),
  );
  return [
    '# Performance',
    '',
    'Written by `npm run bench`; not edited by hand. Every benchmark has its baseline in the same run, and the two are done',
    'in turn, so that a busy machine slows both. Times are medians, with the shortest and the longest beside them; a ratio',
    'is the median of the ratios of the pairs. Files are in memory unless it says otherwise. A resume and a list are done by',
    'a process of its own, bundled as the extension is and without a code cache. Targets are judged by the median. The last',
    'column is how much of the cores other programs used just before and just after the benchmark; each resume waits for',
    'a quiet moment.',
    '',
    `Measured in ${Math.round(seconds)} s on ${facts.join(', ')}.`,
    '',
    row(['what', 'measured', 'baseline', 'ratio', 'target', 'met', 'others']),
    row(Array.from({ length: 7 }, () => '---')),
    ...rows,
    '',
  ].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
