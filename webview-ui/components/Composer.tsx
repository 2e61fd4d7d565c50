// The input: a draft that is never lost, Send (which queues while a run goes on) and Stop, and the mode in which steps
// are allowed.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApprovalMode } from '../../src/core/events.ts';
import type { PanelView } from '../../src/protocol/view.ts';
import { IconButton } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';

const modeLabels: Readonly<Record<ApprovalMode, string>> = {
  ask: 'ask',
  acceptEdits: 'accept edits',
  allowAll: 'allow all',
};
const modeHints: Readonly<Record<ApprovalMode, string>> = {
  ask: 'Ask before each command and each edit',
  acceptEdits: 'Edits without asking, ask before commands',
  allowAll: 'Commands and edits without asking',
};

function isApprovalMode(value: string): value is ApprovalMode {
  return Object.hasOwn(modeLabels, value);
}

export function Composer(props: { readonly panel: PanelView }) {
  const { memory, model, refusals, scroll, post } = usePanel();
  const { session, source } = props.panel;
  const key = model.sessionKey.value;
  const draft = memory.draft(key).value;
  const field = useRef<HTMLTextAreaElement>(null);
  const refused = refusals.reason.value;
  const isRunning = session?.state === 'running';
  const readOnly = session?.readOnly !== undefined;

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

  const send = (): void => {
    const text = memory.draft(key).peek().trim();
    if (text === '' || readOnly) return;
    refusals.clear();
    memory.setDraft(key, '');
    post({ type: 'send', text });
    scroll.toEnd();
  };
  const note = refused ?? '';
  const placeholder = isRunning ? 'Message for the next step' : session ? 'Message' : 'Describe a task';
  return (
    <form
      class="composer"
      aria-label="Message to Ratchet"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {session?.problem && <ComposerNotice icon="warning" text={session.problem} />}
      {session?.readOnly && <ComposerNotice icon="lock" text={session.readOnly} />}
      <div class="composer-box">
        <textarea
          ref={field}
          id="message"
          aria-label="Message"
          aria-describedby={note ? 'composer-note' : undefined}
          placeholder={placeholder}
          title={
            isRunning
              ? 'Enter sends it after the current step, Shift+Enter breaks the line'
              : 'Enter sends, Shift+Enter breaks the line'
          }
          rows={1}
          readOnly={readOnly}
          value={draft}
          onInput={(event) => memory.setDraft(key, event.currentTarget.value)}
          onKeyDown={(event) => {
            // The Enter that ends a composition belongs to the input method.
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <div class="composer-bar">
          {!session && <FolderSelect panel={props.panel} />}
          <ApprovalSelect mode={session?.approvalMode ?? props.panel.approvalMode} disabled={readOnly} />
          <span class="source" title={source.text}>
            {source.text}
          </span>
          {isRunning && !readOnly && (
            <IconButton
              icon="debug-stop"
              class="stop"
              label="Stop"
              hint="Stop the run and what it has started"
              onPress={() => post({ type: 'stop' })}
            />
          )}
          <IconButton
            icon="arrow-up"
            class="send"
            label="Send"
            hint={isRunning ? 'Send after the current step (Enter)' : 'Send (Enter)'}
            disabled={readOnly || draft.trim() === ''}
            onPress={send}
          />
        </div>
      </div>
      <div id="composer-note" class="composer-note" role="status">
        {note}
      </div>
    </form>
  );
}

function ComposerNotice(props: { readonly icon: string; readonly text: string }) {
  return (
    <div class="composer-notice">
      <Icon name={props.icon} />
      <span>{props.text}</span>
    </div>
  );
}

function ApprovalSelect(props: { readonly mode: ApprovalMode; readonly disabled: boolean }) {
  const { post } = usePanel();
  return (
    <select
      class="bar-select"
      aria-label="Approval mode"
      title={modeHints[props.mode]}
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
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

function FolderSelect(props: { readonly panel: PanelView }) {
  const { post } = usePanel();
  const { folders, folder } = props.panel;
  if (folders.length < 2) return null;
  return (
    <select
      class="bar-select"
      aria-label="Folder"
      title="Folder of the new session"
      value={folder ?? ''}
      onChange={(event) => post({ type: 'selectFolder', uri: event.currentTarget.value })}
    >
      {folders.map((each) => (
        <option key={each.uri} value={each.uri}>
          {each.name}
        </option>
      ))}
    </select>
  );
}
