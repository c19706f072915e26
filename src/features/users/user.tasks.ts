import { lockAccess } from '../../access/refresh.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/db.ts'
import type { GitAccess } from '../../git/git.ts'
import { type Clock, timestamp, today } from '../../kernel/clock.ts'
import { defineTask, enqueue } from '../../tasks/task.ts'
import { recordAuditEvent } from '../audit-events/audit-event.ts'
import { unlinkAvatar } from '../avatars/avatar.ts'
import { removeGroupTask } from '../groups/group.tasks.ts'
import { markGroupDeleted } from '../groups/remove-group.ts'
import { findOwnNamespace } from '../namespaces/namespace.ts'
import { removeProjectTask } from '../projects/project.tasks.ts'
import { moveContributions } from './ghost.ts'
import { listSolelyOwnedGroups } from './solely-owned.ts'
import { findUser } from './user.ts'

type Uses = { db: Db; git: GitAccess; clock: Clock; config: Config }
type UserPayload = { user_id: number; hard_delete: boolean }

/** How many projects or groups one run removes before it makes room for other tasks. */
const batch_size = 100

const task = { name: 'remove-user', lane: 'removal' } as const

/**
 * Removes a user who was blocked for it: groups they alone own if the deletion is hard, their projects
 * with their repositories, and in one transaction the rest. Every step before that leaves less, so a run
 * cut short is just run again; after it there is nobody to remove.
 */
export const removeUserTask = defineTask({
  ...task,
  async run(uses: Uses, { user_id, hard_delete }: UserPayload) {
    const { db, clock } = uses
    if (!(await findUser(db, user_id))) return
    if (hard_delete) await removeGroups(uses, user_id)
    const isEmpty = await removePersonalProjects(uses, user_id)
    if (!isEmpty) {
      const key = hard_delete ? `${user_id}:hard` : String(user_id)
      await enqueue(db, clock, { task, key, payload: { user_id, hard_delete } })
      return
    }
    await db.transaction().execute(async (tx) => {
      await lockAccess(tx)
      if (!hard_delete) await moveContributions(tx, clock, user_id)
      await unlinkAvatar(tx, { owner: { kind: 'user', id: user_id }, now: timestamp(clock) })
      await deleteUser(tx, user_id)
    })
  },
})

async function removeGroups(
  { db, clock }: { db: Db; clock: Clock },
  userId: number,
): Promise<void> {
  const day = today(clock)
  for (;;) {
    const isDone = await db.transaction().execute(async (tx) => {
      await lockAccess(tx)
      // One at a time: with a group go those below it.
      const [id] = await listSolelyOwnedGroups(tx, userId, { today: day, limit: 1 })
      if (id === undefined) return true
      const entity = { kind: 'group', id } as const
      await recordAuditEvent({ db: tx, clock }, { action: 'group_removed', entity })
      await markGroupDeleted(tx, id, { today: day })
      const payload = { group_id: id }
      await enqueue(tx, clock, { task: removeGroupTask, key: String(id), payload })
      return false
    })
    if (isDone) return
  }
}

/** True when none is left. */
async function removePersonalProjects(uses: Uses, userId: number): Promise<boolean> {
  const { db } = uses
  const projects = await db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select('projects.id')
    .where('namespaces.owner_id', '=', userId)
    .where('namespaces.kind', '=', 'user')
    .orderBy('projects.id')
    .limit(batch_size)
    .execute()
  for (const { id } of projects) {
    await db.updateTable('projects').set({ state: 'deleting' }).where('id', '=', id).execute()
    await removeProjectTask.run(uses, { project_id: id })
  }
  return projects.length < batch_size
}

/**
 * The rows of the user and of their namespace. Everything that is theirs alone goes with them by cascade:
 * memberships, access, tokens, keys, identities, locks; nobody else's access came from them.
 */
async function deleteUser(tx: Db, userId: number): Promise<void> {
  const namespace = await findOwnNamespace(tx, userId)
  if (namespace) await tx.deleteFrom('namespaces').where('id', '=', namespace.id).execute()
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}

export const userTasks = [removeUserTask]
