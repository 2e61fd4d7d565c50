// A process of its own that puts one small file in place, at a named place of which it is killed or stopped.
import { replaceFile } from '../../../src/platform/durableFiles.ts';

await replaceFile(process.argv[2] ?? '', '{}');
