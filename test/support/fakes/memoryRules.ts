// Approval rules that are kept in memory, as the editor keeps them in the state of a workspace.
import { isSameRule, type ApprovalRule, type ShellSyntax } from '../../../src/core/approval/rules.ts';
import type { ApprovalRuleStore } from '../../../src/runner/approvalRules.ts';

export function createMemoryRules(syntax: ShellSyntax = 'posix'): ApprovalRuleStore {
  const kept = new Map<string, readonly ApprovalRule[]>();
  const list = (uri: string): readonly ApprovalRule[] => kept.get(uri) ?? [];
  return {
    syntax,
    list,
    add: async (uri, rules) => {
      const fresh = rules.filter((rule) => !list(uri).some((each) => isSameRule(each, rule)));
      kept.set(uri, [...list(uri), ...fresh]);
    },
    remove: async (uri, rule) => {
      kept.set(
        uri,
        list(uri).filter((each) => !isSameRule(each, rule)),
      );
    },
  };
}
