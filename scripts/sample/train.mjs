import { writeFileSync } from 'node:fs';
import { fit, readPoints } from './points.mjs';

const [rate = '0.01', epochs = '200'] = process.argv.slice(2);
const model = fit(readPoints(), Number(rate), Number(epochs));
writeFileSync('model.json', `${JSON.stringify(model, undefined, 2)}\n`);
console.log(`loss ${model.loss.toFixed(4)} (slope ${model.slope.toFixed(3)}, offset ${model.offset.toFixed(3)})`);
