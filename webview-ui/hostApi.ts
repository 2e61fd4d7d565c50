// The border to the host: the editor's webview API, typed. Nothing else touches `acquireVsCodeApi` or `message` events.
import type { HostMessage, PanelMessage } from '../src/protocol/messages.ts';
import type { MemoryPort } from './viewMemory.ts';

interface WebviewApi extends MemoryPort {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): WebviewApi;

export interface HostApi extends MemoryPort {
  readonly post: (message: PanelMessage) => void;
  /** Calls back for each message of the host until the returned function is called. */
  listen(receive: (message: HostMessage) => void): () => void;
}

const hostMessageTypes: readonly HostMessage['type'][] = [
  'snapshot',
  'changes',
  'beat',
  'earlierItems',
  'agentItems',
  'revertPlan',
  'sendRefused',
  'focusInput',
  'suggestions',
  'mentionsDropped',
  'imagePreview',
  'keptDrafts',
  'sendRecorded',
  'sendOutcomes',
];

/** Only the type is looked at: the host is our own code, and the channel carries other senders' messages too. */
function isHostMessage(data: unknown): data is HostMessage {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  return hostMessageTypes.some((type) => type === data.type);
}

/** May be called once in the life of the page. */
export function connectHost(): HostApi {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
    listen(receive) {
      const onMessage = (event: MessageEvent<unknown>): void => {
        if (isHostMessage(event.data)) receive(event.data);
      };
      window.addEventListener('message', onMessage);
      return () => window.removeEventListener('message', onMessage);
    },
  };
}
