// What the panel says of itself: the folder that it proposes, and notices above the input.
import { runningTune, tuneLines, workUntilTuning } from './items.ts';
import { inSession, screenOf, sessions, type Snapshot } from './screens.ts';

export function severalFolders(): Snapshot {
  return screenOf({
    screen: 'empty',
    folders: [
      { uri: 'file:///a', name: 'administration-of-organisation-settings' },
      { uri: 'file:///b', name: 'shared-components-and-design-tokens' },
      { uri: 'file:///c', name: 'docs' },
    ],
    folder: 'file:///a',
    otherFolder: 'file:///b',
    sessions: sessions.slice(0, 2).map((each) => ({ ...each, folderName: 'docs' })),
  });
}

export function withNotices(): Snapshot {
  const tune = runningTune();
  const view = inSession({}, [...workUntilTuning(), tune], { live: [{ id: tune.id, lines: tuneLines }] });
  const notices = [
    {
      id: 'n1',
      level: 'error',
      text: 'The file src/models/train.py does not exist any more. It was deleted after this step.',
      actions: [],
    },
    {
      id: 'n2',
      level: 'info',
      text: '"Move the settings page to the new router" was cut: interrupted while running npm test, 4 min ago.',
      actions: ['Resume', 'Show', 'Later'],
    },
  ] as const;
  return { ...view, panel: { ...view.panel, notices } };
}
