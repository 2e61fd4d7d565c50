// The step that runs, at the lower edge, while its own line is scrolled out of sight.
import { useEffect, useState } from 'preact/hooks';
import { itemElementId } from '../transcriptScroll.ts';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { Shown, shown } from './Shown.tsx';
import { Elapsed, EndRunButton, stepIcon } from './Step.tsx';

export function RunningDock() {
  const { model, scroll } = usePanel();
  const step = model.currentStep.value;
  const isAway = useIsOutOfSight(step?.id);
  if (!step || !isAway) return null;
  return (
    <div class={`running-dock step step-${step.status}`}>
      <button
        type="button"
        class="step-toggle step-toggle-wide"
        title={`${step.verb} ${shown(step.subject)}\nGo to the step`}
        onClick={() => scroll.toItem(step.id)}
      >
        <Icon name={stepIcon(step.status)} spin={step.status === 'running'} class="step-icon" />
        <span class="step-verb">{step.verb}</span>
        <code class="step-subject">
          <Shown text={step.subject} />
        </code>
      </button>
      <span class="step-facts">
        {step.status === 'running' && step.startedAt !== undefined && <Elapsed since={step.startedAt} />}
        <EndRunButton />
      </span>
    </div>
  );
}

function useIsOutOfSight(itemId: string | undefined): boolean {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    const line =
      itemId === undefined ? null : document.getElementById(itemElementId(itemId))?.querySelector('.step-line');
    if (!line) {
      setIsAway(false);
      return undefined;
    }
    const observer = new IntersectionObserver((entries) => setIsAway(entries.at(-1)?.isIntersecting === false));
    observer.observe(line);
    return () => observer.disconnect();
  }, [itemId]);
  return isAway;
}
