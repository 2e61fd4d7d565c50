// Text of others on screen: set apart from the text around it in its direction, and with a mark where something in it
// cannot be seen. What is copied is the text itself, by the buttons for it.
import { shownParts, visibleText, type TextKind } from '../../src/core/visibleText.ts';

export function Shown(props: { readonly text: string; readonly kind?: TextKind }) {
  return (
    <bdi>
      <ShownParts {...props} />
    </bdi>
  );
}

/** The same without an element of its own. */
export function ShownParts({ text, kind = 'code' }: { readonly text: string; readonly kind?: TextKind }) {
  const parts = shownParts(text, kind);
  if (parts.every(({ isMark }) => !isMark)) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) =>
        part.isMark ? (
          <span key={index} class="odd-mark">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}

/** For tooltips and names: one string. */
export function shown(text: string, kind: TextKind = 'code'): string {
  return visibleText(text, kind);
}
