// What the host would answer to the input in the gallery: paths that fit, thumbnails, commands.
import type { Suggestion } from '../../src/protocol/composer.ts';
import { slashCommands } from '../../src/core/slashCommands.ts';
import type { UserItem } from '../../src/protocol/view.ts';
import { opened } from './items.ts';

const paths = [
  'src/models/train.py',
  'src/models/tune.py',
  'src/models/',
  'tests/test_train.py',
  'apps/administration/src/features/organisation-settings/components/organisationSettingsMembershipTable.spec.tsx',
  'docs/model notes.md',
  'README.md',
];

export function suggestionsOf(query: string): readonly Suggestion[] {
  const words: readonly Suggestion[] = [
    { kind: 'selection', name: 'selection', detail: 'train.py:14-22' },
    { kind: 'problems', name: 'problems', unavailable: 'none' },
    { kind: 'terminal', name: 'terminal', detail: 'python check.py' },
  ];
  const typed = query.toLowerCase();
  return [
    ...words.filter(({ name }) => name.startsWith(typed)),
    ...paths
      .filter((path) => path.toLowerCase().includes(typed))
      .map((path): Suggestion => ({ kind: path.endsWith('/') ? 'folder' : 'file', name: path })),
  ];
}

/** A wide picture and a tall one, as the host has them at hand. */
const thumbnails = ['#3a6ea5', '#a53a5f'].map((colour, index) => {
  const size = index === 0 ? 'width="160" height="90"' : 'width="90" height="160"';
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="100%" height="100%" fill="${colour}"/><circle cx="40" cy="40" r="24" fill="#fff"/></svg>`)}`;
});

export function thumbnailOf(index: number): string {
  return thumbnails[index % thumbnails.length] ?? '';
}

export function withAttachments(): UserItem {
  return {
    kind: 'user',
    id: 'user-attached',
    at: opened - 20 * 60_000,
    text: 'The chart is wrong since @src/models/train.py changed; see @selection, @problems and @terminal. Was it @docs/old.md?',
    images: [
      { name: 'chart.png', width: 1568, height: 882 },
      { name: 'Image 2', width: 640, height: 1138 },
    ],
    attachments: [
      { kind: 'file', label: 'src/models/train.py' },
      { kind: 'selection', label: 'src/models/train.py:14-22' },
      { kind: 'problems', label: '12 problems' },
      { kind: 'terminal', label: 'terminal bash', problem: 'Only the last 60,000 characters are attached.' },
      {
        kind: 'file',
        label:
          'apps/administration/src/features/organisation-settings/components/organisationSettingsMembershipTable.spec.tsx',
      },
      { kind: 'folder', label: 'docs/' },
      { kind: 'file', label: 'docs/old.md', problem: 'It was not there when the message was sent.' },
    ],
  };
}

export const doneCommands = slashCommands({ state: 'done', hasWork: true, othersResumable: false, isDemo: false });
export const cutCommands = slashCommands({
  state: 'interrupted',
  hasWork: true,
  othersResumable: false,
  isDemo: false,
});
