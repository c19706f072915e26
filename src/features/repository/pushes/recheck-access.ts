// The last check before references move: everything that access depends on is loaded again, since what the operation
// loaded at its beginning may be an hour old.

import { type Actor, anonymous, type CredentialEndReason } from '../../../access/actor.ts'
import { credentialRefusal } from '../../../access/credential-refusal.ts'
import { Level } from '../../../access/level.ts'
import type { Facts, Rule } from '../../../access/rule.ts'
import { branchNameOf } from '../../../git/names.ts'
import type { ConfirmRefUpdate, RefUpdate } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type ApiError, forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import type { GitTarget } from '../../../subjects/git-target.ts'
import {
  findProject,
  findVisibleProject,
  mayPushCode,
  type Project,
  projectRepository,
} from '../../../subjects/project.ts'
import { reloadActor } from '../../people/credentials/credential.ts'
import { ensureMembershipsExpired } from '../../people/members/member.tasks.ts'
import { findCodeOwnerPushRefusal } from '../code-owners/code-owners.ts'
import { findDeployKeyGrant } from '../deploy-keys/deploy-grant.ts'
import {
  type CallerWithLevel,
  listBranchProtectionRules,
  type ProtectionRule,
  rulesMatchingBranch,
} from '../protected-branches/protected-branch.ts'
import {
  isProtectedTag,
  listTagProtectionRules,
  mayCreateTag,
  protectedTagRefusalTexts,
} from '../protected-tags/protected-tag.ts'
import { authorizeGitAccess, authorizeGitOrCollaborator, projectNotFoundText } from './authorize.ts'
import { mayForce, refusalTexts } from './check-push.ts'
import { mayPushAsCollaborator } from './collaboration.ts'
import { mayPushWithRules } from './push.ts'

type Asked = Pick<Instance, 'db' | 'clock' | 'config'> & { actor: Actor }

/**
 * Reloads the caller, or the user a task acts for, the project and the caller's level on it. Throws the refusal a new request
 * would get.
 */
export async function recheckCallerAccess(
  { db, clock, actor }: Asked,
  project: Pick<Project, 'id'>,
): Promise<Facts<Project>> {
  await ensureMembershipsExpired({ db, clock })
  const renewed = await reloadActor({ db, clock }, actor)
  if ('kind' in renewed) throw credentialRefusal(renewed)
  const found = await findVisibleProject(db, renewed, { id: project.id })
  if (!found) throw notFound('Project')
  return { subject: found.project, level: found.level, actor: renewed }
}

/** As `recheckCallerAccess`; also throws 403 if the rule no longer allows the caller. */
export async function recheckRule(
  asked: Asked,
  project: Project,
  rule: Rule<Project>,
): Promise<Facts<Project>> {
  const facts = await recheckCallerAccess(asked, project)
  if (!rule(facts)) throw forbidden()
  return facts
}

/**
 * Returns the recheck for a tag that is created through the API. `refusal` is the response to a caller who may not create
 * it.
 */
export function recheckerForNewTag(
  asked: Asked,
  project: Project,
  { tag, refusal }: { tag: string; refusal: () => ApiError },
): ConfirmRefUpdate {
  return async () => {
    const facts = await recheckRule(asked, project, mayPushCode)
    const rules = await listTagProtectionRules(asked.db, project.id, facts.actor)
    if (!mayCreateTag(rules, tag, facts)) throw refusal()
  }
}

/** Returns the recheck for a tag that is deleted through the API. Deleting a protected tag requires Maintainer. */
export function recheckerForTagRemoval(
  asked: Asked,
  project: Project,
  tag: string,
): ConfirmRefUpdate {
  return async () => {
    const facts = await recheckRule(asked, project, mayPushCode)
    if (facts.level >= Level.maintainer) return
    const rules = await listTagProtectionRules(asked.db, project.id, facts.actor)
    if (isProtectedTag(rules, tag)) throw invalid(protectedTagRefusalTexts.delete)
  }
}

/** A branch that is about to move. */
export type BranchMove = {
  update: RefUpdate
  /** Whether the update is not a fast-forward. */
  isForced: boolean
  /** The id of the rule that this push creates for its branch; see preparePush. */
  ownRule: number | undefined
}

/**
 * Returns the recheck for a commit through the API. `refusal` is the response to a caller who may not push to the branch.
 */
export function recheckerForCommit(
  asked: Asked & Pick<Instance, 'git'>,
  project: Project,
  { branch, refusal }: { branch: string; refusal: () => ApiError },
): (move: BranchMove) => Promise<void> {
  return async ({ update, isForced, ownRule }) => {
    const facts = await recheckCallerAccess(asked, project)
    const all = await listBranchProtectionRules(asked.db, project.id, facts.actor)
    const rules = all.filter(({ id }) => id !== ownRule)
    const isLet = mayPushWithRules({ ...facts, rules, branch, config: asked.config })
    if (!isLet && !(await mayPushAsCollaborator(asked, facts, branch))) throw refusal()
    if (isForced && !mayForce(rulesMatchingBranch(rules, branch))) throw invalid(refusalTexts.force)
    await refuseOwnedChanges(asked, facts, { update, rules })
  }
}

/**
 * Returns a function that confirms the update of references if the caller may still do so at that moment. `refusal` is for a
 * caller who may not. `pushed` is an update without a merge request, which may be refused because of code owners.
 */
export function createRefUpdateRecheck(
  asked: Asked & Pick<Instance, 'git'>,
  project: Pick<Project, 'id'>,
  {
    may,
    refusal = forbidden,
    pushed,
  }: {
    may: (facts: Facts<Project>) => Promise<boolean>
    refusal?: () => ApiError
    pushed?: RefUpdate
  },
): ConfirmRefUpdate {
  return async () => {
    const facts = await recheckCallerAccess(asked, project)
    if (!(await may(facts))) throw refusal()
    if (!pushed) return
    const rules = await listBranchProtectionRules(asked.db, project.id, facts.actor)
    await refuseOwnedChanges(asked, facts, { update: pushed, rules })
  }
}

/** Throws 400 if the branch moves without a merge request and the change includes files whose code owners must approve. */
export async function refuseOwnedChanges(
  { git, config }: Pick<Instance, 'git' | 'config'>,
  { subject, level, actor }: Facts<Project>,
  { update, rules }: { update: RefUpdate; rules: readonly ProtectionRule[] },
): Promise<void> {
  if (config.tier === 'free') return
  const refusal = await findCodeOwnerPushRefusal(git, projectRepository(config, subject), {
    matching: rulesMatchingBranch(rules, branchNameOf(update.name) ?? ''),
    caller: { actor, level },
    update,
  })
  if (refusal) throw invalid(refusal)
}

/** Reloads the user of a git push, and the project. Returns the text of a refusal if they may not push any more. */
export async function recheckPusher(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  { caller, target }: { caller: Actor; target: GitTarget },
): Promise<{ caller: CallerWithLevel; project: Project } | string> {
  await ensureMembershipsExpired({ db, clock })
  const renewed = await reloadActor({ db, clock }, caller)
  if ('kind' in renewed) return textOf(renewed, caller)
  const found = await findProject(db, renewed, { id: target.project.id })
  if (!found) return projectNotFoundText
  const { project, level } = found
  const { key, user } = renewed
  const made = target.grant && key && user && { id: key.id, created_by_id: user.id }
  const refusal = made
    ? authorizeGitAccess(
        anonymous,
        { project, level: 0, grant: await findDeployKeyGrant({ db, clock }, made, project.id) },
        'git-receive-pack',
      )
    : await authorizeGitOrCollaborator(db, { actor: renewed, found, service: 'git-receive-pack' })
  return refusal ? refusal.text : { caller: { actor: renewed, level }, project }
}

function textOf(end: CredentialEndReason, { key }: Actor): string {
  if (end.kind === 'barred') return end.text
  return key ? 'Your SSH key has expired or was deleted.' : 'HTTP Basic: Access denied'
}
