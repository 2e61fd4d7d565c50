// No session is open: one sentence, the ways to a model, the sessions that are there.
import type { HostCommand, ModelSource, PanelView } from '../../src/protocol/view.ts';
import { AdoptOffers } from './AdoptOffers.tsx';
import { Button } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { SessionList } from './SessionList.tsx';

export function EmptyScreen(props: { readonly panel: PanelView }) {
  const { adoptable = [], sessions, source } = props.panel;
  return (
    <main class="screen">
      <p class="lead">
        Describe a task. Ratchet works on it step by step; what is stopped, fails or crashes goes on where it was.
      </p>
      {source.kind === 'editor' && <p class="way-text">{source.text}.</p>}
      <Ways source={source} />
      <AdoptOffers offers={adoptable} />
      <SessionList sessions={sessions} />
    </main>
  );
}

interface Way {
  readonly icon: string;
  readonly label: string;
  readonly command: HostCommand;
  readonly text: string;
}

const keyWay: Way = {
  icon: 'key',
  label: 'Set API key',
  command: 'setApiKey',
  text: 'For Claude. Kept in the secret storage of the editor.',
};
const editorWay: Way = {
  icon: 'vscode',
  label: "Use the editor's models",
  command: 'useEditorModels',
  text: 'Those that extensions such as GitHub Copilot bring along. No key.',
};
const demoWay: Way = {
  icon: 'beaker',
  label: 'Use offline demo',
  command: 'useDemo',
  text: 'A script instead of a model: no key, no network, real steps in this folder.',
};
const gatewayWay: Way = {
  icon: 'settings-gear',
  label: 'Open settings',
  command: 'openSettings',
  text: 'For a gateway or a local server that speaks the Messages API.',
};

function waysFor(kind: ModelSource['kind']): readonly Way[] {
  if (kind === 'none') return [keyWay, editorWay, demoWay, gatewayWay];
  return kind === 'demo' ? [keyWay, editorWay, gatewayWay] : [];
}

function Ways({ source }: { readonly source: ModelSource }) {
  const { post } = usePanel();
  const ways = waysFor(source.kind);
  if (ways.length === 0) return null;
  return (
    <section class="ways" aria-label="Ways to a model">
      {source.kind === 'demo' && (
        <p class="way-text demo-text">
          {source.only ? 'The offline demo is chosen' : 'No model is connected yet'}: a script answers, and does five
          small steps with the real tools in this folder.
        </p>
      )}
      <h2>{source.kind === 'none' ? 'It needs a model' : 'Connect a model'}</h2>
      {ways.map((way) => (
        <div key={way.command} class="way">
          <Icon name={way.icon} />
          <div>
            <Button
              kind="link"
              label={way.label}
              hint={way.text}
              onPress={() => post({ type: 'command', command: way.command })}
            />
            <div class="way-text">{way.text}</div>
          </div>
        </div>
      ))}
    </section>
  );
}
