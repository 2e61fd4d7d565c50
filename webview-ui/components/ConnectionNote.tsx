// Above the input: that nothing would answer, with the ways to a model, or that another connection would than before.
import type { SessionView } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';

export function ConnectionNote(props: { readonly session: SessionView }) {
  const { post } = usePanel();
  const { noModel, change } = props.session;
  if (!noModel)
    return change === undefined ? null : (
      <div class="connection-note" role="status">
        <Icon name="plug" />
        <div class="connection-text">{change}</div>
      </div>
    );
  return (
    <section class="connection-note" aria-label={noModel.title}>
      <Icon name="debug-disconnect" />
      <div>
        <div class="connection-title">{noModel.title}</div>
        <div class="connection-text">{noModel.text}</div>
        <div class="connection-ways">
          {noModel.ways.map(({ label, command }) => (
            <Button key={command} kind="link" label={label} onPress={() => post({ type: 'command', command })} />
          ))}
        </div>
      </div>
    </section>
  );
}
