// What the panel's messages about the input do: the commands after a `/`, and the questions that are asked while
// something is written. A message that is sent is sends.ts.
import { RatchetError, unreachable } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import type { SlashCommand } from '../core/slashCommands.ts';
import type { PanelMessage } from '../protocol/messages.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import type { Sessions } from '../runner/sessions.ts';
import type { PanelPorts } from './panelPorts.ts';
import { suggestionsFor } from './suggestions.ts';

export type ComposerMessage = Extract<PanelMessage, { type: 'slash' | 'complete' | 'dropped' }>;

export interface ComposerTarget {
  readonly sessions: Sessions;
  readonly ports: PanelPorts;
  readonly current: LiveSession | undefined;
  /** Folder of the open session, or of the one that a first message would begin. */
  readonly folder: FolderIdentity | undefined;
  /** Begins a session and shows it. */
  readonly create: () => Promise<LiveSession>;
  /** What the input takes after a `/` now. */
  readonly commands: () => Promise<readonly SlashCommand[]>;
}

/** Does what a message about the input asks for. @throws RatchetError and others of what it calls */
export async function handleComposerMessage(target: ComposerTarget, message: ComposerMessage): Promise<void> {
  const { ports, folder } = target;
  switch (message.type) {
    case 'slash':
      // From here on it is the host's: what it does may be long over before it is asked for again.
      if (message.id !== undefined) ports.post({ type: 'sendRecorded', id: message.id });
      return runSlashCommand(target, message);
    case 'complete': {
      const suggestions = folder ? await suggestionsFor(ports.mentions, folder, message.query) : [];
      ports.post({ type: 'suggestions', id: message.id, suggestions });
      return;
    }
    case 'dropped': {
      if (!folder) return;
      const paths = message.uris.map((uri) => ports.mentions.pathOf(folder, uri));
      const names = [...new Set(paths.filter((path) => path !== undefined))];
      const problem =
        names.length < message.uris.length
          ? `Only what lies in the folder ${folder.name} can be mentioned.`
          : undefined;
      ports.post({ type: 'mentionsDropped', names, ...(problem !== undefined && { problem }) });
      return;
    }
    default:
      unreachable(message);
  }
}

async function runSlashCommand(
  target: ComposerTarget,
  { name, argument }: Extract<PanelMessage, { type: 'slash' }>,
): Promise<void> {
  const { sessions, ports, current } = target;
  // The panel may have asked by an older state than the one that holds now.
  const unavailable = (await target.commands()).find((command) => command.name === name)?.unavailable;
  if (unavailable !== undefined) throw new RatchetError('not_found', `/${name}: ${unavailable}`);
  switch (name) {
    case 'resume':
    case 'retry':
      if (current) await sessions.resume(current.id, { mode: name });
      else await ports.runCommand('resumePick', undefined);
      return;
    case 'model': {
      if (argument === '') return ports.runCommand('chooseModel', current?.id);
      const session = current ?? (await target.create());
      return sessions.chooseModel(session.id, argument);
    }
    case 'compact':
      return ports.runCommand('compactSession', current?.id);
    case 'new':
      return ports.runCommand('newSession', undefined);
    case 'export':
      return ports.runCommand('exportTrace', current?.id);
    default:
      unreachable(name);
  }
}
