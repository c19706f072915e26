// What follows a push. It is asked for in the transaction that notes the push, before the references move,
// so that a server that dies in between does it when it is back; and done once the references have moved.

import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { anonymous } from '../../../access/actor.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { isFastForward } from '../../../git/fast-forward.ts'
import type { GitAccess } from '../../../git/git.ts'
import { type RefName, zeroOid } from '../../../git/names.ts'
import { type RefUpdate, readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { type Clock, monotonic_ms } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import { limits } from '../../../kernel/limits.ts'
import { findProject, type Project, projectRepository } from '../../../subjects/project.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import { defineTask, enqueue, type TaskName } from '../../../tasks/task.ts'

/** A reference that moved; `zeroOid` is what it was before it was made, and is after it was removed. */
export type Move = Pick<RefUpdate, 'name' | 'oldOid' | 'newOid'>

export type LandedPush = {
  uses: { db: Db; git: GitAccess; clock: Clock; config: Config; secretKey: Buffer }
  push: {
    /** The same whenever this push is told of. */
    id: string
    project: Project
    /** Who pushed; undefined for the server itself, and for somebody who is gone. */
    user: User | undefined
    moves: readonly Move[]
    options: readonly string[]
  }
}

/**
 * The references of a push have moved. Told at least once, by a task: a step must be safe to repeat, which the
 * push's id helps with, and asks for a task of its own for whatever takes long.
 */
export const pushLanded = declareEffect<LandedPush>('a push has landed')

type Payload = {
  id: string
  project_id: number
  user_id: number | undefined
  moves: Move[]
  options: string[]
  /** How often it was found that the references had not moved. */
  waits: number
}

/** For how long the references are watched, which most often move at once. */
const watch_ms = 2_000
const look_ms = 10
/** After that it is looked again so much later, and then once more; a push that never lands was refused. */
const waits_ms = [10_000, 120_000]

const isBranchOrTag = ({ name }: Move) => /^refs\/(heads|tags)\//.test(name)

/**
 * Enqueues the task that runs the after-push steps, in the transaction that records the push. A push of more
 * references than `limits.followed_refs_max` has none.
 */
export async function enqueuePushLanded(
  tx: Db,
  clock: Clock,
  push: {
    project_id: number
    user_id: number | undefined
    moves: readonly RefUpdate[]
    options?: readonly string[]
  },
): Promise<void> {
  const moves = push.moves
    .filter(isBranchOrTag)
    .map(({ name, oldOid, newOid }) => ({ name, oldOid, newOid }))
  if (moves.length === 0 || moves.length > limits.followed_refs_max) return
  const { project_id, user_id, options = [] } = push
  const id = randomUUID()
  const kept = options.slice(0, limits.push_options_max)
  const payload = { id, project_id, user_id, moves, options: kept, waits: 0 }
  await enqueue(tx, clock, { task: tellOfPush, key: id, payload })
}

const tellOfPush = defineTask({
  name: 'tell-of-push',
  lane: 'events',
  async run(uses: LandedPush['uses'], payload: Payload) {
    const { db, clock, config } = uses
    const found = await findProject(db, anonymous, { id: payload.project_id })
    if (!found) return
    const { id, moves, options, user_id } = payload
    const repository = projectRepository(config, found.project)
    const asked = { task: tellOfPush, payload, moves }
    if (!(await refsMovedOrReschedule({ db, clock }, repository, asked))) return
    const landed: Move[] = []
    for (const move of moves) if (await hasLanded(uses.git, repository, move)) landed.push(move)
    if (landed.length === 0) return
    const user = user_id === undefined ? undefined : await findUser(db, user_id)
    const push = { id, project: found.project, user, moves: landed, options }
    await pushLanded.run({ uses, push })
  },
})

export const pushTasks = [tellOfPush]

/**
 * Whether the references of a push have moved. If not, enqueues the task again with a delay, twice at most: a push
 * that never lands is given up.
 */
export async function refsMovedOrReschedule<Asked extends { id: string; waits: number }>(
  { db, clock }: { db: Db; clock: Clock },
  repository: Repository,
  { task, payload, moves }: { task: TaskName; payload: Asked; moves: readonly Move[] },
): Promise<boolean> {
  if (await haveMoved(repository, moves)) return true
  const delay_ms = waits_ms[payload.waits]
  if (delay_ms === undefined) return false
  const waits = payload.waits + 1
  const later = { key: `${payload.id}:${waits}`, payload: { ...payload, waits }, delay_ms }
  await enqueue(db, clock, { task, ...later })
  return false
}

/** Whether the references have left what they were; all of them move at once. */
async function haveMoved(repository: Repository, moves: readonly Move[]): Promise<boolean> {
  const hasMoved = ({ name, oldOid, newOid }: Move) => {
    const oid = readRef(repository, name as RefName) ?? zeroOid
    return oid === newOid || oid !== oldOid
  }
  for (const end_ms = monotonic_ms() + watch_ms; ; ) {
    if (moves.some(hasMoved)) return true
    if (monotonic_ms() > end_ms) return false
    await setTimeout(look_ms)
  }
}

/**
 * Whether a reference has what a push brought. A refused push has not landed, even if another one moved the
 * reference. Callers that act later check again.
 */
export async function hasLanded(
  { git }: Pick<GitAccess, 'git'>,
  repository: Repository,
  { name, newOid: brought }: Move,
): Promise<boolean> {
  const newOid = readRef(repository, name as RefName) ?? zeroOid
  if (newOid === brought) return true
  if (newOid === zeroOid || brought === zeroOid) return false
  return isFastForward(git, repository, undefined, { oldOid: brought, newOid })
}
