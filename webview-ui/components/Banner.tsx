// "This was cut, you can go on": what happened, what is safe, and the one button. The only amber in the panel.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { unreachable } from '../../src/core/errors.ts';
import type { ResumeMode } from '../../src/core/events.ts';
import type { Banner as BannerView, Remedy, SessionView } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { countdownText, nextTryText, possibleAgainText } from '../words.ts';
import { useNow, usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { ResumeFields, type ResumeChoice } from './ResumeFields.tsx';

function actionLabel(action: BannerView['action'], isEarly = false): string {
  // Before the time that the server named it is only a try.
  if (isEarly) return 'Retry now';
  switch (action) {
    case 'resume':
      return 'Resume';
    case 'retry':
      return 'Retry';
    default:
      return unreachable(action);
  }
}

export function Banner(props: {
  readonly session: SessionView;
  readonly banner: BannerView;
  readonly models: readonly string[];
}) {
  const { post } = usePanel();
  const { banner, session } = props;
  const [choosing, setChoosing] = useState(false);
  const [choice, setChoice] = useState<ResumeChoice>({ model: '', thinking: 'same', mode: banner.action });
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (choosing) root.current?.querySelector('input')?.focus();
  }, [choosing]);

  const mode: ResumeMode = choosing ? choice.mode : banner.action;
  // Trying again what failed is idle before it is mended; what was cut can go on at once.
  const remedyFirst =
    banner.remedy !== undefined && banner.action === 'retry' && !(choosing && 'opens' in banner.remedy);
  const now = useNow(banner.retryAt === undefined ? 'minute' : 'second');
  const leftMs = (banner.retryAt ?? 0) - now;
  const isEarly = leftMs > 0;
  const go = (preview = false): void => {
    const model = choice.model.trim();
    post({
      type: 'resume',
      mode,
      ...(isEarly && { now: true as const }),
      ...(preview && { preview: true as const }),
      ...(choosing && model !== '' && { model }),
      ...(choosing && choice.thinking !== 'same' && { thinking: choice.thinking }),
    });
    // The button that was pressed goes away with the banner.
    document.getElementById('message')?.focus();
  };
  return (
    <div
      ref={root}
      class="banner"
      role="alert"
      onKeyDown={(event) => {
        if (!choosing || event.isComposing) return;
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) go();
        // Goes on to the page, which gives the keyboard to the input.
        if (event.key === 'Escape') setChoosing(false);
      }}
    >
      <div class="banner-title">
        <Icon name="warning" class="banner-icon" />
        <span>
          {banner.title}
          {banner.retryAt !== undefined &&
            `: ${(banner.isOwnTime ? nextTryText : possibleAgainText)(banner.retryAt, now)}`}
          {/* What changes all the time is not announced each time; the time itself is. */}
          {isEarly && <span aria-hidden="true"> (in {countdownText(leftMs)})</span>}
        </span>
      </div>
      <div class="banner-summary">{banner.summary}</div>
      {banner.running?.map((running) => (
        <div class="banner-running" key={running.key}>
          <code title={running.command}>{running.command}</code>
          <span>still running</span>
          <Button
            kind="link"
            label="End command"
            hint="End it with all processes that it started"
            onPress={() => post({ type: 'endCommand', key: running.key })}
          />
        </div>
      ))}
      {banner.ended?.map(({ command, how }, index) => (
        <div class="banner-running" key={index}>
          <code title={command}>{command}</code>
          <span>has ended meanwhile ({how})</span>
        </div>
      ))}
      {banner.auto && <div class="banner-detail">{banner.auto}</div>}
      {banner.detail && <div class="banner-detail">{banner.detail}</div>}
      {choosing && (
        <ResumeFields choice={choice} currentModel={session.model} models={props.models} onChange={setChoice} />
      )}
      <div class="button-row">
        <Button
          kind={remedyFirst ? 'secondary' : 'primary'}
          label={actionLabel(mode, isEarly)}
          hint={mode === 'retry' ? 'Try again from where it was' : 'Go on from where it was'}
          onPress={() => go()}
        />
        {banner.remedy && !(choosing && 'opens' in banner.remedy) && (
          <RemedyButton remedy={banner.remedy} isFirst={remedyFirst} onChoose={() => setChoosing(true)} />
        )}
        {choosing && (
          <Button
            kind="link"
            label="Preview"
            hint="See what would be sent, and how much, first"
            onPress={() => go(true)}
          />
        )}
        <Button
          kind="link"
          label={choosing ? 'Cancel' : `${actionLabel(banner.action)} with…`}
          hint={choosing ? 'Cancel (Escape)' : 'Choose the model, thinking and wording first'}
          expanded={choosing}
          onPress={() => setChoosing(!choosing)}
        />
      </div>
    </div>
  );
}

function RemedyButton(props: { readonly remedy: Remedy; readonly isFirst: boolean; readonly onChoose: () => void }) {
  const { post } = usePanel();
  const { remedy } = props;
  return (
    <Button
      kind={props.isFirst ? 'primary' : 'secondary'}
      label={remedy.label}
      onPress={() => ('opens' in remedy ? props.onChoose() : post({ type: 'command', command: remedy.command }))}
    />
  );
}
