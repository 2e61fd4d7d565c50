// What screen readers hear of the transcript: announcements only, politely, and not shown.
import { usePanel } from './context.ts';

export function LiveRegion() {
  const { model } = usePanel();
  return (
    <div class="visually-hidden" aria-live="polite" aria-atomic="true" data-announcements>
      {model.announced.value.map((sentence, index) => (
        <p key={`${index} ${sentence}`}>{sentence}</p>
      ))}
    </div>
  );
}
