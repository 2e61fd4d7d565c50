// `npm test`: everything there is to check, from a fresh clone. `npm test -- unit host` runs a subset.
import { runOnProjectNode } from './bootstrap.mjs';

await runOnProjectNode('testPhases.ts');
