// The messages that wait for the next turn, above the input: each can be edited and removed until it is sent. The host
// decides whether it came in time; what came too late goes back into the input.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../src/protocol/view.ts';
import { Button, IconButton } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { Shown, shown } from './Shown.tsx';

type Queued = NonNullable<SessionView['queue']>[number];

const editKey = (id: string): string => `${id} edit`;

interface Props {
  readonly session: SessionView;
}

export function QueuedMessages({ session }: Props) {
  const { memory, model, post } = usePanel();
  const queue = session.queue ?? [];
  const [removed, setRemoved] = useState<Queued | undefined>(undefined);
  // A change is kept as a draft is, until the host has it: what was being edited before a reload is edited again.
  const [editing, setEditing] = useState<Queued | undefined>(() => {
    const changed = queue.find(({ id }) => memory.draft(editKey(id)).peek() !== '');
    return changed && { ...changed, text: memory.draft(editKey(changed.id)).peek() };
  });
  useEffect(() => {
    for (const { id, text } of queue) {
      if (memory.draft(editKey(id)).peek().trim() === text) memory.setDraft(editKey(id), '');
    }
  }, [queue]);
  const isGone = editing !== undefined && !queue.some(({ id }) => id === editing.id);
  useLayoutEffect(() => {
    if (!editing || !isGone) return;
    // It was sent while it was edited: the host refuses the change, and the text comes back as the draft.
    post({ type: 'editQueued', messageId: editing.id, text: editing.text });
    memory.setDraft(editKey(editing.id), '');
    setEditing(undefined);
  }, [editing, isGone]);

  const remove = (message: Queued): void => {
    setRemoved(message);
    post({ type: 'removeQueued', messageId: message.id });
    document.getElementById('message')?.focus();
  };
  const undo = (message: Queued): void => {
    const key = model.sessionKey.peek();
    const draft = memory.draft(key).peek();
    memory.setDraft(key, draft.trim() === '' ? message.text : `${message.text}\n\n${draft}`);
    setRemoved(undefined);
    document.getElementById('message')?.focus();
  };
  if (queue.length === 0 && !removed) return null;
  return (
    <section class="queue" aria-label="Queued messages">
      {queue.length > 0 && (
        <>
          <div class="queue-heading">
            {session.state === 'running' ? 'Queued: sent after the current step' : 'Queued: sent with the next run'}
          </div>
          <ol>
            {queue.map((message) => (
              <li key={message.id}>
                {editing?.id === message.id ? (
                  <EditField
                    text={editing.text}
                    onInput={(text) => {
                      memory.setDraft(editKey(message.id), text);
                      setEditing({ ...message, text });
                    }}
                    onEnd={(keep) => {
                      const text = editing.text.trim();
                      setEditing(undefined);
                      if (keep && text !== '' && text !== message.text)
                        post({ type: 'editQueued', messageId: message.id, text });
                      else memory.setDraft(editKey(message.id), '');
                    }}
                  />
                ) : (
                  <Row
                    message={message}
                    readOnly={session.readOnly !== undefined}
                    onEdit={() => {
                      setRemoved(undefined);
                      setEditing(message);
                    }}
                    onRemove={() => remove(message)}
                  />
                )}
              </li>
            ))}
          </ol>
        </>
      )}
      {removed && (
        <div class="queue-removed" role="status">
          <span>
            {removed.along === undefined
              ? 'Removed from the queue.'
              : `Removed from the queue. Undo brings its words back, not: ${removed.along}.`}
          </span>
          <Button kind="link" label="Undo" hint="Put it back into the input" onPress={() => undo(removed)} />
        </div>
      )}
    </section>
  );
}

function Row(props: {
  readonly message: Queued;
  readonly readOnly: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { text, along } = props.message;
  const row = (
    <>
      <Shown text={text} kind="prose" />
      {along !== undefined && <span class="queue-along">{text === '' ? along : ` · ${along}`}</span>}
    </>
  );
  const said = [shown(text, 'prose'), along].filter((each) => each !== undefined && each !== '').join(', ');
  if (props.readOnly) {
    return (
      <div class="queue-row">
        <Icon name="clock" class="queue-icon" />
        <span class="queue-text" title={shown(text, 'prose')}>
          {row}
        </span>
      </div>
    );
  }
  return (
    <div class="queue-row">
      <Icon name="clock" class="queue-icon" />
      <button
        type="button"
        class="queue-text"
        title={`${said}\nEnter edits, Delete removes`}
        aria-label={`Queued: ${said}`}
        onClick={props.onEdit}
        onKeyDown={(event) => {
          if (event.key === 'F2') props.onEdit();
          else if (event.key === 'Delete' || event.key === 'Backspace') props.onRemove();
          else return;
          event.preventDefault();
        }}
      >
        {row}
      </button>
      <IconButton icon="edit" label="Edit queued message" onPress={props.onEdit} />
      <IconButton icon="close" label="Remove queued message" onPress={props.onRemove} />
    </div>
  );
}

function EditField(props: {
  readonly text: string;
  readonly onInput: (text: string) => void;
  readonly onEnd: (keep: boolean) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const hasEnded = useRef(false);
  useLayoutEffect(() => {
    const el = field.current;
    el?.focus();
    el?.setSelectionRange(el.value.length, el.value.length);
  }, []);
  const end = (keep: boolean): void => {
    // The field loses the keyboard when it goes away, too.
    if (hasEnded.current) return;
    hasEnded.current = true;
    props.onEnd(keep);
  };
  return (
    <textarea
      ref={field}
      class="field queue-field"
      aria-label="Edit queued message"
      title="Enter keeps, Shift+Enter breaks the line, Escape drops the change"
      rows={Math.min(6, props.text.split('\n').length + 1)}
      value={props.text}
      onInput={(event) => props.onInput(event.currentTarget.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        const keeps = event.key === 'Enter' && !event.shiftKey;
        if (!keeps && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        end(keeps);
        document.getElementById('message')?.focus();
      }}
    />
  );
}
