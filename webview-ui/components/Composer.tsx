// The input: a draft that is never lost, Send (which queues while a run goes on) and Stop, and the mode in which steps
// are allowed.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalMode } from '../../src/core/events.ts';
import { parseSlash } from '../../src/core/slashCommands.ts';
import type { PanelView } from '../../src/protocol/view.ts';
import { withMentions } from '../completion.ts';
import { carriesSomething } from '../droppedFiles.ts';
import { editText } from '../editText.ts';
import { IconButton } from './Button.tsx';
import { CompletionList } from './CompletionList.tsx';
import { ConnectionNote } from './ConnectionNote.tsx';
import { usePanel } from './context.ts';
import { DraftImageRow } from './DraftImages.tsx';
import { FolderChoice } from './FolderChoice.tsx';
import { Icon } from './Icon.tsx';
import { ImageButton } from './ImageButton.tsx';
import { SendingMessages } from './SendingMessages.tsx';
import { listId, optionId, useCompletion } from './useCompletion.ts';
import { useDraftImages } from './useDraftImages.ts';
import { useInputHistory } from './useInputHistory.ts';
import { useTransfer } from './useTransfer.ts';

const modeLabels: Readonly<Record<ApprovalMode, string>> = {
  ask: 'ask',
  acceptEdits: 'accept edits',
  sandbox: 'sandbox',
  allowAll: 'allow all',
};
const modeHints: Readonly<Record<ApprovalMode, string>> = {
  ask: 'Ask before each command and each edit',
  acceptEdits: 'Edits without asking, ask before commands',
  sandbox:
    'Edits and commands without asking; commands are confined to the folder, and asked about when they need more',
  allowAll: 'Commands and edits without asking',
};

function isApprovalMode(value: string): value is ApprovalMode {
  return Object.hasOwn(modeLabels, value);
}

export function Composer(props: { readonly panel: PanelView }) {
  const { assist, memory, model, outbox, refusals, scroll, post } = usePanel();
  const { session } = props.panel;
  const source = session?.source ?? props.panel.source.text;
  const key = model.sessionKey.value;
  const draft = memory.draft(key).value;
  const field = useRef<HTMLTextAreaElement>(null);
  const [inputNote, setInputNote] = useState('');
  const draftImages = useDraftImages(key);
  const refused = refusals.reason.value;
  const isRunning = session?.state === 'running';
  const readOnly = session?.readOnly !== undefined;
  // What is written stays; nobody would hear of what is sent.
  const isLost = model.link.value === 'lost';

  useLayoutEffect(() => {
    const el = field.current;
    if (!el) return;
    // The height follows the text; the limit of ten lines is in the style sheet.
    el.style.height = 'auto';
    el.style.height = `${el.scrollHeight + el.offsetHeight - el.clientHeight}px`;
  }, [draft, key]);
  const focusRequests = model.focusRequests.value;
  useLayoutEffect(() => {
    if (focusRequests > 0) field.current?.focus();
  }, [focusRequests]);
  useLayoutEffect(() => {
    if (refused !== undefined) field.current?.focus();
  }, [refused]);

  const edit = (text: string, caret = text.length): void => {
    if (field.current) editText(field.current, text, caret);
  };
  const completion = useCompletion({
    field,
    panel: props.panel,
    edit: ({ text, caret }) => edit(text, caret),
    onMention: (name) => memory.setPicked(key, [...new Set([...memory.picked(key), name])]),
    onCommand: (text) => runCommand(text),
  });
  const onHistoryKey = useInputHistory(draft, edit);
  const transfer = useTransfer(draftImages.add, setInputNote);
  const dropped = assist.dropped.value;
  useEffect(() => {
    if (!dropped || !field.current) return;
    setInputNote(dropped.problem ?? '');
    if (dropped.names.length === 0) return;
    memory.setPicked(key, [...new Set([...memory.picked(key), ...dropped.names])]);
    const { text, caret } = withMentions(field.current.value, field.current.selectionStart, dropped.names);
    edit(text, caret);
  }, [dropped]);

  /** Whether the text was a command, done or refused in words. */
  const runCommand = (written: string): boolean => {
    const slash = parseSlash(written);
    if (!slash) return false;
    const { commands = [] } = session ?? props.panel;
    const refusal =
      slash.kind === 'refused' ? slash.reason : commands.find(({ name }) => name === slash.name)?.unavailable;
    setInputNote(refusal ?? '');
    if (slash.kind === 'refused' || refusal !== undefined) return true;
    refusals.clear();
    outbox.sendCommand(key, { name: slash.name, argument: slash.argument, text: written });
    return true;
  };
  const send = (): void => {
    completion.close();
    const written = memory.draft(key).peek();
    const text = written.trim();
    const { images } = draftImages;
    if ((text === '' && images.length === 0) || readOnly) return;
    if (isLost) {
      setInputNote('Not connected at this moment. Your message stays here; send it when the panel is back.');
      return;
    }
    if (draftImages.pending > 0) {
      setInputNote('An image is still being read.');
      return;
    }
    if (written.startsWith('/') && runCommand(text)) return;
    setInputNote('');
    draftImages.clearNote();
    refusals.clear();
    outbox.send(key, { text, picked: memory.picked(key), images });
    scroll.toEnd();
  };
  const note = refused ?? (inputNote || draftImages.note);
  const placeholder = isRunning ? 'Message for the next step' : session ? 'Message' : 'Describe a task';
  return (
    <form
      class={`composer ${transfer.isOver ? 'composer-drop' : ''}`}
      aria-label="Message to Ratchet"
      onDragOver={(event) => {
        if (!readOnly && event.dataTransfer && carriesSomething(event.dataTransfer)) transfer.onDragOver(event);
      }}
      onDragLeave={transfer.onDragLeave}
      onDrop={(event) => {
        if (!readOnly) transfer.onDrop(event);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {session?.problem && <ComposerNotice icon="warning" text={session.problem} />}
      {session?.readOnly && <ComposerNotice icon="lock" text={session.readOnly} />}
      {!session && <FolderChoice panel={props.panel} />}
      {session && <ConnectionNote session={session} />}
      <SendingMessages sends={outbox.sending.value.filter((send) => outbox.isOf(send, key))} />
      <div class="composer-box">
        <CompletionList completion={completion} />
        <DraftImageRow draft={draftImages} />
        <textarea
          ref={field}
          id="message"
          aria-label="Message"
          aria-describedby={note ? 'composer-note' : undefined}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={completion.isOpen ? listId : undefined}
          aria-activedescendant={
            completion.isOpen && completion.selected >= 0 ? optionId(completion.selected) : undefined
          }
          placeholder={placeholder}
          title={
            isRunning
              ? 'Enter sends it after the current step, Shift+Enter breaks the line'
              : 'Enter sends, Shift+Enter breaks the line'
          }
          rows={1}
          readOnly={readOnly}
          value={draft}
          onInput={(event) => {
            memory.setDraft(key, event.currentTarget.value);
            if (inputNote) setInputNote('');
            completion.update();
          }}
          onPaste={transfer.onPaste}
          onKeyUp={completion.update}
          onClick={completion.update}
          onBlur={completion.close}
          onKeyDown={(event) => {
            if (completion.onKeyDown(event) || onHistoryKey(event)) return;
            // The Enter that ends a composition belongs to the input method.
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <div class="composer-bar">
          <IconButton
            icon="mention"
            label="Mention a file"
            hint="Mention a file, a folder, the selection, problems or the terminal (@)"
            disabled={readOnly}
            onPress={() => {
              const el = field.current;
              if (!el) return;
              const before = el.value.slice(0, el.selectionStart);
              const at = `${before === '' || /\s$/.test(before) ? '' : ' '}@`;
              edit(`${before}${at}${el.value.slice(el.selectionEnd)}`, before.length + at.length);
              completion.update();
            }}
          />
          <ImageButton disabled={readOnly} onFiles={draftImages.add} />
          <ApprovalSelect
            mode={session?.approvalMode ?? props.panel.approvalMode}
            disabled={readOnly}
            noSandbox={props.panel.noSandbox}
          />
          <span class="spring" />
          {isRunning && !isLost && (
            <IconButton
              icon="debug-stop"
              class="stop"
              label={session.isStopping ? 'Stopping…' : 'Stop'}
              hint={session.isStopping ? 'The run is being ended' : stopHint(readOnly)}
              onPress={() => post({ type: 'stop' })}
            />
          )}
          <IconButton
            icon="arrow-up"
            class="send"
            label="Send"
            hint={isRunning ? 'Send after the current step (Enter)' : 'Send (Enter)'}
            disabled={readOnly || isLost || (draft.trim() === '' && draftImages.images.length === 0)}
            onPress={send}
          />
        </div>
      </div>
      <div id="composer-note" class="composer-note" role="status">
        {note}
      </div>
      <div class="source" title={source}>
        {source}
      </div>
      {props.panel.source.ignored?.map((text) => (
        <ComposerNotice key={text} icon="info" text={text} />
      ))}
    </form>
  );
}

function stopHint(isElsewhere: boolean): string {
  return `Stop the run and what it has started${isElsewhere ? ', in the window that runs it' : ''}`;
}

function ComposerNotice(props: { readonly icon: string; readonly text: string }) {
  return (
    <div class="composer-notice">
      <Icon name={props.icon} />
      <span>{props.text}</span>
    </div>
  );
}

function ApprovalSelect(props: {
  readonly mode: ApprovalMode;
  readonly disabled: boolean;
  readonly noSandbox: string | undefined;
}) {
  const { post } = usePanel();
  const { mode, noSandbox } = props;
  // A session that was in the sandbox elsewhere says so, and that it is asked about everything here.
  const hint = mode === 'sandbox' && noSandbox !== undefined ? `Asks before everything. ${noSandbox}` : modeHints[mode];
  return (
    <select
      class="bar-select"
      aria-label="Approval mode"
      title={hint}
      disabled={props.disabled}
      value={props.mode}
      onChange={(event) => {
        const { value } = event.currentTarget;
        if (isApprovalMode(value)) post({ type: 'setApprovalMode', mode: value });
        // The host decides: until it answers, the select shows what holds.
        event.currentTarget.value = props.mode;
      }}
    >
      {Object.entries(modeLabels).map(([value, label]) => (
        <option
          key={value}
          value={value}
          disabled={value === 'sandbox' && noSandbox !== undefined}
          title={value === 'sandbox' ? noSandbox : undefined}
        >
          {value === 'sandbox' && noSandbox !== undefined ? `${label} (not available)` : label}
        </option>
      ))}
    </select>
  );
}
