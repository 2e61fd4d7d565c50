// What the user sets, sends along and stops: model, mode and title of a session, mentions and images, an answer that is
// stopped in the middle, and a task that is deleted.
import type { MessageExtras } from '../../../src/core/userInput.ts';
import { onePixelPng } from '../../support/imageBytes.ts';
import { text, type MessageReply, type Reply } from '../../support/messagesServer/reply.ts';
import { answerTo, call, command, linesOf, type Piece } from '../job.ts';
import { around, ofType, type Desk, type Feature } from './feature.ts';

const message = 'Look at @src/a.ts and the picture.';
const title = 'A picture';
const model = 'claude-sonnet-5-5';
const attached = '<attachment kind="file" path="src/a.ts">\nexport const a = 1;\n</attachment>';
const extras: MessageExtras = {
  attachments: [{ kind: 'file', label: 'src/a.ts', path: 'src/a.ts', text: attached }],
  images: [{ mediaType: 'image/png', data: onePixelPng, width: 1, height: 1, name: 'picture.png' }],
};
const turns: readonly (readonly Piece[])[] = [
  [call('tasks', { action: 'add', titles: ['Stays', 'Goes'] })],
  [
    {
      tool: 'tasks',
      input: (calls) => {
        const id = calls.map(({ result }) => /^\[.\] (\S+) Goes$/m.exec(result)?.[1]).find((one) => one !== undefined);
        return id === undefined ? undefined : { action: 'delete', id };
      },
    },
  ],
  [command('looked')],
];

export const wishes: Feature = {
  files: {},
  window: () => ({
    defaultApprovalMode: () => 'ask',
    surroundings: () => Promise.resolve('On branch main.'),
    agents: {
      roster: () => Promise.resolve({ agents: [], problems: ['An agent file cannot be read.'] }),
      systemPrompt: () => Promise.reject(new Error('there are no agents')),
      choice: () => ({}),
    },
  }),
  user: async (desk) => {
    const { sessions, session, records, goOn, rest } = desk;
    const { id } = session;
    if (session.state.chosenModel === undefined) await sessions.chooseModel(id, model);
    if (session.state.approvalMode === undefined) await sessions.setApprovalMode(id, 'allowAll');
    if (session.state.title !== title) await sessions.rename(id, title);
    if ((await records()).every(({ type }) => type !== 'assistant_message_completed')) stopOnce(desk);
    await goOn(message, extras);
    await rest();
    if (session.name !== 'done') await goOn(message);
  },
  script: () => (body) => slow(answerTo(body, turns)),
  expected: { lines: linesOf(turns), tasks: [{ title: 'Stays', status: 'pending' }], title },
  places: [
    ...around({ model_chosen: 1, approval_mode_changed: 1, title_changed: 1, note_added: 1, task_deleted: 1 }),
    ...around({ user_message_added: 1, assistant_message_cut: 1, run_ended: 2, run_started: 2 }),
  ],
  broken: ({ records, server }) => {
    const bodies = server.messageRequests.filter(({ body }) => body !== undefined).map(({ raw }) => raw);
    const chosen = ofType(records, 'model_chosen')[0]?.seq ?? Infinity;
    const others = ofType(records, 'run_started').filter((run) => run.seq > chosen && run.model !== model);
    const asked = ofType(records, 'approval_requested');
    const added = ofType(records, 'user_message_added').filter(({ images }) => images !== undefined);
    const whole = [JSON.stringify(attached), JSON.stringify(onePixelPng), JSON.stringify(model)];
    return [
      ...bodies.filter((raw) => whole.some((part) => !raw.includes(part))).map(() => 'a request lacks what was sent'),
      ...others.map(({ runId }) => `${runId} has another model than was chosen`),
      ...asked.map(({ stepId }) => `${stepId} was asked about in a mode that does not ask`),
      ...(added.length === 1 ? [] : [`${added.length} messages with a picture`]),
    ];
  },
};

/** Stops the first answer in the middle of its words. */
function stopOnce({ sessions, session }: Desk): void {
  const unsubscribe = sessions.onChange((change) => {
    if (change.kind !== 'textAppended') return;
    unsubscribe();
    void sessions.stop(session.id);
  });
}

/** In more pieces than one, with time between them. */
function slow(reply: Reply): Reply {
  if (reply.kind !== 'message') return reply;
  const first = text('It says what it is about to do, in a sentence that takes some time. '.repeat(3));
  const slowed: MessageReply = { ...reply, blocks: [first, ...reply.blocks.slice(1)], msPerDelta: 5 };
  return slowed;
}
