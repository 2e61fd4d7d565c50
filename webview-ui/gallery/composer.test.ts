// The input in a browser: completion, commands, images, drops and history, by keyboard first.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { PanelMessage } from '../../src/protocol/messages.ts';
import { useGalleryPage } from './galleryPage.ts';
import { pasteImages } from './pasteImages.ts';

describe('the input in a browser', function () {
  this.timeout(60_000);
  let page: Page;
  const { open, sent, say, message, focusedName } = useGalleryPage(
    (opened) => {
      page = opened;
    },
    { isBusy: true },
  );

  const lastOf = async (type: PanelMessage['type']): Promise<PanelMessage | undefined> =>
    (await sent()).findLast((each) => each.type === type);
  const list = (): Locator => page.getByRole('listbox');
  const chosen = (): Promise<string> => page.locator('[role="option"][aria-selected="true"]').innerText();
  const press = (key: string): Promise<void> => page.keyboard.press(key);
  const caret = (): Promise<number> => message().evaluate((el) => (el as HTMLTextAreaElement).selectionStart);
  const drop = (data: Readonly<Record<string, string>>): Promise<void> =>
    message().evaluate((el, entries) => {
      const dataTransfer = new DataTransfer();
      for (const [type, value] of Object.entries(entries)) dataTransfer.setData(type, value);
      el.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, data);

  it('mentions a file by keyboard: letters, arrows, Enter; the rest of the text stays', async () => {
    await open('attachments');
    await message().fill('look at  closely');
    await message().evaluate((el) => (el as HTMLTextAreaElement).setSelectionRange(8, 8));
    await page.keyboard.type('@mod');
    await list().waitFor();
    assert.match(await chosen(), /train\.py/);
    await press('ArrowDown');
    assert.match(await chosen(), /tune\.py/);
    assert.equal(
      await message().getAttribute('aria-activedescendant'),
      await page.locator('[aria-selected="true"]').getAttribute('id'),
    );
    await press('ArrowUp');
    await press('ArrowUp');
    assert.match(await chosen(), /model notes/);
    await press('Enter');
    assert.equal(await message().inputValue(), 'look at @"docs/model notes.md" closely');
    assert.equal(await list().count(), 0);
    assert.equal(await message().getAttribute('aria-activedescendant'), null);
    await press('Enter');
    assert.deepEqual(await lastOf('send'), {
      type: 'send',
      text: 'look at @"docs/model notes.md" closely',
      picked: ['docs/model notes.md'],
    });
    assert.equal((await sent()).filter((each) => each.type === 'send').length, 1);
  });

  it('goes into a folder with Tab, and is undone as typing is', async () => {
    await open('attachments');
    await message().pressSequentially('@src/models');
    await list().waitFor();
    await page.getByRole('option', { name: 'src/models/', exact: true }).hover();
    await press('Tab');
    assert.equal(await message().inputValue(), '@src/models/');
    await page.getByRole('option', { name: /train\.py/ }).click();
    assert.equal(await message().inputValue(), '@src/models/train.py ');
    assert.equal(await caret(), 21);
    await press('Control+z');
    assert.equal(await message().inputValue(), '@src/models/');
  });

  it('sends the list away with Escape until another word begins, and says when nothing fits', async () => {
    await open('attachments');
    await message().pressSequentially('@tr');
    await list().waitFor();
    await press('Escape');
    await page.keyboard.type('a');
    assert.equal(await list().count(), 0);
    await page.keyboard.type(' @zzz');
    await list().getByText('No file or folder fits “zzz”.').waitFor();
    // Enter has nothing to take: it sends.
    await press('Enter');
    assert.deepEqual(await lastOf('send'), { type: 'send', text: '@tra @zzz' });
  });

  it('takes only what fits what is typed while the answers of the host are late', async () => {
    await open('attachments');
    await message().pressSequentially('@t');
    await list().waitFor();
    assert.match(await chosen(), /terminal/);
    await page.evaluate(() => window.galleryHost.hold());
    await page.keyboard.type('rai');
    await press('Enter');
    assert.equal(await message().inputValue(), '@src/models/train.py ');
    await page.keyboard.type('@zzz');
    assert.match(await chosen(), /terminal/);
    await press('Enter');
    assert.equal(await message().inputValue(), '@src/models/train.py @zzz');
    assert.equal(await lastOf('send'), undefined);
    await page.evaluate(() => window.galleryHost.goOn());
    await list().getByText('No file or folder fits “zzz”.').waitFor();
    await press('Enter');
    assert.deepEqual(await lastOf('send'), {
      type: 'send',
      text: '@src/models/train.py @zzz',
      picked: ['src/models/train.py'],
    });
  });

  it('leaves the keys of a composition alone while the list is open', async () => {
    await open('attachments');
    await message().pressSequentially('@tr');
    await list().waitFor();
    await message().evaluate((el) =>
      el.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
      ),
    );
    assert.equal(await message().inputValue(), '@tr');
    assert.ok((await sent()).every((each) => each.type !== 'send'));
  });

  it('runs a command by keyboard, and says why one does nothing now', async () => {
    await open('interrupted');
    await message().pressSequentially('/re');
    await list().waitFor();
    assert.match(await chosen(), /\/resume/);
    await press('ArrowDown');
    await press('Enter');
    await page.locator('#composer-note').getByText('The last run did not fail.').waitFor();
    assert.equal(await lastOf('slash'), undefined);
    assert.equal(await message().inputValue(), '/re');
    await page.keyboard.type('s');
    await press('Enter');
    assert.deepEqual(await lastOf('slash'), { type: 'slash', name: 'resume', argument: '', text: '/resume' });
    assert.equal(await message().inputValue(), '');
  });

  it('completes models, takes any other name, and lets the header choose', async () => {
    await open('attachments');
    await message().pressSequentially('/mod');
    await press('Enter');
    assert.equal(await message().inputValue(), '/model ');
    await page.getByRole('option', { name: /claude-sonnet-5-5/ }).waitFor();
    await page.keyboard.type('opus');
    await press('Enter');
    assert.deepEqual(await lastOf('slash'), {
      type: 'slash',
      name: 'model',
      argument: 'claude-opus-5-5',
      text: '/model claude-opus-5-5',
    });
    await message().fill('/model llama4:70b');
    await press('Enter');
    assert.equal(JSON.stringify(await lastOf('slash')).includes('"llama4:70b"'), true);
    await page.getByRole('button', { name: /^Model claude-sonnet-5-5/ }).click();
    assert.deepEqual(await lastOf('command'), { type: 'command', command: 'chooseModel' });
  });

  it('does not send what looks like a command and is none, and sends it behind a blank', async () => {
    await open('attachments');
    await message().fill('/compress it');
    await press('Enter');
    await page.getByText('There is no command /compress. To send it as text, begin with a space.').waitFor();
    assert.equal(await lastOf('send'), undefined);
    await message().fill(' /compress it');
    await press('Enter');
    assert.deepEqual(await lastOf('send'), { type: 'send', text: '/compress it' });
    await message().fill('/etc/hosts is wrong');
    await press('Enter');
    assert.deepEqual(await lastOf('send'), { type: 'send', text: '/etc/hosts is wrong' });
  });

  it('takes pasted images, gives one back by keyboard, keeps them over a reload and sends them', async () => {
    await open('attachments');
    await message().evaluate(pasteImages, 3);
    await page.getByRole('button', { name: 'Image 3, remove' }).waitFor();
    await page.getByRole('button', { name: 'Image 1, remove' }).focus();
    await press('Delete');
    await page.getByRole('button', { name: 'Image 3, remove' }).waitFor({ state: 'detached' });
    assert.equal(await focusedName(), 'Image 1, remove');
    await page.waitForFunction(() => (sessionStorage.getItem('gallery attachments') ?? '').includes('"width":640'));
    await page.reload();
    await page.getByRole('button', { name: 'Image 2, remove' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const message2 = await lastOf('send');
    assert.ok(message2?.type === 'send');
    assert.equal(message2.text, '');
    assert.deepEqual(
      message2.images?.map(({ mediaType, width, height }) => [mediaType, width, height]),
      [
        ['image/png', 640, 200],
        ['image/png', 960, 200],
      ],
    );
    assert.ok(
      message2.images.every(({ preview }) => preview?.startsWith('data:image/jpeg') && preview.length < 28_000),
    );
    assert.equal(await page.locator('.draft-image').count(), 0);
    const id = await page.evaluate(() => {
      const sent = window.galleryHost.sent.findLast(({ type }) => type === 'send');
      return sent?.type === 'send' ? sent.id : undefined;
    });
    assert.ok(id !== undefined);
    await say({ type: 'sendRefused', id, text: '', reason: 'No model is set.' });
    await page.getByRole('button', { name: 'Image 2, remove' }).waitFor();
  });

  it('scales a large image down, and refuses in words what cannot be sent', async () => {
    await open('attachments');
    await message().evaluate(async (el) => {
      const canvas = new OffscreenCanvas(4_000, 1_000);
      canvas.getContext('2d')?.fillRect(10, 10, 500, 500);
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([await canvas.convertToBlob()], 'wide.png', { type: 'image/png' }));
      clipboardData.items.add(new File(['hello'], 'fake.png', { type: 'image/png' }));
      el.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByText('fake.png is not an image that can be sent. PNG, JPEG, GIF and WebP can.').waitFor();
    await page.getByRole('button', { name: 'wide.png, remove' }).waitFor();
    await message().fill('Why so wide?');
    await press('Enter');
    const wide = await lastOf('send');
    assert.ok(wide?.type === 'send');
    assert.deepEqual(
      wide.images?.map(({ name, width, height }) => [name, width, height]),
      [['wide.png', 1_568, 392]],
    );
  });

  it('makes mentions of resources that are dropped, all of them, and says what cannot be', async () => {
    await open('attachments');
    await message().fill('see');
    await drop({
      'text/uri-list': 'file:///home/dev/ml/a.py',
      'application/vnd.code.uri-list': 'file:///home/dev/ml/a.py\r\nfile:///home/dev/ml/my b.py\r\nfile:///etc/hosts',
    });
    await page.getByText('Only what lies in the folder ml can be mentioned.').waitFor();
    assert.equal(await message().inputValue(), 'see @a.py @"my b.py" ');
    await message().evaluate((el) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'notes.txt', { type: 'text/plain' }));
      el.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await page.getByText(/^Of files from outside only images can be taken/).waitFor();
  });

  it('brings earlier messages back with ArrowUp in an empty input', async () => {
    await open('attachments');
    await message().focus();
    await press('ArrowUp');
    assert.match(await message().inputValue(), /^The chart is wrong/);
    await press('ArrowDown');
    assert.equal(await message().inputValue(), '');
    await message().fill('mine');
    await press('ArrowUp');
    assert.equal(await message().inputValue(), 'mine');
  });

  it('opens what went along with a message, and asks for each thumbnail once', async () => {
    await open('attachments');
    await page.getByRole('button', { name: 'chart.png, open' }).locator('img').waitFor();
    await page.getByRole('button', { name: 'chart.png, open' }).click();
    assert.deepEqual(await lastOf('openImage'), { type: 'openImage', itemId: 'user-attached', index: 0 });
    await page.getByRole('button', { name: '12 problems, open' }).click();
    assert.deepEqual(await lastOf('openAttachment'), { type: 'openAttachment', itemId: 'user-attached', index: 2 });
    assert.equal((await sent()).filter((each) => each.type === 'previewWanted').length, 2);
    assert.equal(await page.getByRole('button', { name: /old\.md.*It was not there/ }).count(), 1);
  });
});
