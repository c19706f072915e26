// What follows a push: a task, enqueued in the transaction that records the push, before the references move. The
// process that moves them makes the task due at once; a server that dies in between runs it after its restart.

import { randomUUID } from 'node:crypto'
import { anonymous } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { isFastForward } from '../../../git/fast-forward.ts'
import type { GitAccess } from '../../../git/git.ts'
import { type Oid, type RefName, zeroOid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import { readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { RefUpdate } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import { limits } from '../../../kernel/limits.ts'
import { findProject, type Project, projectRepository } from '../../../subjects/project.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import {
  defineTask,
  enqueue,
  makeTasksDue,
  type TaskName,
  type TaskPayload,
} from '../../../tasks/task.ts'

/** A reference that moved. `zeroOid` is the old value of a new reference and the new value of a deleted one. */
export type Move = Pick<RefUpdate, 'name' | 'oldOid' | 'newOid'>

export type LandedPush = {
  uses: Instance
  push: {
    /** The id of the push. It is the same in each run of the task. */
    id: string
    project: Project
    /** The pusher; undefined if the server itself pushed or the user was deleted. */
    user: User | undefined
    moves: readonly Move[]
    options: readonly string[]
  }
}

/**
 * Runs in a task after the references of a push have moved. The task may run more than once, so steps must be
 * safe to repeat; the id of the push helps with that. Steps enqueue tasks for slow work.
 */
export const pushLandedEffect = declareEffect<LandedPush>('a push has landed')

type Payload = {
  id: string
  project_id: number
  user_id: number | undefined
  moves: Move[]
  options: string[]
  /** The number of runs that found that the references had not moved. */
  waits: number
}

/** When the task runs if nobody confirmed that the references moved: counted from the push, then from that run. */
export const unconfirmed_delays_ms = [10_000, 120_000] as const

const isBranchOrTag = ({ name }: Move) => /^refs\/(heads|tags)\//.test(name)

/**
 * Enqueues the task that runs the after-push steps, in the transaction that records the push. Returns its key for
 * `startConfirmedPushTask`; undefined where there is no task, as for a push of more references than `limits.followed_refs_max`.
 */
export async function enqueueAfterPushSteps(
  tx: Db,
  clock: Clock,
  push: {
    project_id: number
    user_id: number | undefined
    moves: readonly RefUpdate[]
    options?: readonly string[]
  },
): Promise<string | undefined> {
  const moves = push.moves
    .filter(isBranchOrTag)
    .map(({ name, oldOid, newOid }) => ({ name, oldOid, newOid }))
  if (moves.length === 0 || moves.length > limits.followed_refs_max) return undefined
  const { project_id, user_id, options = [] } = push
  const kept = options.slice(0, limits.push_options_max)
  return enqueueUnconfirmedPushTask(tx, clock, {
    task: afterPushStepsTask,
    payload: { project_id, user_id, moves, options: kept },
  })
}

/**
 * Enqueues a task that follows a push and checks by `refsMovedOrReschedule` whether the references moved. Returns its key
 * for `startConfirmedPushTask`.
 */
export async function enqueueUnconfirmedPushTask(
  tx: Db,
  clock: Clock,
  { task, payload }: { task: TaskName; payload: TaskPayload },
): Promise<string> {
  const id = randomUUID()
  const whole = { ...payload, id, waits: 0 }
  await enqueue(tx, clock, { task, key: id, payload: whole, delay_ms: unconfirmed_delays_ms[0] })
  return id
}

/** Starts a task that follows a push, once its references have moved. Does nothing where no task was enqueued. */
export function startConfirmedPushTask(
  db: Db,
  clock: Clock,
  { task, key }: { task: TaskName; key: string | undefined },
): void {
  // The task may already have been enqueued again under the second key.
  if (key !== undefined) makeTasksDue(db, clock, { task, keys: [key, laterKey(key, 1)] })
}

const laterKey = (key: string, waits: number) => `${key}:${waits}`

export const afterPushStepsTask = defineTask({
  name: 'tell-of-push',
  lane: 'events',
  async run(uses: LandedPush['uses'], payload: Payload) {
    const { db, clock, config } = uses
    const found = await findProject(db, anonymous, { id: payload.project_id })
    if (!found) return
    const { id, moves, options, user_id } = payload
    const repository = projectRepository(config, found.project)
    const asked = { task: afterPushStepsTask, payload, moves }
    if (!(await refsMovedOrReschedule({ db, clock }, repository, asked))) return
    const landed: Move[] = []
    for (const move of moves)
      if (await hasRefPushedCommit(uses.git, repository, move)) landed.push(move)
    if (landed.length === 0) return
    const user = user_id === undefined ? undefined : await findUser(db, user_id)
    const push = { id, project: found.project, user, moves: landed, options }
    await pushLandedEffect.run({ uses, push })
  },
})

export const pushTasks = [afterPushStepsTask]

/**
 * Returns whether the references of a push have moved. If not, enqueues the task again with a delay, for a slow move; a
 * push that never lands is given up.
 */
export async function refsMovedOrReschedule<Asked extends { id: string; waits: number }>(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  repository: Repository,
  { task, payload, moves }: { task: TaskName; payload: Asked; moves: readonly Move[] },
): Promise<boolean> {
  if (moves.some((move) => hasMoved(repository, move))) return true
  const waits = payload.waits + 1
  const delay_ms = unconfirmed_delays_ms[waits]
  if (delay_ms === undefined) return false
  const later = { key: laterKey(payload.id, waits), payload: { ...payload, waits }, delay_ms }
  await enqueue(db, clock, { task, ...later })
  return false
}

/** Returns whether a reference has left its old value. All references of a push move together. */
function hasMoved(repository: Repository, { name, oldOid, newOid }: Move): boolean {
  const oid = readRef(repository, name as RefName) ?? zeroOid
  return oid === newOid || oid !== oldOid
}

/** How many commits of a branch are searched before git is used. */
const steps_max = 20

/**
 * Whether a reference contains the commit of a push. A refused push has not landed, even if another one moved the reference.
 * Callers that act later check again.
 */
export async function hasRefPushedCommit(
  { git, objects }: Pick<GitAccess, 'git' | 'objects'>,
  repository: Repository,
  { name, newOid: brought }: Move,
): Promise<boolean> {
  const newOid = readRef(repository, name as RefName) ?? zeroOid
  if (newOid === brought) return true
  if (newOid === zeroOid || brought === zeroOid) return false
  // Most branches have gained only a few commits since, which are cached.
  let oid: Oid | undefined = newOid
  for (let steps = 0; oid && steps < steps_max; steps++) {
    const commit: Commit | undefined = await objects.commit(repository, oid)
    if (commit?.parents.includes(brought)) return true
    oid = commit?.parents[0]
  }
  return isFastForward(git, repository, undefined, { oldOid: brought, newOid })
}
