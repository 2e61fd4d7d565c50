import assert from 'node:assert/strict';
import type { EventOf, NewEvent } from '../../../src/core/events.ts';
import { buildMessages } from '../../../src/core/requestBuilder.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';
import { onePixelPng } from '../../support/imageBytes.ts';
import { header, stamp } from './events.ts';

type Message = Omit<EventOf<'user_message_added'>, 'seq' | 'at'>;

const words: Message = { type: 'user_message_added', messageId: 'm1', text: 'Look.', origin: 'user' };
const attachment = { kind: 'file', label: 'a.ts', text: '<attachment kind="file">\nlet a;\n</attachment>' } as const;
const image = {
  mediaType: 'image/png',
  data: onePixelPng,
  width: 1,
  height: 1,
  preview: 'data:image/png;base64,AA==',
} as const;

const settings = { model: 'claude-opus-4-8', takesSystemMessages: true };
const messagesOf = (...events: readonly NewEvent[]): unknown =>
  buildMessages(foldEvents(header, stamp(events)).conversation, settings);

function refusalOf(messages: unknown): unknown {
  return validateRequest({ model: 'claude-opus-4-8', max_tokens: 10, messages });
}

describe('request builder: what goes along with a message', () => {
  it('puts images before the text and what was mentioned behind it, and never sends a preview', () => {
    const messages = messagesOf({ ...words, attachments: [attachment], images: [image] });
    assert.deepEqual(messages, [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: onePixelPng } },
          { type: 'text', text: 'Look.' },
          { type: 'text', text: attachment.text },
        ],
      },
    ]);
    assert.equal(refusalOf(messages), undefined);
  });

  it('sends what it always sent for a message without any', () => {
    assert.deepEqual(messagesOf({ ...words, attachments: [], images: [] }), messagesOf(words));
    assert.deepEqual(messagesOf(words), [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }]);
  });

  it('sends images without words', () => {
    const messages = messagesOf({ ...words, text: ' ', images: [image] });
    assert.equal(refusalOf(messages), undefined);
    assert.equal(JSON.stringify(messages).includes('"text"'), false);
  });

  it('replaces an image that was damaged in the trace by words', () => {
    const messages = messagesOf({ ...words, images: [{ ...image, data: 'AAA[redacted]' }] });
    assert.match(JSON.stringify(messages), /An image that was sent here is damaged/);
    assert.equal(refusalOf(messages), undefined);
  });
});

describe('user parts', () => {
  it('keep their place when one that the server refused is left out', () => {
    const events: readonly NewEvent[] = [
      { ...words, images: [image], attachments: [attachment], surroundings: 'branch main' },
    ];
    const healed: NewEvent = {
      type: 'history_healed',
      ...{ requestId: 'q1', partSeq: 1, partBlock: 0, reason: 'Could not process image' },
    };
    const whole = JSON.stringify(messagesOf(...events));
    assert.ok(whole.indexOf('let a;') < whole.indexOf('<surroundings>'));
    const messages = messagesOf(...events, healed);
    assert.ok(!JSON.stringify(messages).includes(onePixelPng));
    assert.match(JSON.stringify(messages), /the server refused it and said: Could not process image/);
    assert.equal(refusalOf(messages), undefined);
  });
});
