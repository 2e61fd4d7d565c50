// The task list, folded to one line: how far it is and what is being done.
import { unreachable } from '../../src/core/errors.ts';
import type { SessionView } from '../../src/protocol/view.ts';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { Shown, shown } from './Shown.tsx';

type Task = SessionView['tasks'][number];

function taskMark(status: Task['status']): { readonly icon: string; readonly word: string } {
  switch (status) {
    case 'pending':
      return { icon: 'circle-large-outline', word: 'to do' };
    case 'in_progress':
      return { icon: 'circle-large-filled', word: 'in progress' };
    case 'completed':
      return { icon: 'check', word: 'done' };
    default:
      return unreachable(status);
  }
}

export function Plan(props: { readonly tasks: readonly Task[] }) {
  const { memory, model } = usePanel();
  const key = model.sessionKey.value;
  const open = memory.fold(key, 'plan', false).value;
  const { tasks } = props;
  if (tasks.length === 0) return null;
  const done = tasks.filter((task) => task.status === 'completed').length;
  const current = tasks.find((task) => task.status === 'in_progress');
  const action = open ? 'Fold the plan' : 'Show the plan';
  return (
    <section class="plan" aria-label="Plan">
      <button
        type="button"
        class="plan-line"
        aria-expanded={open}
        title={action}
        onClick={() => memory.setFold(key, 'plan', !open)}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="plan-name">Plan</span>
        <span class="plan-count">
          {done} of {tasks.length}
        </span>
        {!open && current && (
          <span class="plan-current" title={shown(current.title, 'prose')}>
            <Shown text={current.title} kind="prose" />
          </span>
        )}
      </button>
      {open && (
        <ul class="plan-tasks" tabIndex={0} aria-label="Tasks">
          {tasks.map((task) => {
            const mark = taskMark(task.status);
            return (
              <li key={task.id} class={`task task-${task.status}`}>
                <Icon name={mark.icon} />
                <span class="visually-hidden">{mark.word}: </span>
                <span>
                  <Shown text={task.title} kind="prose" />
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
