// An opened step: what was asked for, what came back, which files it touched.
import type { StepArtifact, StepItem } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { StepCode } from './Code.tsx';
import { usePanel } from './context.ts';
import { CopyButton } from './CopyButton.tsx';
import { Icon } from './Icon.tsx';
import { PathName } from './PathName.tsx';
import { ShownParts } from './Shown.tsx';

const changeIcons = { created: 'diff-added', changed: 'diff-modified', deleted: 'diff-removed' } as const;

export function StepBody(props: { readonly step: StepItem; readonly id: string }) {
  const { post } = usePanel();
  const { step } = props;
  const { result, artifacts } = step;
  // While it waits, the question above shows the same.
  const showsInput = step.status !== 'waiting' && step.input.text !== '';
  return (
    <div class="step-body" id={props.id}>
      {showsInput && (
        <div class="step-part">
          <div class="part-head">
            <span>Input</span>
            <CopyButton text={() => step.input.text} label="Copy input" />
          </div>
          <pre tabIndex={0} aria-label="Input">
            <StepCode language={step.input.language} text={step.input.text} />
          </pre>
        </div>
      )}
      {result && (
        <div class="step-part">
          <div class="part-head">
            <span>Output</span>
            {result.truncated && <span class="part-note">shortened</span>}
            <CopyButton text={() => result.text} label="Copy output" />
          </div>
          <pre tabIndex={0} aria-label="Output">
            {result.text === '' ? (
              <span class="part-note">nothing</span>
            ) : (
              <ShownParts text={result.text} kind="diff" />
            )}
          </pre>
        </div>
      )}
      {artifacts && artifacts.length > 0 && <Artifacts artifacts={artifacts} />}
      {(step.hasFullOutput === true || (step.lines !== undefined && step.path !== undefined)) && (
        <div class="step-actions">
          {step.hasFullOutput && (
            <Button
              kind="link"
              label="Open full output"
              onPress={() => post({ type: 'openOutput', stepId: step.id })}
            />
          )}
          {step.lines && step.path !== undefined && (
            <Button
              kind="link"
              label="Open diff"
              onPress={() => post({ type: 'openDiff', stepId: step.id, path: step.path ?? '' })}
            />
          )}
        </div>
      )}
    </div>
  );
}

export function Artifacts({ artifacts }: { readonly artifacts: readonly StepArtifact[] }) {
  const { post } = usePanel();
  return (
    <ul class="artifacts" aria-label="Files">
      {artifacts.map((artifact) => (
        <li key={artifact.path}>
          <button
            type="button"
            class="file-row"
            title={`${artifact.path}, ${artifact.change}${artifact.verdict ? `, now ${artifact.verdict}` : ''}\nOpen`}
            disabled={artifact.change === 'deleted'}
            onClick={() => post({ type: 'openFile', path: artifact.path })}
          >
            <Icon name={changeIcons[artifact.change]} class={`change-${artifact.change}`} />
            <PathName path={artifact.path} />
            <span class="file-change">{artifact.verdict ?? artifact.change}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
