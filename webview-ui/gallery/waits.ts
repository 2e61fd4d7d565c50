// What the panel shows of a server that has no time, or takes no such request: a wait, a parked session, and the button
// that helps.
import { notice, opened, workUntilTuning } from './items.ts';
import { inSession, minute, type Snapshot } from './screens.ts';

export const waits = {
  waiting: () =>
    inSession({ wait: { text: 'The server is overloaded.', until: opened + 12_000, attempt: 'attempt 7' } }, [
      ...workUntilTuning(),
      notice('warning', 'The server is overloaded. Trying again in 12 s (attempt 7).'),
    ]),
  'waiting-unreachable': () =>
    inSession(
      {
        wait: {
          text: 'No server answered at http://127.0.0.1:8080.',
          until: opened + 12_000,
          attempt: 'attempt 7',
          remedy: { label: 'Check connection', command: 'checkConnection' },
        },
      },
      workUntilTuning(),
    ),
  parked: () =>
    inSession(
      {
        state: 'failed',
        stateWord: 'parked',
        queue: [{ id: 'q1', text: 'Then write the report.' }],
        banner: {
          title: 'Rate limit',
          summary: '9 steps done · 3 artifacts intact',
          action: 'resume',
          retryAt: opened + 12 * minute,
          auto: 'You are asked then.',
        },
      },
      [
        ...workUntilTuning(),
        notice('error', 'The server is limiting how much may be sent. It can be tried again later.'),
      ],
    ),
  'parked-long': () =>
    inSession(
      {
        state: 'failed',
        stateWord: 'parked',
        banner: {
          title: 'The server at api.anthropic.com had an error of its own',
          summary: '9 steps done · 3 artifacts intact',
          detail: 'Tried for 10 min.',
          action: 'resume',
          retryAt: opened + 9 * minute,
          isOwnTime: true,
          auto: 'Goes on by itself then.',
        },
      },
      [
        ...workUntilTuning(),
        notice(
          'warning',
          'The server at api.anthropic.com had an error of its own. Trying again in 30 s (attempt 24).',
        ),
        notice('error', 'The server at api.anthropic.com had an error of its own. It can be tried again later.'),
      ],
    ),
  'too-long': () =>
    inSession(
      {
        state: 'failed',
        stateWord: 'failed',
        banner: {
          title: 'The conversation is longer than the model can take',
          summary: '9 steps done · 3 artifacts intact',
          detail: 'Compact it, or choose a model that takes more.',
          action: 'retry',
          remedy: { label: 'Compact', command: 'compactSession' },
        },
      },
      [
        ...workUntilTuning(),
        notice(
          'error',
          'The conversation is longer than the model can take. Compact it, or choose a model that takes more.',
        ),
      ],
    ),
} satisfies Record<string, () => Snapshot>;
