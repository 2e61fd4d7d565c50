// What the user said (or what an agent was told), with what can be done from there: on hover, and by the keyboard.
import type { TranscriptItem } from '../../src/protocol/view.ts';
import { dateText } from '../words.ts';
import { Attachments } from './Attachments.tsx';
import { IconButton } from './Button.tsx';
import { usePanel } from './context.ts';
import { ShownParts } from './Shown.tsx';

export function UserMessage({ item }: { readonly item: Extract<TranscriptItem, { kind: 'user' }> }) {
  return (
    <>
      <div class="user-line">
        <div class="author" title={dateText(item.at)}>
          {item.author ?? 'You'}
        </div>
        {item.author === undefined && <MessageActions messageId={item.id} />}
      </div>
      {item.text !== '' && (
        <div class="user-text">
          <ShownParts text={item.text} kind="prose" />
        </div>
      )}
      <Attachments item={item} />
    </>
  );
}

function MessageActions({ messageId }: { readonly messageId: string }) {
  const { model, post } = usePanel();
  const actions = model.messageActions.value;
  if (actions === 'none') return null;
  return (
    <div class="user-actions" role="group" aria-label="Actions of this message">
      {actions === 'all' && (
        <IconButton
          icon="discard"
          label="Revert to before this message"
          hint="Revert to before this message: files and conversation; shows what would change first (Enter)"
          tabIndex={-1}
          isStop
          onPress={() => post({ type: 'planRevert', messageId })}
        />
      )}
      <IconButton
        icon="repo-forked"
        label="Fork from here"
        hint="Fork from here: a new session with what stands before this message, files untouched (Enter)"
        tabIndex={-1}
        isStop={actions === 'fork'}
        onPress={() => post({ type: 'fork', messageId })}
      />
    </div>
  );
}
