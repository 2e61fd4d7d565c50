// Changes the text of a field as typing would: the editor's undo takes it back.

/** Puts `text` into the field by replacing only what differs, and the caret to its place. */
export function editText(field: HTMLTextAreaElement, text: string, caret: number): void {
  const before = field.value;
  let start = 0;
  while (start < before.length && start < text.length && before[start] === text[start]) start++;
  let same = 0;
  const most = Math.min(before.length, text.length) - start;
  while (same < most && before[before.length - 1 - same] === text[text.length - 1 - same]) same++;
  field.focus();
  if (before !== text) {
    field.setSelectionRange(start, before.length - same);
    const inserted = text.slice(start, text.length - same);
    if (!insertLikeTyping(inserted) || field.value !== text) {
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
  field.setSelectionRange(caret, caret);
}

/** The only way that keeps the history of the field; there is no other one yet. */
function insertLikeTyping(text: string): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
}
