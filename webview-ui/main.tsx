// The entry of the panel: connects the host, the memory and the screen, and owns every listener of the page.
import { render } from 'preact';
import { ulid } from 'ulid';
import { messageOf } from '../src/core/errors.ts';
import type { HostMessage } from '../src/protocol/messages.ts';
import { createClock } from './clock.ts';
import { App } from './components/App.tsx';
import { PanelContextHolder, type PanelContext } from './components/context.ts';
import { createComposerAssist, isComposerAnswer } from './composerAssist.ts';
import { connectHost } from './hostApi.ts';
import { parseKept } from './keptView.ts';
import { tickMs } from './linkWatch.ts';
import { createDesk } from './desk.ts';
import { createOutbox, isDraftAnswer } from './outbox.ts';
import { pageDeskStorage } from './pageStorage.ts';
import { createPanelModel } from './panelModel.ts';
import { createRefusedDrafts } from './refusedDrafts.ts';
import { createTranscriptScroll } from './transcriptScroll.ts';
import { createViewMemory } from './viewMemory.ts';
import './styles/panel.css';

const host = connectHost();
const memory = createViewMemory(host);
const model = createPanelModel(host.post);
const keptView = parseKept(memory.shown());
if (keptView) model.showKept(keptView);
const scroll = createTranscriptScroll(memory, () => model.link.peek() !== 'lost');
const assist = createComposerAssist(host.post);
const refusals = createRefusedDrafts(model, memory);
const root = document.getElementById('root') ?? document.body.appendChild(document.createElement('div'));
root.id = 'root';
const desk = createDesk(pageDeskStorage(root.dataset.workspace, ulid()), memory, host.post);
const outbox = createOutbox({ model, memory, refusals, desk, post: host.post, newId: ulid, now: Date.now });
const context: PanelContext = {
  model,
  memory,
  scroll,
  refusals,
  outbox,
  assist,
  clock: createClock(),
  post: host.post,
};

function report(error: unknown): void {
  const stack = error instanceof Error ? error.stack : undefined;
  host.post({ type: 'panelError', message: messageOf(error), ...(stack && { stack }) });
}

function receive(message: HostMessage): void {
  try {
    if (message.type === 'earlierItems') scroll.beforeEarlier();
    if (isComposerAnswer(message)) assist.receive(message);
    else if (isDraftAnswer(message)) outbox.receive(message);
    else model.receive(message);
  } catch (error) {
    // The listener of an event has no caller that could take it.
    report(error);
  }
}

const page = new AbortController();
const { signal } = page;
window.addEventListener('error', (event) => report(event.error ?? event.message), { signal });
window.addEventListener('unhandledrejection', (event) => report(event.reason), { signal });
// Whoever leaves the panel may hide it next, and a hidden one may be gone at once.
const keepAll = (): void => {
  memory.flush();
  desk.flush();
};
window.addEventListener('blur', keepAll, { signal });
document.addEventListener(
  'visibilitychange',
  () => {
    if (document.visibilityState === 'visible') model.visible();
    else keepAll();
  },
  { signal },
);
document.addEventListener(
  'keydown',
  (event) => {
    // Parts that use Escape themselves keep it from coming here.
    if (event.key === 'Escape' && !event.isComposing) document.getElementById('message')?.focus();
  },
  { signal },
);
const ticks = setInterval(() => {
  model.tick();
  // The page may be gone from one moment to the next, without a word: with its host.
  const shown = model.toKeep();
  if (shown !== undefined) memory.keepShown(shown);
}, tickMs);
const stopListening = host.listen(receive);
window.addEventListener('pagehide', () => {
  page.abort();
  clearInterval(ticks);
  stopListening();
  outbox.dispose();
  refusals.dispose();
  desk.dispose();
  memory.dispose();
});

render(
  <PanelContextHolder.Provider value={context}>
    <App />
  </PanelContextHolder.Provider>,
  root,
);
host.post({ type: 'ready' });
