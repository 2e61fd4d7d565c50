// States of the panel that are about who answers.
import { notice, workUntilTuning } from './items.ts';
import { inSession, screenOf, sessions, type Snapshot } from './screens.ts';

export const connectionViews = {
  'no-model': () =>
    inSession(
      {
        state: 'done',
        stateWord: 'done',
        source: 'No model is set up',
        noModel: {
          title: 'No model is set up',
          text: 'The Anthropic API answered this session, and the offline demo (a script) goes on only with sessions that it began.',
          ways: [
            { label: 'Set API key', command: 'setApiKey' },
            { label: "Use the editor's models", command: 'useEditorModels' },
            { label: 'Open settings', command: 'openSettings' },
          ],
        },
      },
      [...workUntilTuning()],
    ),
  'other-connection': () =>
    inSession(
      {
        state: 'done',
        stateWord: 'done',
        source: 'No key · localhost:11434',
        change:
          'Answered by the Anthropic API until now. What you send next, with the conversation so far, goes to the server localhost:11434.',
      },
      [
        notice('warning', 'Answered by the offline demo (a script) until now; from here on by the Anthropic API.'),
        ...workUntilTuning(),
      ],
    ),
  'ignored-setting': () =>
    screenOf({
      screen: 'empty',
      source: {
        kind: 'anthropic',
        text: 'Key from the secret storage',
        ignored: [
          'ratchet.anthropic.baseUrl in your user settings is not used in this window, whose extensions run on a server. Set it with "Preferences: Open Remote Settings".',
        ],
      },
      sessions: sessions.slice(0, 1),
    }),
} as const satisfies Record<string, () => Snapshot>;
