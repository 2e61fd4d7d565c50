// Stands for the editor around the panel: its theme variables, its webview API and a host that answers a little.
// Loaded before the panel. `galleryHost` is what the checks of the gallery talk to.
import { beatMs, type Change, type HostMessage, type PanelMessage } from '../../src/protocol/messages.ts';
import { insideOfCard } from './agents.ts';
import { suggestionsOf, thumbnailOf } from './composerExamples.ts';
import { manyItems } from './items.ts';
import { themes, themeNames } from './themes.ts';
import { isViewName, views } from './views.ts';

declare global {
  interface Window {
    galleryHost: GalleryHost;
    acquireVsCodeApi: () => unknown;
  }
}
interface GalleryHost {
  /** The snapshot that it begins with. */
  readonly first: Extract<HostMessage, { type: 'snapshot' }>;
  /** What the panel sent, oldest first, but for what it has seen. */
  readonly sent: PanelMessage[];
  say(message: HostMessage): void;
  /** Says changes under the next number. */
  change(...changes: Change[]): void;
  /** Answers nothing from now on, until it is let go on: then all that was asked. */
  hold(): void;
  goOn(): void;
  /** As a host that died. */
  fallSilent(): void;
}

const address = new URLSearchParams(location.search);
const theme = themes[themeNames.find((name) => name === address.get('theme')) ?? 'dark'];
for (const [name, value] of Object.entries(theme.colours)) {
  document.documentElement.style.setProperty(`--vscode-${name}`, value);
}
document.body.className = theme.bodyClass;
document.body.style.background = theme.ground;

const viewName = address.get('view') ?? 'running';
const first = views[isViewName(viewName) ? viewName : 'running']();
let revision = first.revision;
let held: PanelMessage[] | undefined;
let isSilent = false;

const host: GalleryHost = {
  first,
  sent: [],
  say: (message) => void window.dispatchEvent(new MessageEvent('message', { data: message })),
  change(...changes) {
    host.say({ type: 'changes', revision: ++revision, changes });
  },
  hold() {
    held ??= [];
  },
  goOn() {
    const asked = held ?? [];
    held = undefined;
    asked.forEach(answer);
  },
  fallSilent() {
    isSilent = true;
  },
};
setInterval(() => {
  if (!isSilent) host.say({ type: 'beat', revision });
}, beatMs);

function answer(message: PanelMessage): void {
  switch (message.type) {
    case 'ready':
    case 'snapshotWanted':
      host.say({ ...first, revision });
      return;
    case 'loadEarlier':
      host.say({
        type: 'earlierItems',
        sessionId: first.panel.session?.id ?? '',
        items: manyItems(100),
        earlier: 9400,
      });
      return;
    case 'openAgent':
      host.say({
        type: 'agentItems',
        sessionId: first.panel.session?.id ?? '',
        stepId: message.stepId,
        items: insideOfCard(),
        earlier: message.beforeId === undefined ? 240 : 0,
      });
      return;
    case 'setApprovalMode':
      if (first.panel.session) {
        host.change({ kind: 'session', session: { ...first.panel.session, approvalMode: message.mode } });
      }
      return;
    case 'complete':
      host.say({ type: 'suggestions', id: message.id, suggestions: suggestionsOf(message.query) });
      return;
    case 'previewWanted':
      host.say({
        type: 'imagePreview',
        sessionId: first.panel.session?.id ?? '',
        itemId: message.itemId,
        index: message.index,
        source: thumbnailOf(message.index),
      });
      return;
    case 'dropped':
      host.say({
        type: 'mentionsDropped',
        names: message.uris.map((uri) => uri.replace('file:///home/dev/ml/', '')).filter((path) => !path.includes(':')),
        ...(message.uris.some((uri) => !uri.startsWith('file:///home/dev/ml/')) && {
          problem: 'Only what lies in the folder ml can be mentioned.',
        }),
      });
      return;
    case 'closeSession':
      location.search = `?view=empty-sessions&theme=${address.get('theme') ?? 'dark'}`;
      return;
    default:
      return;
  }
}

const storageKey = `gallery ${viewName}`;
window.galleryHost = host;
window.acquireVsCodeApi = () => ({
  postMessage(message: PanelMessage) {
    if (message.type !== 'seen') host.sent.push(message);
    queueMicrotask(() => {
      if (isSilent) return;
      if (held) held.push(message);
      else answer(message);
    });
  },
  getState: (): unknown => JSON.parse(sessionStorage.getItem(storageKey) ?? 'null'),
  setState: (state: unknown) => sessionStorage.setItem(storageKey, JSON.stringify(state)),
});
