// Pastes a picture into the chat's input as the clipboard gives it. The picture is a real one: the page decodes it.
import type { Locator } from 'playwright-core';
import { onePixelPng } from '../imageBytes.ts';

/** @param field the input, in whose page the rest is found */
export async function pasteImage(field: Locator): Promise<void> {
  // As the text of an expression: the types of a page are not known here.
  await field.evaluate(`(() => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(onePixelPng)}), (char) => char.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.getElementById('message').dispatchEvent(paste);
  })()`);
}
