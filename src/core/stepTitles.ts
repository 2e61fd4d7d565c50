// How a tool call is named on screen and in the resume context: a verb that follows its status, and a subject.
import { ellipsis } from './wellFormed.ts';
import { countOf } from './words.ts';

/** `asked` and `cut`: the run ended while it waited for the user, or in its middle. */
export type TitlePhase = 'asks' | 'asked' | 'running' | 'cut' | 'ended';

interface Verbs {
  readonly asks: string;
  readonly running: string;
  readonly ended: string;
  readonly subject: (input: Readonly<Record<string, unknown>>) => string;
  /** Whether the subject is a workspace path that can be opened. */
  readonly isPath?: true;
}

const field =
  (name: string) =>
  (input: Readonly<Record<string, unknown>>): string => {
    const value = input[name];
    return typeof value === 'string' ? value : '';
  };

const verbs: Readonly<Record<string, Verbs>> = {
  run_command: { asks: 'Wants to run', running: 'Running', ended: 'Ran', subject: field('command') },
  read: { asks: 'Wants to read', running: 'Reading', ended: 'Read', subject: field('file_path'), isPath: true },
  write: { asks: 'Wants to write', running: 'Writing', ended: 'Wrote', subject: field('file_path'), isPath: true },
  edit: { asks: 'Wants to edit', running: 'Editing', ended: 'Edited', subject: field('file_path'), isPath: true },
  delegate: {
    asks: 'Wants to delegate to',
    running: 'Delegating to',
    ended: 'Delegated to',
    subject: (input) => `${field('agent')(input)}: ${field('label')(input) || field('task')(input)}`,
  },
  glob: { asks: 'Wants to list', running: 'Listing', ended: 'Listed', subject: field('pattern') },
  grep: { asks: 'Wants to search', running: 'Searching', ended: 'Searched', subject: field('pattern') },
};

const genericVerbs = { asks: 'Wants to use', running: 'Using', ended: 'Used' };

function verbOf(known: Pick<Verbs, 'asks' | 'running' | 'ended'>, phase: TitlePhase): string {
  switch (phase) {
    case 'asked':
      return known.asks.replace('Wants', 'Wanted');
    case 'cut':
      return `Was ${known.running.toLowerCase()}`;
    case 'asks':
    case 'running':
    case 'ended':
      return known[phase];
  }
}

const noTitles: ReadonlyMap<string, string> = new Map();

/** A change of one task reads as what happened to it: "Completed  Check the data". */
function taskTitle(input: Readonly<Record<string, unknown>>, titles: ReadonlyMap<string, string>): StepTitle {
  const { action, title, id, status } = input;
  const several = Array.isArray(input.titles) ? input.titles.length : 0;
  const known = typeof id === 'string' ? (titles.get(id) ?? id) : '';
  const subject = typeof title === 'string' ? title : several > 0 ? countOf(several, 'task') : known;
  if (action === 'update') {
    const verb = status === 'completed' ? 'Completed' : status === 'in_progress' ? 'Started' : 'Changed';
    return { verb, subject: ellipsis(subject, 200) };
  }
  if (action === 'delete') return { verb: 'Dropped', subject: ellipsis(subject, 200) };
  return action === 'list'
    ? { verb: 'Looked at', subject: 'the plan' }
    : { verb: 'Planned', subject: ellipsis(subject, 200) };
}

export interface StepTitle {
  readonly verb: string;
  /** One line, at most 200 characters. */
  readonly subject: string;
  readonly path?: string;
}

/**
 * The words for one call. A tool that is not known here is named as it is.
 * @param taskTitles titles of the tasks by id, where they are known
 */
export function stepTitle(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  phase: TitlePhase,
  taskTitles = noTitles,
): StepTitle {
  if (tool === 'tasks') return taskTitle(input, taskTitles);
  // The name comes from the model: it may be that of something every object has.
  const known = Object.hasOwn(verbs, tool) ? verbs[tool] : undefined;
  if (!known) {
    return { verb: verbOf(genericVerbs, phase), subject: tool };
  }
  const full = known.subject(input);
  const subject = ellipsis(full.replace(/\s*\n\s*/g, ' ⏎ ').trim(), 200);
  return { verb: verbOf(known, phase), subject, ...(known.isPath && full !== '' && { path: full }) };
}
