// "This was cut, you can go on": what happened, what is safe, and the one button. The only amber in the panel.
import { useEffect, useRef, useState } from 'preact/hooks';
import { unreachable } from '../../src/core/errors.ts';
import type { ResumeMode } from '../../src/core/events.ts';
import type { Banner as BannerView, SessionView } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { ResumeFields, type ResumeChoice } from './ResumeFields.tsx';

function actionLabel(action: BannerView['action']): string {
  switch (action) {
    case 'resume':
      return 'Resume';
    case 'retry':
      return 'Retry';
    default:
      return unreachable(action);
  }
}

export function Banner(props: { readonly session: SessionView; readonly banner: BannerView }) {
  const { post } = usePanel();
  const { banner, session } = props;
  const [choosing, setChoosing] = useState(false);
  const [choice, setChoice] = useState<ResumeChoice>({ model: '', thinking: 'same', mode: banner.action });
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (choosing) root.current?.querySelector('input')?.focus();
  }, [choosing]);

  const mode: ResumeMode = choosing ? choice.mode : banner.action;
  const go = (): void => {
    const model = choice.model.trim();
    post({
      type: 'resume',
      mode,
      ...(choosing && model !== '' && { model }),
      ...(choosing && choice.thinking !== 'same' && { thinking: choice.thinking }),
    });
  };
  return (
    <div
      ref={root}
      class="banner"
      role="alert"
      onKeyDown={(event) => {
        if (!choosing || event.isComposing) return;
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) go();
        else if (event.key === 'Escape') setChoosing(false);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div class="banner-title">
        <Icon name="warning" class="banner-icon" />
        <span>{banner.title}</span>
      </div>
      <div class="banner-summary">{banner.summary}</div>
      {banner.detail && <div class="banner-detail">{banner.detail}</div>}
      {choosing && <ResumeFields choice={choice} currentModel={session.model} onChange={setChoice} />}
      <div class="button-row">
        <Button
          kind={banner.remedy ? 'secondary' : 'primary'}
          label={actionLabel(mode)}
          hint={mode === 'retry' ? 'Try again from where it was' : 'Go on from where it was'}
          onPress={go}
        />
        {banner.remedy && <RemedyButton remedy={banner.remedy} />}
        <Button
          kind="link"
          label={choosing ? 'Cancel' : 'Resume with…'}
          hint={choosing ? 'Cancel (Escape)' : 'Choose the model, thinking and wording first'}
          expanded={choosing}
          onPress={() => setChoosing(!choosing)}
        />
      </div>
    </div>
  );
}

function RemedyButton(props: { readonly remedy: NonNullable<BannerView['remedy']> }) {
  const { post } = usePanel();
  const { remedy } = props;
  return (
    <Button kind="primary" label={remedy.label} onPress={() => post({ type: 'command', command: remedy.command })} />
  );
}
