// Runs in the page: pastes pictures into a field, as the clipboard gives them.

/** @param count how many; each wider than the one before */
export async function pasteImages(field: Element, count: number): Promise<void> {
  const data = new DataTransfer();
  for (let i = 0; i < count; i++) {
    const canvas = new OffscreenCanvas(320 * (i + 1), 200);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.fillStyle = i % 2 === 0 ? '#3a6ea5' : '#a53a5f';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#ffffff';
    context.fillRect(20, 20, 80, 120);
    data.items.add(new File([await canvas.convertToBlob()], 'image.png', { type: 'image/png' }));
  }
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}
