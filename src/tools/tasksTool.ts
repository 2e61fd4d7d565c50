// The tool that keeps the session's task list. It changes nothing but records of the session, written with the step's end.
import { z } from 'zod';
import { unreachable } from '../core/errors.ts';
import { taskStatuses, type NewEvent, type Task } from '../core/events.ts';
import type { Step } from '../core/sessionState.ts';
import { ToolInputError, type Recovery, type Tool, type ToolContext, type ToolResult } from '../runner/ports.ts';
import { hashBytes } from './fileHash.ts';
import { rerun } from './readPlan.ts';
import { freeze } from './sdkTools.ts';
import { stoppedWithoutEffect } from './stopReason.ts';
import { parseToolInput } from './toolInput.ts';

const titleSchema = z
  .string()
  .transform((title) => title.toWellFormed().replace(/\s+/g, ' ').trim())
  .pipe(z.string().min(1, 'must not be empty').max(500, 'must have at most 500 characters'));
const inputSchema = z.object({
  action: z.enum(['add', 'update', 'delete', 'list']),
  title: titleSchema.optional(),
  titles: z.array(titleSchema).min(1, 'must not be empty').max(100, 'must have at most 100 entries').optional(),
  id: z.string().optional(),
  status: z.enum(taskStatuses).optional(),
});
type TasksInput = z.infer<typeof inputSchema>;

const definition = freeze({
  name: 'tasks',
  description:
    'Keep the task list of this session; the user sees it, and it survives interruptions. Add the steps of longer work before starting, set one to in_progress while working on it, and to completed as soon as it is done. The answer is the whole list with ids.',
  input_schema: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['add', 'update', 'delete', 'list'] },
      title: { type: 'string', description: 'For add: the task. For update: its new title.' },
      titles: { type: 'array', items: { type: 'string' }, description: 'For add: several tasks at once, in order.' },
      id: { type: 'string', description: 'For update and delete: which task.' },
      status: { type: 'string', enum: [...taskStatuses], description: 'For add and update.' },
    },
    required: ['action'],
  },
});

type TaskEvent = Extract<NewEvent, { type: 'task_added' | 'task_updated' | 'task_deleted' }>;

export function createTasksTool(): Tool {
  return {
    definition,
    effect: 'tasks',
    plan(input, context) {
      const parsed = parseToolInput('tasks', inputSchema, input);
      const events = taskEvents(parsed, context);
      return Promise.resolve({
        preview: parsed.action,
        execute: () => Promise.resolve(taskResult(events, context)),
      });
    },
    recover: recoverTasks,
  };
}

/** A cut call is run again, unless its one record was written and can't be written again: a deletion. */
function recoverTasks(step: Step, context: ToolContext): Promise<Recovery> {
  const { tasks } = context;
  const parsed = inputSchema.safeParse(step.input);
  if (!parsed.success || parsed.data.action !== 'delete' || tasks.some(({ id }) => id === parsed.data.id))
    return rerun();
  return Promise.resolve({ kind: 'settled', result: { outcome: 'succeeded', content: describeTasks(tasks) } });
}

function taskResult(events: readonly TaskEvent[], context: ToolContext): ToolResult {
  if (context.signal.aborted) {
    return stoppedWithoutEffect(context.signal, 'not_started', 'Stopped before the task list was changed.');
  }
  const tasks = events.reduce(applyTaskEvent, context.tasks);
  return { outcome: 'succeeded', content: describeTasks(tasks), ...(events.length > 0 && { events }) };
}

function taskEvents(input: TasksInput, context: ToolContext): readonly TaskEvent[] {
  const { action, title, titles, status } = input;
  switch (action) {
    case 'list':
      return [];
    case 'add': {
      const all = [...(title === undefined ? [] : [title]), ...(titles ?? [])];
      if (all.length === 0) throw new ToolInputError('tasks: add needs title or titles.');
      const ids = newTaskIds(context.stepId, all, context.tasks);
      return all.flatMap((text, index) => {
        const id = ids[index] ?? '';
        if (context.tasks.some((task) => task.id === id)) return [];
        return [{ type: 'task_added', task: { id, title: text, status: status ?? 'pending' } }];
      });
    }
    case 'update': {
      const id = knownId(input, context.tasks);
      if (title === undefined && status === undefined) throw new ToolInputError('tasks: update needs status or title.');
      return [{ type: 'task_updated', id, ...(title !== undefined && { title }), ...(status && { status }) }];
    }
    case 'delete':
      return [{ type: 'task_deleted', id: knownId(input, context.tasks) }];
    default:
      return unreachable(action);
  }
}

function knownId({ action, id }: TasksInput, tasks: readonly Task[]): string {
  if (id === undefined) throw new ToolInputError(`tasks: ${action} needs the id of a task.`);
  if (tasks.some((task) => task.id === id)) return id;
  const known = tasks.length === 0 ? 'The list is empty.' : `Known ids: ${tasks.map((task) => task.id).join(', ')}.`;
  throw new ToolInputError(`tasks: there is no task with id "${id}". ${known}`);
}

const idDigits = 5;

/**
 * Ids made from the step's id, the same whenever the step is run again: a task that is there under such an id with its
 * title was added by an attempt that was cut, and keeps it. Not counted: a number would come back after the last task was
 * deleted, and mean another task to whoever remembers it.
 */
function newTaskIds(stepId: string, titles: readonly string[], tasks: readonly Task[]): readonly string[] {
  const titleOf = new Map(tasks.map((task) => [task.id, task.title]));
  const ids: string[] = [];
  for (let salt = 0; ids.length < titles.length; salt++) {
    const number = BigInt(`0x${hashBytes(`${stepId}:${String(salt)}`)}`);
    const id = `t${number.toString(36).slice(-idDigits)}`;
    const taken = titleOf.get(id) ?? titles[ids.length];
    if (!ids.includes(id) && taken === titles[ids.length]) ids.push(id);
  }
  return ids;
}

function applyTaskEvent(tasks: readonly Task[], event: TaskEvent): readonly Task[] {
  switch (event.type) {
    case 'task_added':
      return [...tasks, event.task];
    case 'task_updated':
      return tasks.map((task) =>
        task.id === event.id
          ? { id: task.id, title: event.title ?? task.title, status: event.status ?? task.status }
          : task,
      );
    case 'task_deleted':
      return tasks.filter((task) => task.id !== event.id);
    default:
      return unreachable(event);
  }
}

const marks = { completed: '[x]', in_progress: '[~]', pending: '[ ]' } as const;

function describeTasks(tasks: readonly Task[]): string {
  if (tasks.length === 0) return 'The task list is empty.';
  const count = (status: Task['status']): string => String(tasks.filter((task) => task.status === status).length);
  const counts = `${count('completed')} of ${String(tasks.length)} completed, ${count('in_progress')} in progress, ${count('pending')} pending`;
  return [counts, ...tasks.map((task) => `${marks[task.status]} ${task.id} ${task.title}`)].join('\n');
}
