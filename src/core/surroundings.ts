// What the model is told beside a message of the user: the state of the repository and the open editors, in short.
import type { Looked } from './resumeContext.ts';
import { countOf } from './words.ts';

export interface Surroundings {
  readonly git?: {
    readonly branch?: string;
    readonly ahead: number;
    readonly behind: number;
    readonly changes: readonly string[];
    readonly changeCount: number;
  };
  readonly editors: Looked<readonly { readonly path: string; readonly active: boolean; readonly unsaved: boolean }[]>;
}

const listedEditors = 20;

/** In a few lines; empty when there is nothing to say. Pure. */
export function surroundingsText({ git, editors }: Surroundings): string {
  const lines: string[] = [];
  if (git) {
    const drift = [
      ...(git.ahead > 0 ? [`${git.ahead} ahead`] : []),
      ...(git.behind > 0 ? [`${git.behind} behind`] : []),
    ];
    const branch = git.branch === undefined ? 'no branch' : `branch ${git.branch}`;
    const more = git.changeCount - git.changes.length;
    const changed = git.changeCount === 0 ? 'nothing changed' : `${countOf(git.changeCount, 'changed file')}:`;
    lines.push(`Git: ${[branch, ...drift].join(', ')}; ${changed}`, ...git.changes.map((change) => `  ${change}`));
    if (more > 0) lines.push(`  and ${more} more`);
  }
  if (editors.ok && editors.value.length > 0) {
    const named = editors.value.slice(0, listedEditors).map(({ path, active, unsaved }) => {
      const marks = [...(active ? ['active'] : []), ...(unsaved ? ['unsaved'] : [])];
      return marks.length === 0 ? path : `${path} (${marks.join(', ')})`;
    });
    const more = editors.value.length - named.length;
    lines.push(`Open editors: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`);
  }
  return lines.join('\n');
}
