// After a revert: what it was and the way back. One that was cut is a banner, since nothing else can go on before it.
import type { RevertView } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';

export function RevertNote({ revert }: { readonly revert: RevertView }) {
  const { post } = usePanel();
  const press = (type: 'finishRevert' | 'undoRevert'): void => {
    post({ type });
    document.getElementById('message')?.focus();
  };
  if (revert.kind === 'unfinished') {
    return (
      <div class="banner" role="alert">
        <div class="banner-title">
          <Icon name="warning" class="banner-icon" />
          <span>{revert.title}</span>
        </div>
        <div class="banner-summary">{revert.detail}</div>
        <div class="button-row">
          <Button
            kind="primary"
            label="Finish it"
            hint="Restore the rest of the files, then the conversation"
            onPress={() => press('finishRevert')}
          />
        </div>
      </div>
    );
  }
  return (
    <section class="retry-note" aria-label="Reverted">
      <Icon name="discard" class="retry-icon" />
      <span class="retry-words" role="status">
        {revert.title} · {revert.detail}
      </span>
      <Button
        kind="link"
        label="Undo the revert"
        hint="Bring back the files and the conversation, as far as nobody changed them since"
        onPress={() => press('undoRevert')}
      />
    </section>
  );
}
