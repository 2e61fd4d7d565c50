// The command "Approval Rules": what is allowed always in a folder, shown, added, edited and removed.
import * as vscode from 'vscode';
import {
  anyMark,
  commandRule,
  editsRule,
  isSameRule,
  ruleText,
  type ApprovalRule,
  type RuleDraft,
} from '../core/approval/rules.ts';
import { RatchetError } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import { visibleLabel } from '../core/visibleText.ts';
import { ruleWords } from '../projection/approvalView.ts';
import { openFolders } from './folders.ts';
import { tell, type Runtime } from './runtime.ts';
import { pickFolder } from './sessionPick.ts';

interface RuleItem extends vscode.QuickPickItem {
  readonly does: 'add' | 'edit' | 'nothing';
  readonly rule?: ApprovalRule;
}

type Chosen =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'remove'; readonly rule: ApprovalRule }
  /** The user is done. */
  | undefined;

const editButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: 'Edit rule' };
const removeButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Remove rule' };

/** Shows the rules of a folder until the user is done with them. */
export async function showApprovalRules(runtime: Runtime): Promise<void> {
  if (openFolders().length === 0) throw new RatchetError('no_folder', 'Open a folder first: rules belong to one.');
  const folder = await pickFolder('Folder whose approval rules are shown');
  if (!folder) return;
  for (;;) {
    const chosen = await chooseRule(folder, runtime.rules.list(folder.uri));
    if (!chosen) return;
    switch (chosen.kind) {
      case 'add': {
        const rule = await writeNewRule(runtime);
        if (rule) await runtime.sessions.addRules(folder.uri, [rule]);
        break;
      }
      case 'edit':
        await changeRule(runtime, folder, chosen.rule);
        break;
      case 'remove':
        await runtime.rules.remove(folder.uri, chosen.rule);
        offerUndo(runtime, folder, chosen.rule);
        break;
    }
  }
}

function chooseRule(folder: FolderIdentity, rules: readonly ApprovalRule[]): Promise<Chosen> {
  const pick = vscode.window.createQuickPick<RuleItem>();
  pick.title = `Approval rules: ${folder.name}`;
  pick.placeholder =
    rules.length === 0 ? 'No rules yet' : 'What is not asked about in this folder. Choose one to edit it';
  pick.matchOnDescription = true;
  const add: RuleItem = { label: '$(add) Add a rule…', does: 'add', alwaysShow: true };
  pick.items = [...listed(rules), add];
  if (rules.length === 0) pick.activeItems = [add];
  return new Promise((resolve) => {
    const done = (chosen: Chosen): void => {
      resolve(chosen);
      pick.hide();
    };
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item?.does === 'add') done({ kind: 'add' });
      if (item?.does === 'edit' && item.rule) done({ kind: 'edit', rule: item.rule });
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      if (item.rule) done({ kind: button === removeButton ? 'remove' : 'edit', rule: item.rule });
    });
    // Also after a choice; then it has been resolved already.
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function listed(rules: readonly ApprovalRule[]): readonly RuleItem[] {
  if (rules.length === 0) {
    const label = 'Nothing is allowed always in this folder.';
    return [{ label, detail: '"Allow always…" on a question makes a rule, or add one here.', does: 'nothing' }];
  }
  return rules.map((rule): RuleItem => {
    const { before, code, after } = ruleWords(rule);
    return {
      label: visibleLabel(code ?? before ?? ruleText(rule), 'code'),
      description: code === undefined ? '' : [before, after].filter((part) => part !== undefined).join(' … '),
      // A tool is one name: there is nothing to edit in it.
      buttons: rule.kind === 'tool' ? [removeButton] : [editButton, removeButton],
      does: rule.kind === 'tool' ? 'nothing' : 'edit',
      rule,
    };
  });
}

async function writeNewRule(runtime: Runtime): Promise<ApprovalRule | undefined> {
  const command = { label: 'Commands', description: 'a command, exactly or with safe arguments', edits: false };
  const edits = { label: 'Edits', description: 'of a file, or of all files below a folder', edits: true };
  const what = await vscode.window.showQuickPick([command, edits], { placeHolder: 'What to allow always' });
  return what && writeRule(runtime, what.edits, '');
}

/** The old rule is removed only when the new one is kept. */
async function changeRule(runtime: Runtime, folder: FolderIdentity, rule: ApprovalRule): Promise<void> {
  const isEdits = rule.kind === 'edits';
  const changed = await writeRule(runtime, isEdits, isEdits ? rule.path : ruleText(rule));
  if (!changed || isSameRule(changed, rule)) return;
  await runtime.sessions.addRules(folder.uri, [changed]);
  await runtime.rules.remove(folder.uri, rule);
}

async function writeRule(runtime: Runtime, edits: boolean, value: string): Promise<ApprovalRule | undefined> {
  const { syntax } = runtime.rules;
  const read = (text: string): RuleDraft => (edits ? editsRule(text) : commandRule(text, syntax));
  const open =
    syntax === 'posix' ? ` End it with ${anyMark} (or ...) for further arguments that are known to be safe.` : '';
  const written = await vscode.window.showInputBox({
    title: edits ? 'Edits that are allowed always' : 'Command that is allowed always',
    prompt: edits
      ? 'A file, or a folder with a slash at its end, relative to this folder; a dot means all of it.'
      : `The command.${open}`,
    placeHolder: edits ? 'src/' : syntax === 'posix' ? `npm test ${anyMark}` : 'npm test',
    value,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const draft = read(text);
      return draft.ok ? undefined : draft.why;
    },
  });
  if (written === undefined) return undefined;
  const draft = read(written);
  return draft.ok ? draft.rule : undefined;
}

function offerUndo(runtime: Runtime, folder: FolderIdentity, rule: ApprovalRule): void {
  tell(runtime, {
    level: 'info',
    text: `The rule "${ruleText(rule)}" was removed. You are asked again.`,
    actions: [{ label: 'Undo', run: () => runtime.sessions.addRules(folder.uri, [rule]) }],
  });
}
