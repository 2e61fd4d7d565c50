import assert from 'node:assert/strict';
import { RatchetError } from '../../../src/core/errors.ts';
import { sessionStates } from '../../../src/core/events.ts';
import { assertCanLaunch, offeredAction } from '../../../src/core/launchPlan.ts';
import { stepTitle } from '../../../src/core/stepTitles.ts';
import { ageText, countOf, durationText, firstSentence, grouped, sizeText } from '../../../src/core/words.ts';

describe('words: the first sentence', () => {
  it('ends at a full stop that ends a sentence, not in an address or a version', () => {
    assert.equal(firstSentence('No server at http://a.test:80. Start it.'), 'No server at http://a.test:80');
    assert.equal(firstSentence('It needs 1.2 or later.'), 'It needs 1.2 or later');
    assert.equal(firstSentence('No end'), 'No end');
  });
});

describe('words: numbers as people read them', () => {
  const tables: readonly (readonly [string, (value: number) => string, readonly (readonly [number, string])[]])[] = [
    [
      'sizes',
      sizeText,
      [
        [0, '0 B'],
        [1_023, '1023 B'],
        [1_024, '1.0 KB'],
        [3_174, '3.1 KB'],
        [41 * 1024 ** 2, '41 MB'],
        [2.5 * 1024 ** 3, '2.5 GB'],
        [5_000 * 1024 ** 4, '5000 TB'],
      ],
    ],
    [
      'ages',
      ageText,
      [
        [-5, 'just now'],
        [59_999, 'just now'],
        [60_000, '1 min ago'],
        [3_599_999, '59 min ago'],
        [3_600_000, '1 h ago'],
        [86_399_999, '23 h ago'],
        [86_400_000, '1 day ago'],
        [180_000_000, '2 days ago'],
      ],
    ],
    [
      'durations',
      durationText,
      [
        [0, '0.0 s'],
        [4_100, '4.1 s'],
        [12_400, '12 s'],
        [60_000, '01:00'],
        [161_000, '02:41'],
        [3_761_000, '1:02:41'],
      ],
    ],
    [
      'groups of digits',
      grouped,
      [
        [0, '0'],
        [999, '999'],
        [1_204, '1,204'],
        [1_234_567, '1,234,567'],
      ],
    ],
    [
      'counts',
      (value) => countOf(value, 'step'),
      [
        [0, '0 steps'],
        [1, '1 step'],
        [6, '6 steps'],
        [1_204, '1,204 steps'],
      ],
    ],
  ];
  for (const [what, words, rows] of tables) {
    it(what, () => {
      assert.deepEqual(
        rows.map(([value]) => words(value)),
        rows.map(([, text]) => text),
      );
    });
  }
});

describe('step titles: a call in a verb and a subject', () => {
  const input = { command: 'make test', file_path: 'src/a.ts', pattern: '*.ts' };
  for (const [tool, asks, running, ended, subject] of [
    ['run_command', 'Wants to run', 'Running', 'Ran', 'make test'],
    ['read', 'Wants to read', 'Reading', 'Read', 'src/a.ts'],
    ['write', 'Wants to write', 'Writing', 'Wrote', 'src/a.ts'],
    ['edit', 'Wants to edit', 'Editing', 'Edited', 'src/a.ts'],
    ['glob', 'Wants to list', 'Listing', 'Listed', '*.ts'],
    ['grep', 'Wants to search', 'Searching', 'Searched', '*.ts'],
    ['teleport', 'Wants to use', 'Using', 'Used', 'teleport'],
    ['constructor', 'Wants to use', 'Using', 'Used', 'constructor'],
  ] as const) {
    it(tool, () => {
      const verbs = (['asks', 'running', 'ended'] as const).map((phase) => stepTitle(tool, input, phase).verb);
      assert.deepEqual(verbs, [asks, running, ended]);
      assert.equal(stepTitle(tool, input, 'ended').subject, subject);
      assert.equal(
        stepTitle(tool, input, 'ended').path,
        ['read', 'write', 'edit'].includes(tool) ? 'src/a.ts' : undefined,
      );
    });
  }

  it('a plan: what happened to which task, by its title where it is known', () => {
    const titles = new Map([['t1', 'Check the data']]);
    const title = (of: Record<string, unknown>): string => {
      const { verb, subject } = stepTitle('tasks', of, 'ended', titles);
      return `${verb} ${subject}`;
    };
    assert.deepEqual(
      [
        { action: 'add', title: 'Tidy' },
        { action: 'add', titles: ['a', 'b'] },
        { action: 'update', id: 't1', status: 'completed' },
        { action: 'update', id: 't1', status: 'in_progress' },
        { action: 'update', id: 't9' },
        { action: 'delete', id: 't1' },
        { action: 'list' },
        {},
      ].map(title),
      [
        'Planned Tidy',
        'Planned 2 tasks',
        'Completed Check the data',
        'Started Check the data',
        'Changed t9',
        'Dropped Check the data',
        'Looked at the plan',
        'Planned ',
      ],
    );
  });

  it('is one line of at most 200 characters, and empty when the input is not what it should be', () => {
    assert.equal(stepTitle('run_command', { command: ' cd a \n\n make ' }, 'running').subject, 'cd a ⏎ make');
    assert.equal(stepTitle('run_command', { command: 'x'.repeat(300) }, 'running').subject, `${'x'.repeat(199)}…`);
    assert.deepEqual(stepTitle('read', { file_path: 7 }, 'running'), { verb: 'Reading', subject: '' });
  });
});

describe('launch plan: what the guards answer', () => {
  const answer = (...args: Parameters<typeof assertCanLaunch>): string => {
    try {
      assertCanLaunch(...args);
      return 'runs';
    } catch (error) {
      assert.ok(error instanceof RatchetError);
      return error.code;
    }
  };

  for (const state of sessionStates) {
    for (const cause of ['message', 'resume', 'retry'] as const) {
      for (const work of [true, false]) {
        const refused = cause !== 'message' && (state === 'created' || !work);
        const expected = state === 'running' ? 'already_running' : refused ? 'nothing_to_resume' : 'runs';
        it(`${state}, ${cause}, ${work ? 'with' : 'without'} work: ${expected}`, () => {
          assert.equal(answer(cause, state, work), expected);
        });
      }
    }
  }

  it('the banner offers Retry for failed, Resume for what was cut, nothing else', () => {
    assert.deepEqual(
      sessionStates.map((state) => [state, offeredAction(state)]),
      [
        ['created', undefined],
        ['running', undefined],
        ['done', undefined],
        ['failed', 'retry'],
        ['cancelled', 'resume'],
        ['timed_out', 'resume'],
        ['interrupted', 'resume'],
      ],
    );
  });
});
