// Pictures of the panel in a real VS Code with the packaged extension: each state, in three themes and two widths, into
// out/look/. `npm run screenshots [-- state ...]` takes them all, or those of some states.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { httpError, message, text, toolUse, type ToolUseReply } from '../test/support/messagesServer/reply.ts';
import type { Script } from '../test/support/messagesServer/startMessagesServer.ts';
import { Stage, type Scene, type SceneOptions } from '../test/support/session/stage.ts';
import { outFolder } from './paths.ts';

const lookFolder = path.join(outFolder, 'look');
const widths = [300, 600] as const;
const themes = ['dark', 'light', 'highContrast'] as const;

const titles = ['Check the data', 'Write the settings', 'Train the baseline'] as const;
/** What each step runs, and what its output ends with. */
const steps = [
  {
    command: 'sh check.sh',
    mark: '2 rows, none of them damaged',
    say: 'I look at the data first: a run on damaged rows would cost an hour.',
  },
  {
    command: 'sh settings.sh',
    mark: 'wrote settings.yaml',
    say: 'The data is fine. **Next** the settings, in `settings.yaml`:\n\n```yaml\nlearning_rate: 0.01\n```',
  },
  { command: 'sh train.sh', mark: 'epoch 40/40', say: 'Everything is ready for the training.' },
] as const;

/** The training lasts until it is cut, and is short where `train.sh` is left out. */
async function fillFolder(folder: string): Promise<void> {
  const scripts = {
    'check.sh': 'printf "x,y\\n1,3\\n2,5\\n" > points.csv; echo "2 rows, none of them damaged"',
    'settings.sh': 'printf "learning_rate: 0.01\\n" > settings.yaml; echo "wrote settings.yaml"',
    'train.sh': [
      'if [ -e checkpoint ]; then echo "epoch 40/40  loss 0.641"; echo "0.641" > loss.txt; exit; fi',
      'for i in 1 2 3 4 5 6 7 8; do echo "epoch $i/40  loss 0.$((900 - i * 37))"; done',
      'touch checkpoint; sleep 600',
    ].join('\n'),
  };
  for (const [name, script] of Object.entries(scripts)) await writeFile(path.join(folder, name), `${script}\n`);
}

/** A plan, then its steps one after the other, as far as their outputs are in the request. */
const job: Script = ({ messages }, { messageNumber }) => {
  if (messageNumber === 1) return message([toolUse('tasks', { action: 'add', titles })]);
  const sent = JSON.stringify(messages);
  const at = steps.findIndex(({ mark }) => !sent.includes(mark));
  // The tool names its tasks itself, and lists them in its results.
  const update = (title: string | undefined, status: string): readonly ToolUseReply[] => {
    const id = new RegExp(`\\[.\\] (t\\w+) ${title ?? ''}`).exec(sent)?.[1];
    if (sent.includes(`[${status === 'completed' ? 'x' : '~'}] ${id ?? ''} `)) return [];
    return id === undefined ? [] : [toolUse('tasks', { action: 'update', id, status })];
  };
  const step = steps[at];
  if (!step) {
    const last = update(titles.at(-1), 'completed');
    return message(last.length > 0 ? last : [text('The baseline is trained: its loss is **0.641**.')]);
  }
  return message([
    text(step.say),
    ...(at > 0 ? update(titles[at - 1], 'completed') : []),
    ...update(titles[at], 'in_progress'),
    toolUse('run_command', { command: step.command }),
  ]);
};

const task = 'Train the baseline on points.csv, then tell me its loss';

async function untilTraining(stage: Stage, options: SceneOptions = {}): Promise<Scene> {
  const scene = await stage.begin({ script: job, fill: fillFolder, ...options });
  await scene.chat.send(task);
  await scene.chat.transcript.getByText(/epoch 8/).waitFor();
  return scene;
}

/** How each state is reached. */
const states: Readonly<Record<string, (stage: Stage) => Promise<Scene>>> = {
  empty: (stage) => stage.begin({ settings: { 'ratchet.provider': 'offlineDemo' } }),
  running: (stage) => untilTraining(stage),
  approval: async (stage) => {
    const content = 'import points\n\ndef train(rate=0.01):\n    return points.fit(rate)\n';
    const script: Script = () =>
      message([text('I write the training first.'), toolUse('write', { file_path: 'src/train.py', content })]);
    const scene = await stage.begin({ script, settings: { 'ratchet.approvalMode': 'ask' } });
    await scene.chat.send(task);
    await scene.chat.button('Allow').waitFor();
    return scene;
  },
  failed: async (stage) => {
    const script: Script = (request, context) => (context.messageNumber > 3 ? httpError(401) : job(request, context));
    const scene = await stage.begin({ script, fill: fillFolder });
    await scene.chat.send(task);
    await scene.chat.waitForState('failed');
    return scene;
  },
  stopped: async (stage) => {
    const scene = await untilTraining(stage);
    await scene.chat.button('Stop').click();
    await scene.chat.waitForState('stopped');
    return scene;
  },
  timedOut: async (stage) => {
    const scene = await untilTraining(stage, { settings: { 'ratchet.run.timeoutMinutes': 0.15 } });
    await scene.chat.waitForState('timed out');
    return scene;
  },
  interrupted: async (stage) => {
    const scene = await untilTraining(stage);
    await scene.server.killExtensionHost();
    await scene.chat.waitForState('interrupted');
    return scene;
  },
  resumed: async (stage) => {
    const scene = await untilTraining(stage);
    await scene.chat.button('Stop').click();
    await scene.chat.waitForState('stopped');
    await scene.chat.button('Resume').click();
    await scene.chat.waitForState('done');
    return scene;
  },
};

const stage = new Stage();
try {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !(name in states));
  if (unknown.length > 0) throw new Error(`There is no state ${unknown.join(', ')}: ${Object.keys(states).join(', ')}`);
  if (asked.length === 0) await rm(lookFolder, { recursive: true, force: true });
  for (const [name, reach] of Object.entries(states)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const { workbench } = await reach(stage);
    for (const theme of themes) {
      await workbench.setTheme(theme);
      for (const width of widths) {
        await workbench.setPanelWidth(width);
        await workbench.screenshot(path.join(lookFolder, `${name}-${theme}-${width}.png`), 'chat');
      }
    }
    console.log(name);
  }
} finally {
  await stage.dispose();
}
