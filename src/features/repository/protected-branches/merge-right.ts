// Who may merge into a branch (docs/api/merge-requests.md, "Who may").
import type { Facts } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { mayPushCode, type Project } from '../../../subjects/project.ts'
import {
  isAllowedByProtectionRules,
  listBranchProtectionRules,
  type ProtectionRule,
  rulesMatchingBranch,
} from './protected-branch.ts'

/** Whether the caller may push code and, if the branch is protected, push or merge into it. */
export async function mayMergeIntoBranch(
  db: Db,
  facts: Facts<Project>,
  branch: string,
): Promise<boolean> {
  // This is checked before the rules are loaded, so that lists of merge requests for readers need no query
  // for rules.
  if (!mayPushCode(facts)) return false
  return branchAdmits(
    await listBranchProtectionRules(db, facts.subject.id, facts.actor),
    facts,
    branch,
  )
}

/** As `mayMergeIntoBranch`, with rules that are loaded already. */
export function mayMergeIntoBranchByRules(
  rules: readonly ProtectionRule[],
  facts: Facts<Project>,
  branch: string,
): boolean {
  return mayPushCode(facts) && branchAdmits(rules, facts, branch)
}

function branchAdmits(
  rules: readonly ProtectionRule[],
  facts: Facts<Project>,
  branch: string,
): boolean {
  const matching = rulesMatchingBranch(rules, branch)
  return (
    matching.length === 0 ||
    isAllowedByProtectionRules(matching, 'push', facts) ||
    isAllowedByProtectionRules(matching, 'merge', facts)
  )
}
