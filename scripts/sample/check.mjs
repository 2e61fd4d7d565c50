import { readPoints } from './points.mjs';

const points = readPoints();
const broken = points.filter(([x, y]) => !Number.isFinite(x) || !Number.isFinite(y));
console.log(`${points.length} points, ${broken.length} broken`);
process.exitCode = broken.length === 0 ? 0 : 1;
