// How full the model's context is: a thin bar and a number; what it cost is in the tooltip.
import { numberText, percentOf } from '../words.ts';

interface Props {
  readonly usedTokens: number;
  readonly windowTokens: number;
  readonly usageText: string | undefined;
}

export function ContextMeter(props: Props) {
  const percent = percentOf(props.usedTokens, props.windowTokens);
  const words = `${numberText(props.usedTokens)} of ${numberText(props.windowTokens)} tokens in the context`;
  return (
    <span class="fact context-meter" title={props.usageText ? `${words}\n${props.usageText}` : words}>
      <meter class="visually-hidden" aria-label="Context used" min={0} max={100} value={percent}>
        {words}
      </meter>
      <span class="meter-bar" aria-hidden="true">
        <span class={`meter-fill ${percent >= 90 ? 'meter-full' : ''}`} style={{ width: `${percent}%` }} />
      </span>
      <span aria-hidden="true">{percent} %</span>
    </span>
  );
}
