// What a resume may change: the model, thinking, and how the model is told. Empty means "as before".
import type { ResumeMode } from '../../src/core/events.ts';
import type { ThinkingMode } from '../../src/core/messages.ts';

export interface ResumeChoice {
  readonly model: string;
  readonly thinking: ThinkingMode | 'same';
  readonly mode: ResumeMode;
}

interface Props {
  readonly choice: ResumeChoice;
  readonly currentModel: string;
  /** Offered while typing; any other name may be typed. */
  readonly models: readonly string[];
  readonly onChange: (choice: ResumeChoice) => void;
}

const thinkingLabels = { same: 'as before', adaptive: 'on', off: 'off' } as const;
const modeLabels = { resume: 'resume', retry: 'retry' } as const;

function isKeyOf<T extends object>(labels: T, value: string): value is Extract<keyof T, string> {
  return Object.hasOwn(labels, value);
}

export function ResumeFields({ choice, currentModel, models, onChange }: Props) {
  return (
    <div class="resume-fields">
      <div class="resume-field">
        <label for="resume-model">Model</label>
        <input
          id="resume-model"
          list="resume-models"
          class="field"
          placeholder={currentModel}
          spellcheck={false}
          value={choice.model}
          onInput={(event) => onChange({ ...choice, model: event.currentTarget.value })}
        />
        <datalist id="resume-models">
          {models.map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
      </div>
      <div class="resume-field">
        <label for="resume-thinking">Thinking</label>
        <select
          id="resume-thinking"
          class="field"
          value={choice.thinking}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isKeyOf(thinkingLabels, value)) onChange({ ...choice, thinking: value });
          }}
        >
          {Object.entries(thinkingLabels).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div class="resume-field">
        <label for="resume-mode">Mode</label>
        <select
          id="resume-mode"
          class="field"
          value={choice.mode}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isKeyOf(modeLabels, value)) onChange({ ...choice, mode: value });
          }}
        >
          {Object.entries(modeLabels).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
