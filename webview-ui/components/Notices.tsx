// What the host says beside the sessions: an error, an offer. Stays until it is answered or taken away.
import type { NoticeView } from '../../src/protocol/view.ts';
import { Button, IconButton } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { ShownParts } from './Shown.tsx';

export function Notices(props: { readonly notices: readonly NoticeView[] | undefined }) {
  return props.notices?.map((notice) => <Notice key={notice.id} notice={notice} />) ?? null;
}

function Notice({ notice }: { readonly notice: NoticeView }) {
  const { post } = usePanel();
  const answer = (action?: number): void => {
    post({ type: 'answerNotice', id: notice.id, ...(action !== undefined && { action }) });
    // The button that was pressed goes away with the notice.
    document.getElementById('message')?.focus();
  };
  return (
    <div class={`panel-notice panel-notice-${notice.level}`} role="alert" aria-label="Notice">
      <Icon name={notice.level} class="panel-notice-icon" />
      <div class="panel-notice-words">
        <span>
          <ShownParts text={notice.text} kind="prose" />
        </span>
        {notice.actions.length > 0 && (
          <div class="button-row">
            {notice.actions.map((label, index) => (
              <Button
                key={label}
                kind={index === 0 ? 'primary' : 'secondary'}
                label={label}
                onPress={() => answer(index)}
              />
            ))}
          </div>
        )}
      </div>
      <IconButton icon="close" label="Dismiss" onPress={() => answer()} />
    </div>
  );
}
