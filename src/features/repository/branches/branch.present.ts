import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Commit } from '../../../git/objects.ts'
import { namedObject } from '../../../http/schema.ts'
import { mayPushCode, type Project } from '../../../subjects/project.ts'
import { CommitJson, presentCommit } from '../commits/commit.ts'
import {
  type CallerWithLevel,
  isAllowedByProtectionRules,
  type ProtectionAction,
  type ProtectionRule,
  rulesMatchingBranch,
} from '../protected-branches/protected-branch.ts'
import { isCollaborativeBranch } from '../pushes/collaboration.ts'
import type { Branch } from './branch.ts'

export const BranchJson = namedObject('Branch', {
  name: Type.String(),
  commit: CommitJson,
  merged: Type.Boolean(),
  protected: Type.Boolean(),
  developers_can_push: Type.Boolean(),
  developers_can_merge: Type.Boolean(),
  can_push: Type.Boolean(),
  default: Type.Boolean(),
  web_url: Type.String(),
})

export type BranchPresenterInput = {
  branch: Branch
  commit: Commit
  isMerged: boolean
  project: Project
  projectUrl: string
  /** All protection rules of the project, as they apply to the caller. */
  rules: readonly ProtectionRule[]
  caller: CallerWithLevel
  /** The branches that the caller may push to because of merge requests. */
  collaborations: ReadonlySet<string>
}

export function presentBranch(view: BranchPresenterInput): Static<typeof BranchJson> {
  const { branch, commit, project, projectUrl, caller } = view
  const { name } = branch
  const matching = rulesMatchingBranch(view.rules, name)
  const isProtected = matching.length > 0
  return {
    name,
    commit: presentCommit(commit, projectUrl),
    merged: view.isMerged,
    protected: isProtected,
    developers_can_push: letsDevelopers(matching, 'push'),
    developers_can_merge: letsDevelopers(matching, 'merge'),
    can_push: mayPushCode({ subject: project, ...caller })
      ? !isProtected || isAllowedByProtectionRules(matching, 'push', caller)
      : isCollaborativeBranch(name, view),
    default: name === project.default_branch,
    web_url: `${projectUrl}/-/tree/${encodeURI(name).replaceAll('#', '%23')}`,
  }
}

function letsDevelopers(matching: readonly ProtectionRule[], action: ProtectionAction): boolean {
  return matching
    .flatMap(({ entries }) => entries)
    .some((entry) => entry.action === action && entry.access_level === Level.developer)
}
