// Transcript items for the gallery and its tests: what real sessions look like, and what they must not break.
import type { StepItem, TranscriptItem } from '../../src/protocol/view.ts';

/** When the gallery was opened. Milliseconds since 1970. */
export const opened = Date.now();
const minute = 60_000;

let count = 0;
const nextId = (kind: string): string => `${kind}-${++count}`;

export function user(text: string, ago = 20 * minute): TranscriptItem {
  return { kind: 'user', id: nextId('user'), at: opened - ago, text };
}
export function assistant(markdown: string, more: { streaming?: boolean; cut?: true } = {}): TranscriptItem {
  const { streaming = false, cut } = more;
  return {
    kind: 'assistant',
    id: nextId('assistant'),
    at: opened - 19 * minute,
    markdown,
    streaming,
    ...(cut && { cut }),
  };
}
export function thinking(text: string, streaming = false): TranscriptItem {
  return { kind: 'thinking', id: nextId('thinking'), at: opened - 19 * minute, text, streaming };
}
export function divider(text: string, detail?: string): TranscriptItem {
  return { kind: 'divider', id: nextId('divider'), at: opened - 4 * minute, text, ...(detail && { detail }) };
}
export function notice(level: 'info' | 'warning' | 'error', text: string): TranscriptItem {
  return { kind: 'notice', id: nextId('notice'), at: opened - 4 * minute, level, text };
}

type StepParts = Partial<StepItem> & Pick<StepItem, 'status' | 'verb' | 'subject'>;
export function step(parts: StepParts): StepItem {
  return {
    kind: 'step',
    id: nextId('step'),
    at: opened - 10 * minute,
    input: { language: 'shell', text: parts.subject },
    ...parts,
  };
}

export const checkOutput = `rows        48,120
missing          0
duplicates      12  (dropped)
classes          4  [0.31, 0.27, 0.22, 0.20]
ok`;

export const trainDiff = `--- a/train.py
+++ b/train.py
@@ -14,9 +14,14 @@ def main() -> None:
     data = load("data/clean.parquet")
-    model = LogisticRegression()
-    model.fit(data.x, data.y)
+    model = make_pipeline(
+        StandardScaler(),
+        LogisticRegression(max_iter=1000, C=0.5),
+    )
+    model.fit(data.x_train, data.y_train)
+    score = model.score(data.x_test, data.y_test)
     joblib.dump(model, "model.joblib")
+    print(f"accuracy {score:.3f}")
`;

export function ranCheck(): StepItem {
  return step({
    status: 'succeeded',
    verb: 'Ran',
    subject: 'python check.py',
    durationMs: 4100,
    exitCode: 0,
    result: { text: checkOutput, truncated: false },
    hasFullOutput: true,
  });
}
export function editedTrain(): StepItem {
  return step({
    status: 'succeeded',
    verb: 'Edited',
    subject: 'src/models/train.py',
    path: 'src/models/train.py',
    durationMs: 40,
    lines: { added: 12, removed: 3 },
    input: { language: 'diff', text: trainDiff },
    result: { text: 'Edited src/models/train.py: 1 replacement.', truncated: false },
    artifacts: [{ path: 'src/models/train.py', change: 'changed' }],
  });
}
export function failedTests(): StepItem {
  return step({
    status: 'failed',
    verb: 'Ran',
    subject: 'pytest -q',
    durationMs: 8200,
    exitCode: 1,
    problem: "E   ModuleNotFoundError: No module named 'sklearn.pipelines'",
    result: {
      text: "tests/test_train.py:3: in <module>\n    from sklearn.pipelines import make_pipeline\nE   ModuleNotFoundError: No module named 'sklearn.pipelines'\n1 error in 0.41s",
      truncated: true,
    },
    hasFullOutput: true,
  });
}
export function runningTune(): StepItem {
  return step({
    status: 'running',
    verb: 'Running',
    subject: 'python tune.py --trials 50',
    startedAt: opened - 161_000,
  });
}
export const tuneLines: readonly string[] = [
  'trial 28/50  lr 0.0031  depth 6   0.897',
  'trial 29/50  lr 0.0102  depth 9   0.911',
  'trial 30/50  lr 0.0087  depth 8   0.912',
  'trial 31/50  best 0.912',
];

export function workUntilTuning(): TranscriptItem[] {
  return [
    user('Train the baseline, then tune it with 50 trials. Keep the best model in models/best.joblib.'),
    thinking('The data check comes first: a class imbalance would change how the score is to be read.'),
    assistant("I'll start with the data check, then train the baseline."),
    ranCheck(),
    editedTrain(),
    failedTests(),
    assistant('The import path is wrong: `sklearn.pipeline` has no final *s*. Mending it and running the tests again.'),
    step({
      status: 'succeeded',
      verb: 'Edited',
      subject: 'src/models/train.py',
      path: 'src/models/train.py',
      lines: { added: 1, removed: 1 },
      durationMs: 30,
      artifacts: [{ path: 'src/models/train.py', change: 'changed' }],
    }),
    step({ status: 'succeeded', verb: 'Ran', subject: 'pytest -q', durationMs: 9300, exitCode: 0 }),
    step({
      status: 'succeeded',
      verb: 'Created',
      subject: 'tune.py',
      path: 'tune.py',
      lines: { added: 64, removed: 0 },
      durationMs: 20,
      artifacts: [{ path: 'tune.py', change: 'created' }],
    }),
  ];
}

export const richAnswer = `## What was found

The baseline reaches **0.874**; the tuned model **0.912** on the held-out set. See [tune.py](./tune.py) and the [docs](https://example.com/docs).

| model | accuracy | time | notes |
| --- | ---: | ---: | --- |
| baseline | 0.874 | 4.1 s | logistic regression |
| tuned | 0.912 | 2 min 41 s | gradient boosting, depth 8, 400 trees |

1. The scaler was fitted on all rows:
   - it leaked the test set,
   - it is fitted on the training rows now.
2. \`max_iter\` was too small.

> Scores below 0.9 were not kept.

\`\`\`python
def objective(trial: Trial) -> float:
    """Accuracy on the validation rows."""
    depth = trial.suggest_int("depth", 3, 10)
    model = GradientBoostingClassifier(max_depth=depth, n_estimators=400)  # slow, but worth it
    return model.fit(x_train, y_train).score(x_valid, y_valid)
\`\`\`

\`\`\`ts
export const limit = 42; // a line that is rather long, so that it has to scroll inside of its own block
\`\`\`

- [x] data checked
- [ ] report written

An image: ![chart](https://example.com/chart.png), and a tag: <b>bold?</b>`;

/** A session of many small steps. */
export function manyItems(total: number): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  for (let i = 0; items.length < total; i++) {
    const kind = i % 10;
    if (kind === 0) items.push(user(`Part ${i / 10 + 1}: migrate the next module and run its tests.`));
    else if (kind === 1)
      items.push(
        assistant(`Module ${i}: the **types** come first, then the callers.\n\nTwo of them use \`legacyFetch\`.`),
      );
    else if (kind % 3 === 0)
      items.push({ ...editedTrain(), subject: `src/modules/module${i}.py`, path: `src/modules/module${i}.py` });
    else items.push({ ...ranCheck(), subject: `pytest tests/test_module${i}.py` });
  }
  return items;
}
