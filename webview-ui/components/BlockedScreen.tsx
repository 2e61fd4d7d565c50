// Nothing can be run here: no folder is open, or the folder is not trusted. What was done stays readable.
import type { PanelView } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { usePanel } from './context.ts';
import { SessionList } from './SessionList.tsx';

export function BlockedScreen(props: { readonly panel: PanelView; readonly why: 'no_folder' | 'untrusted' }) {
  const { post } = usePanel();
  const untrusted = props.why === 'untrusted';
  return (
    <main class="screen">
      <p class="lead">
        {untrusted
          ? 'This folder is not trusted, so nothing runs in it and nothing is sent. Earlier sessions can be read.'
          : 'Ratchet works in a folder: its files are what a session reads and changes.'}
      </p>
      <div class="button-row">
        {untrusted ? (
          <Button
            kind="primary"
            label="Manage trust"
            hint="Decide whether this folder is trusted"
            onPress={() => post({ type: 'command', command: 'manageTrust' })}
          />
        ) : (
          <Button
            kind="primary"
            label="Open a folder…"
            onPress={() => post({ type: 'command', command: 'openFolder' })}
          />
        )}
      </div>
      <SessionList sessions={props.panel.sessions} readOnly />
    </main>
  );
}
