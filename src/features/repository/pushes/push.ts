// Public functions of pushes: what all changes of references share, by git over HTTP or SSH or by the API.

import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Facts } from '../../../access/rule.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { refuseIfDiskFull } from '../../../disk/disk.ts'
import { branchNameOf, type RefName, zeroOid } from '../../../git/names.ts'
import { hasBranches } from '../../../git/refs.ts'
import { type Repository, requireWritable } from '../../../git/repository.ts'
import { type RefUpdate, setHead } from '../../../git/update-refs.ts'
import type { Instance, SubjectLoader } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type ApiError, forbidden } from '../../../kernel/errors.ts'
import {
  mayDownloadCode,
  mayPushCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { enqueue } from '../../../tasks/task.ts'
import { recordContribution } from '../../projects/contributions/contribution.ts'
import { maintainProjectTask } from '../maintenance/maintenance.tasks.ts'
import {
  allowsFirstPushByDevelopers,
  listBranchProtectionRules,
  mayPushToBranch,
  type ProtectionRule,
  protectDefaultBranch,
} from '../protected-branches/protected-branch.ts'
import { findCollaborativeBranches, mayPushAsCollaborator } from './collaboration.ts'
import { lockProject, recordActivity } from './push.store.ts'
import { afterPushStepsTask, enqueueAfterPushSteps, startConfirmedPushTask } from './push-landed.ts'

/** The delay between a push and the maintenance of the repository. */
const maintenance_delay_ms = 5_000

/** `user_id` is the pusher; undefined for the server itself. `options` are those of `git push --push-option`. */
export type Push = {
  moves: readonly RefUpdate[]
  user_id: number | undefined
  options?: readonly string[]
}

export type PreparedPush = {
  /** The id of the rule that protects the new default branch. It does not apply to this push. */
  ownRule: number | undefined
  /** Starts the tasks that follow the push. Must be called after the references have moved. */
  landed: () => void
}

/**
 * Records a push in the database and in HEAD before the references move. Every step is harmless if the references then do
 * not move, and nothing is missing if the server dies right after they did. The caller moves the references and calls
 * `landed`.
 */
export async function preparePush(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  project: Project,
  push: Push,
): Promise<PreparedPush> {
  const repository = projectRepository(uses.config, project)
  requireWritable(repository)
  const isRemoval = push.moves.every(({ newOid }) => newOid === zeroOid)
  if (!isRemoval) refuseIfDiskFull(uses.config, project.repository_storage)
  const branches = pushedBranches(push.moves)
  const mayBeFirst = branches.length > 0 && !hasBranches(repository)
  const { db, clock } = uses
  const { user_id } = push
  const { ownRule, key } = await runTransaction(db, async (tx) => {
    const now = timestamp(clock)
    const protection = project.namespace_default_branch_protection
    const rule = { project_id: project.id, protection, now }
    const first = mayBeFirst
      ? await beginBranches(tx, project, { repository, branches })
      : undefined
    const ownRule =
      first === undefined ? undefined : await protectDefaultBranch(tx, { ...rule, name: first })
    await recordActivity(tx, { id: project.id, now, default_branch: first })
    if (user_id !== undefined) {
      await recordContribution(tx, { user_id, project_id: project.id, now })
    }
    await enqueue(tx, clock, {
      task: maintainProjectTask,
      key: String(project.id),
      payload: { project_id: project.id },
      delay_ms: maintenance_delay_ms,
    })
    const key = await enqueueAfterPushSteps(tx, clock, { ...push, project_id: project.id })
    return { ownRule, key }
  })
  return {
    ownRule,
    landed: () => startConfirmedPushTask(db, clock, { task: afterPushStepsTask, key }),
  }
}

/**
 * Points HEAD to the branch that becomes the default branch, and returns its name; undefined if another push
 * was first. The lock makes pushes of all servers wait for each other here, so that HEAD and the row name the
 * same branch.
 */
async function beginBranches(
  tx: Db,
  project: Project,
  { repository, branches }: { repository: Repository; branches: readonly string[] },
): Promise<string | undefined> {
  await lockProject(tx, project.id)
  if (hasBranches(repository)) return undefined
  const first = firstBranch(project, branches)
  if (first !== undefined) await setHead(repository, `refs/heads/${first}` as RefName)
  return first
}

/** Returns the names of the branches that exist after the push. */
function pushedBranches(moves: readonly RefUpdate[]): string[] {
  return moves
    .filter(({ newOid }) => newOid !== zeroOid)
    .map(({ name }) => branchNameOf(name))
    .filter((name) => name !== undefined)
}

/**
 * Returns the branch that becomes the default branch: the configured one if it is pushed, otherwise the first
 * one.
 */
function firstBranch(project: Project, branches: readonly string[]): string | undefined {
  const { default_branch } = project
  return default_branch !== null && branches.includes(default_branch) ? default_branch : branches[0]
}

/** A project, and whether the caller may push to one of its branches only because of a merge request. */
export type PushableProject = Project & { isOpenToCaller?: boolean }

/** Loads `:id` of operations that commit to a branch, which collaborators may call too. */
export const pushableProjectLoader: SubjectLoader<PushableProject> = {
  parameters: projectLoader.parameters,
  async load(request) {
    const { subject, level } = await projectLoader.load(request)
    const { db, actor } = request
    const collaborations = await findCollaborativeBranches(db, { subject, level, actor })
    return { subject: { ...subject, isOpenToCaller: collaborations.size > 0 }, level }
  },
}

/**
 * Returns whether the caller may push to at least one branch. Each operation checks its own branch with
 * `mayPush`.
 */
export const mayPushToAtLeastOneBranch = (facts: Facts<PushableProject>): boolean =>
  mayPushCode(facts) || facts.subject.isOpenToCaller === true

/** Returns the 403 for a caller who may not push. Only callers who may read the code get the reason. */
export function pushRefusal(facts: Facts<Project>): ApiError {
  return mayDownloadCode(facts) ? branchRefusal() : forbidden()
}

/** Returns the 403 for a caller who may push to the project, but not to this branch. */
export function branchRefusal(): ApiError {
  return forbidden('You are not allowed to push into this branch')
}

/**
 * Whether the caller may change the branch: by the push ability and the protection of the branch, or because of a merge
 * request.
 */
export async function mayPush(
  { db, actor, level, config }: Pick<Instance, 'db' | 'config'> & { actor: Actor; level: number },
  project: Project,
  branch: string,
): Promise<boolean> {
  const facts = { subject: project, level, actor }
  if (!mayPushCode(facts)) return mayPushAsCollaborator({ db, config }, facts, branch)
  return mayPushWithRules({
    ...facts,
    rules: await listBranchProtectionRules(db, project.id, actor),
    branch,
    config,
  })
}

/** As `mayPush`, with rules that are loaded already. */
export function mayPushWithRules({
  rules,
  branch,
  config,
  ...facts
}: Facts<Project> & {
  rules: readonly ProtectionRule[]
  branch: string
  config: Config
}): boolean {
  const { subject: project, level, actor } = facts
  if (!mayPushCode(facts)) return false
  const isBeginning = !hasBranches(projectRepository(config, project))
  const protection = project.namespace_default_branch_protection
  if (isBeginning && level < Level.maintainer && !allowsFirstPushByDevelopers(protection))
    return false
  return mayPushToBranch(rules, branch, { actor, level })
}
