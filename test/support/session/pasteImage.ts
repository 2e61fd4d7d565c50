// Pastes a picture into a field as the clipboard gives it. The picture is a real one: the page decodes it.
import type { Locator } from 'playwright-core';
import { onePixelPng } from '../imageBytes.ts';

export async function pasteImage(field: Locator): Promise<void> {
  // As text: the page's own types are not known here.
  await field.evaluate(`(field) => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(onePixelPng)}), (char) => char.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
}
