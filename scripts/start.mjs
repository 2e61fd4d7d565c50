// `npm start`: a real VS Code with the extension installed, on a small sample workspace.
import { runOnProjectNode } from './bootstrap.mjs';

await runOnProjectNode('startEditor.ts');
