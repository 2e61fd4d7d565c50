// Chooses the screen. Its parts listen for themselves.
import { unreachable } from '../../src/core/errors.ts';
import type { PanelView } from '../../src/protocol/view.ts';
import { Banner } from './Banner.tsx';
import { BlockedScreen } from './BlockedScreen.tsx';
import { Composer } from './Composer.tsx';
import { usePanel } from './context.ts';
import { EmptyScreen } from './EmptyScreen.tsx';
import { Guarded } from './Guarded.tsx';
import { Header } from './Header.tsx';
import { LinkNote } from './LinkNote.tsx';
import { LiveRegion } from './LiveRegion.tsx';
import { Notices } from './Notices.tsx';
import { Plan } from './Plan.tsx';
import { QueuedMessages } from './QueuedMessages.tsx';
import { RetryNote } from './RetryNote.tsx';
import { RunningDock } from './RunningDock.tsx';
import { RevertCard } from './RevertCard.tsx';
import { RevertNote } from './RevertNote.tsx';
import { Transcript } from './Transcript.tsx';

export function App() {
  const { model } = usePanel();
  const panel = model.panel.value;
  const isLost = model.link.value === 'lost';
  if (!panel) return <LinkNote />;
  const takesMessages = panel.screen === 'empty' || (panel.screen === 'session' && panel.session !== undefined);
  return (
    <>
      {/* What was so is only to be read: a button of it would act on what is over. */}
      <div class={isLost ? 'view view-lost' : 'view'} inert={isLost}>
        <Guarded of={panel}>
          <Screen panel={panel} />
        </Guarded>
      </div>
      <LinkNote />
      {!isLost && <Notices notices={panel.notices} />}
      {takesMessages && <Composer key="composer" panel={panel} />}
      <LiveRegion />
    </>
  );
}

function Screen({ panel }: { readonly panel: PanelView }) {
  switch (panel.screen) {
    case 'no_folder':
    case 'untrusted':
      return <BlockedScreen panel={panel} why={panel.screen} />;
    case 'empty':
      return <EmptyScreen panel={panel} />;
    case 'session': {
      const { session } = panel;
      if (!session) return null;
      return (
        <>
          <Header session={session} />
          <Plan tasks={session.tasks} />
          <Transcript />
          <RunningDock />
          {session.banner && (
            <Banner key={session.id} session={session} banner={session.banner} models={panel.models} />
          )}
          {session.revert && <RevertNote key={`revert ${session.id}`} revert={session.revert} />}
          <RevertCard key={`plan ${session.id}`} />
          {session.wait && <RetryNote wait={session.wait} readOnly={session.readOnly !== undefined} />}
          <QueuedMessages key={`queue ${session.id}`} session={session} />
        </>
      );
    }
    default:
      return unreachable(panel.screen);
  }
}
