import { readFileSync } from 'node:fs';

/** The points of data/points.csv as [x, y]. */
export function readPoints() {
  const [, ...lines] = readFileSync(new URL('data/points.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => line.split(',').map(Number));
}

/** Fits y = slope * x + offset by gradient descent. */
export function fit(points, rate, epochs) {
  let slope = 0;
  let offset = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    let slopeStep = 0;
    let offsetStep = 0;
    for (const [x, y] of points) {
      const error = slope * x + offset - y;
      slopeStep += (error * x) / points.length;
      offsetStep += error / points.length;
    }
    slope -= rate * slopeStep;
    offset -= rate * offsetStep;
  }
  const loss = points.reduce((sum, [x, y]) => sum + (slope * x + offset - y) ** 2, 0) / points.length;
  return { rate, epochs, slope, offset, loss };
}
