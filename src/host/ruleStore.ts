// Approval rules in the extension's own state of this workspace, by folder: never in a file that a repository brings
// along, so nothing that is cloned or edited can allow anything. What cannot be read allows nothing.
import type * as vscode from 'vscode';
import { z } from 'zod';
import { approvalRuleSchema, isSameRule, type ApprovalRule } from '../core/approval/rules.ts';
import type { ApprovalRuleStore } from '../runner/approvalRules.ts';
import type { Log } from './log.ts';

const stateKey = 'ratchet.approvalRules';
const foldersSchema = z.record(z.string(), z.array(z.unknown()));

export function createRuleStore(state: vscode.Memento, log: Log): ApprovalRuleStore {
  const folders = (): z.infer<typeof foldersSchema> => {
    const parsed = foldersSchema.safeParse(state.get<unknown>(stateKey) ?? {});
    if (parsed.success) return parsed.data;
    log('The approval rules of this workspace cannot be read: everything is asked', parsed.error);
    return {};
  };
  const list = (folderUri: string): readonly ApprovalRule[] => {
    const kept = folders();
    const stored = Object.hasOwn(kept, folderUri) ? kept[folderUri] : undefined;
    return (stored ?? []).flatMap((each): readonly ApprovalRule[] => {
      const parsed = approvalRuleSchema.safeParse(each);
      if (!parsed.success) log('An approval rule cannot be read and allows nothing', parsed.error);
      return parsed.success ? [parsed.data] : [];
    });
  };
  const keep = async (folderUri: string, rules: readonly ApprovalRule[]): Promise<void> => {
    await state.update(stateKey, { ...folders(), [folderUri]: rules });
  };
  return {
    syntax: process.platform === 'win32' ? 'other' : 'posix',
    list,
    add: (folderUri, rules) => {
      const isReplaced = (each: ApprovalRule): boolean =>
        each.kind === 'tool' && rules.some((rule) => rule.kind === 'tool' && rule.tool === each.tool);
      // Of a tool the rule before was for what it was before.
      const kept = list(folderUri).filter((each) => !isReplaced(each));
      for (const rule of rules) if (!kept.some((each) => isSameRule(each, rule))) kept.push(rule);
      return keep(folderUri, kept);
    },
    remove: (folderUri, rule) =>
      keep(
        folderUri,
        list(folderUri).filter((each) => !isSameRule(each, rule)),
      ),
  };
}
