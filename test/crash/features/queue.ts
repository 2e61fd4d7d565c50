// Messages that are sent while a run goes on: queued, edited, removed, delivered.
import { z } from 'zod';
import { RatchetError } from '../../../src/core/errors.ts';
import type { SessionEvent } from '../../../src/core/events.ts';
import type { MessageExtras } from '../../../src/core/userInput.ts';
import { onePixelPng } from '../../support/imageBytes.ts';
import { blocksOf } from '../../support/messagesServer/turns.ts';
import type { MessagesBody } from '../../support/messagesServer/requestSchema.ts';
import { answerTo, command, linesOf, type Piece } from '../job.ts';
import { around, ofType, type Desk, type Feature } from './feature.ts';

const message = 'Begin, I have more to say.';
const said = { a: 'Do A too.', b: 'Do B too.', c: 'Do C too.' } as const;
const edited = 'Do B too, please.';
const extras: MessageExtras = {
  attachments: [
    { kind: 'file', label: 'b.ts', path: 'b.ts', text: '<attachment kind="file" path="b.ts">\n</attachment>' },
  ],
  images: [{ mediaType: 'image/png', data: onePixelPng, width: 1, height: 1 }],
};
const opening = [command('begun', 'sleep 1; ')];
const whenSaid: readonly (readonly [string, Piece])[] = [
  [said.a, command('A')],
  ['Do B too', command('B')],
];

export const queue: Feature = {
  files: {},
  user: async (desk) => {
    const going = desk.goOn(message);
    await running(desk);
    await speak(desk);
    await going;
    await desk.rest();
  },
  script: () => (body) => answerTo(body, [opening, ...wantedBy(body)]),
  expected: { lines: linesOf([opening, whenSaid.map(([, piece]) => piece)]), tasks: [], title: message },
  places: [
    ...around({ message_queued: 3, queued_message_edited: 1, queued_message_removed: 1, user_message_added: 3 }),
    ['test_before_run_ended', 1],
  ],
  broken: ({ records, server }) => {
    const queued = ofType(records, 'message_queued').map(({ messageId }) => messageId);
    const delivered = ofType(records, 'user_message_added').map(({ messageId }) => messageId);
    const removed = ofType(records, 'queued_message_removed').map(({ messageId }) => messageId);
    const times = (list: readonly string[], id: string): number => list.filter((one) => one === id).length;
    const last = textsOf(server.messageRequests.at(-1)?.body);
    return [
      ...queued
        .filter((id) => times(delivered, id) + times(removed, id) !== 1)
        .map((id) => `${id}: ${times(delivered, id)} deliveries, ${times(removed, id)} removals`),
      ...[said.a, said.b.slice(0, -1)]
        .filter((words) => last.filter((text) => text.startsWith(words)).length !== 1)
        .map((words) => `"${words}" is not sent once`),
      ...lostEdits(records),
      ...(last.includes(extras.attachments?.[0]?.text ?? '')
        ? []
        : ['what was attached to a queued message is not sent']),
    ];
  },
};

/** An edit that was acknowledged is what is delivered. */
function lostEdits(records: readonly SessionEvent[]): readonly string[] {
  return ofType(records, 'queued_message_edited').flatMap(({ messageId, text }) => {
    const delivery = ofType(records, 'user_message_added').find((added) => added.messageId === messageId);
    return delivery?.text === text ? [] : [`the edit of ${messageId} is not delivered`];
  });
}

/** Resolves when the run is there, or nothing is to be run. */
async function running({ session }: Desk): Promise<void> {
  while (!session.run && session.name !== 'done') await new Promise(setImmediate);
}

/** Says and changes what is not on record yet. What came too late to be changed is as good as it is. */
async function speak({ sessions, session, records }: Desk): Promise<void> {
  const { id } = session;
  const before = await records();
  const idOf = (words: string, of: readonly SessionEvent[]): string | undefined =>
    [...ofType(of, 'message_queued'), ...ofType(of, 'user_message_added')].find(({ text }) => text.startsWith(words))
      ?.messageId;
  for (const words of Object.values(said)) {
    if (idOf(words.slice(0, -1), before) === undefined) await sessions.send(id, words, words === said.a ? extras : {});
  }
  const now = await records();
  const b = idOf(said.b, now);
  const c = idOf(said.c, now);
  if (b !== undefined && !now.some((record) => 'text' in record && record.text === edited))
    await ifItWaits(sessions.editQueued(id, b, edited));
  if (c !== undefined) await ifItWaits(sessions.removeQueued(id, c));
}

async function ifItWaits(change: Promise<void>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!(error instanceof RatchetError && error.code === 'not_found')) throw error;
  });
}

function wantedBy(body: MessagesBody): readonly (readonly Piece[])[] {
  const texts = body.messages.filter(({ role }) => role === 'user').flatMap(blocksOf);
  return whenSaid
    .filter(([words]) => texts.some((block) => block.type === 'text' && block.text.startsWith(words)))
    .map(([, piece]) => [piece]);
}

function textsOf(body: unknown): readonly string[] {
  return [...JSON.stringify(body ?? null).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(
    ([whole]) => z.object({ text: z.string() }).parse(JSON.parse(`{${whole}}`)).text,
  );
}
