import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fit, readPoints } from './points.mjs';

const trials = Number(process.argv[2] ?? 50);
const points = readPoints();
let best;
mkdirSync('results', { recursive: true });
for (let trial = 1; trial <= trials; trial++) {
  const result = fit(points, 0.001 * 1.12 ** trial, 200);
  // A real trial takes minutes; this one is long enough to be stopped.
  await pause(1500);
  writeFileSync(`results/trial-${String(trial).padStart(2, '0')}.json`, `${JSON.stringify(result)}\n`);
  if (Number.isFinite(result.loss) && (best === undefined || result.loss < best.loss)) best = result;
  console.log(`trial ${trial}/${trials}  rate ${result.rate.toFixed(4)}  best ${best?.loss.toFixed(4) ?? 'none'}`);
}
writeFileSync('best.json', `${JSON.stringify(best, undefined, 2)}\n`);
