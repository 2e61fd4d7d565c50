// Messages on their way in a browser: shown until they are recorded, back in the input when nobody has them.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { PanelMessage } from '../../src/protocol/messages.ts';
import { useGalleryPage } from './galleryPage.ts';

type SendMessage = Extract<PanelMessage, { type: 'send' }>;

describe('messages on their way in a browser', function () {
  this.timeout(60_000);
  let page: Page;
  const { open, say, message } = useGalleryPage((opened) => {
    page = opened;
  });

  const sends = (): Promise<readonly SendMessage[]> =>
    page.evaluate(() => window.galleryHost.sent.filter((each) => each.type === 'send'));
  const idOf = async (index: number): Promise<string> => {
    const id = (await sends())[index]?.id;
    assert.ok(id !== undefined);
    return id;
  };
  const onTheirWay = (): Locator => page.getByRole('list', { name: 'Being sent' }).getByRole('listitem');
  const sendByKey = async (text: string): Promise<void> => {
    await message().fill(text);
    await message().press('Enter');
  };

  it('are shown until each is recorded, in their order', async () => {
    await open('done');
    await sendByKey('First thing.');
    await sendByKey('Second thing.');
    await onTheirWay().getByText('Second thing.').waitFor();
    assert.deepEqual(await onTheirWay().allInnerTexts(), ['First thing.\nsending', 'Second thing.\nsending']);
    await say({ type: 'sendRecorded', id: await idOf(0) });
    await onTheirWay().getByText('First thing.').waitFor({ state: 'detached' });
    assert.equal(await onTheirWay().count(), 1);
    assert.equal(await message().inputValue(), '');
  });

  it('are back in the input when nobody has them, and sent again under the same id by one key', async () => {
    await open('done');
    await sendByKey('Only once.');
    const id = await idOf(0);
    await say({ type: 'sendOutcomes', recorded: [], unknown: [id] });
    await page.getByText('Not sent yet: the editor was restarted. Enter sends it.').waitFor();
    assert.equal(await message().inputValue(), 'Only once.');
    assert.equal(await onTheirWay().count(), 0);
    await message().press('Enter');
    assert.equal(await idOf(1), id);
    assert.equal(await message().inputValue(), '');
  });

  it('have another id when they were changed before they were sent again', async () => {
    await open('done');
    await sendByKey('Only once.');
    const id = await idOf(0);
    await say({ type: 'sendOutcomes', recorded: [], unknown: [id] });
    await sendByKey('Another one.');
    assert.notEqual(await idOf(1), id);
  });

  it('come back with a refusal, in front of what was typed since', async () => {
    await open('done');
    await sendByKey('Do it.');
    await message().fill('And more');
    await say({ type: 'sendRefused', id: await idOf(0), text: 'Do it.', reason: 'No model is set.' });
    await page.getByText('No model is set.').waitFor();
    assert.equal(await message().inputValue(), 'Do it.\n\nAnd more');
    assert.equal(await onTheirWay().count(), 0);
  });

  it('of a new session go to the one session, however many are sent before it shows', async () => {
    await open('empty-sessions');
    await sendByKey('First thing.');
    await sendByKey('Second thing.');
    const [first, second] = await sends();
    assert.equal(first?.isNew, true);
    assert.equal(first.sessionId, second?.sessionId);
    assert.notEqual(first.id, second?.id);
  });

  it('are asked for after each snapshot, whoever was asked before', async () => {
    await open('done');
    await sendByKey('Are you there?');
    const id = await idOf(0);
    await page.evaluate(() => window.galleryHost.say({ ...window.galleryHost.first, revision: 100 }));
    const asked = await page.evaluate(() =>
      window.galleryHost.sent.filter(({ type }) => type === 'sendOutcomesWanted'),
    );
    assert.deepEqual(
      asked.flatMap((each) => (each.type === 'sendOutcomesWanted' ? each.sends.map((send) => send.id) : [])),
      [id],
    );
  });

  it('leave a reason that is typed for a denial where it was when the page comes again', async () => {
    await open('approve-command');
    await page.getByRole('button', { name: 'Give a reason…' }).first().click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Use the other file');
    await page.reload();
    await page.getByRole('textbox', { name: 'Reason' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Reason' }).inputValue(), 'Use the other file');
  });
});
