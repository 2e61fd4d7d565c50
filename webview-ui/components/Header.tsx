// The two lines on top: back, title and state; folder, model, context and the actions of the session.
import type { SessionView } from '../../src/protocol/view.ts';
import { IconButton } from './Button.tsx';
import { usePanel } from './context.ts';
import { ContextMeter } from './ContextMeter.tsx';
import { MoreMenu } from './MoreMenu.tsx';
import { StateMark } from './StateMark.tsx';
import { TitleField } from './TitleField.tsx';

export function Header(props: { readonly session: SessionView }) {
  const { post } = usePanel();
  const { session } = props;
  return (
    <header class="header">
      <div class="header-line">
        <IconButton
          icon="arrow-left"
          label="Sessions"
          hint="Back to the sessions"
          onPress={() => post({ type: 'closeSession' })}
        />
        <TitleField key={session.id} title={session.title} readOnly={session.readOnly !== undefined} />
        <StateMark
          state={session.state}
          stateWord={session.stateWord}
          needsUser={session.needsUser}
          isParked={session.banner?.retryAt !== undefined}
        />
      </div>
      <div class="header-line header-facts">
        {session.folderName && (
          <span class="fact folder-name" title={`Folder: ${session.folderName}`}>
            {session.folderName}
          </span>
        )}
        <button
          type="button"
          class="fact model-name"
          title={`Model: ${session.model}${session.nextModel === undefined ? '' : `\nThe next run takes ${session.nextModel}`}\nChoose another one`}
          aria-label={`Model ${session.model}, choose another one`}
          disabled={session.readOnly !== undefined}
          onClick={() => post({ type: 'command', command: 'chooseModel' })}
        >
          {session.model}
        </button>
        {session.context && (
          <ContextMeter
            usedTokens={session.context.usedTokens}
            windowTokens={session.context.windowTokens}
            usageText={session.usageText}
          />
        )}
        <span class="spring" />
        <MoreMenu isRunning={session.state === 'running'} />
      </div>
    </header>
  );
}
