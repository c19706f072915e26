import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { GitAccess } from '../../../git/git.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { subtree } from '../../../subjects/subtree.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { removeProjectTask } from '../../projects/projects/project.tasks.ts'

type GroupPayload = { group_id: number }

/** How many projects one run removes before it makes room for other tasks. */
const batch_size = 100

const task = { name: 'remove-group', lane: 'removal' } as const

/**
 * Removes a group marked for deletion: its projects with their repositories, then the groups from the
 * deepest up, the group itself last. Every step leaves less, so a run cut short is just run again.
 */
export const removeGroupTask = defineTask({
  ...task,
  async run(
    { db, git, clock, config }: { db: Db; git: GitAccess; clock: Clock; config: Config },
    { group_id }: GroupPayload,
  ) {
    const group = await db
      .selectFrom('namespaces')
      .select('state')
      .where('id', '=', group_id)
      .executeTakeFirst()
    if (group?.state !== 'deleting') return
    const projects = await listProjectsWithin(db, group_id)
    for (const { id } of projects) {
      // A project whose creation was under way may have become ready since the group was marked.
      await db.updateTable('projects').set({ state: 'deleting' }).where('id', '=', id).execute()
      await removeProjectTask.run({ db, git, clock, config }, { project_id: id })
    }
    if (projects.length === batch_size) {
      await enqueue(db, clock, { task, key: String(group_id), payload: { group_id } })
      return
    }
    await db.transaction().execute(async (tx) => {
      await releaseAvatars(tx, group_id, timestamp(clock))
      await deleteNamespaces(tx, group_id)
    })
  },
})

function listProjectsWithin(db: Db, groupId: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('projects')
    .innerJoin('namespace_ancestors', 'namespace_ancestors.namespace_id', 'projects.namespace_id')
    .select('projects.id')
    .where('namespace_ancestors.ancestor_id', '=', groupId)
    .orderBy('projects.id')
    .limit(batch_size)
    .execute()
}

/** Leaves the pictures of the groups to the task that removes those nobody has. */
async function releaseAvatars(tx: Db, groupId: number, now: string): Promise<void> {
  await tx
    .updateTable('avatars')
    .set({ owner_kind: null, owner_id: null, unlinked_since: now })
    .where('owner_kind', '=', 'group')
    .where('owner_id', 'in', subtree(tx, groupId))
    .execute()
}

/** One statement for each depth, since a parent cannot go before its children. */
async function deleteNamespaces(db: Db, groupId: number): Promise<void> {
  const { depth_max } = await db
    .selectFrom('namespace_ancestors')
    .select(({ fn }) => fn.max('depth').as('depth_max'))
    .where('ancestor_id', '=', groupId)
    .executeTakeFirstOrThrow()
  for (let depth = depth_max; depth >= 0; depth--) {
    await db
      .deleteFrom('namespaces')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('namespace_ancestors')
          .select('namespace_ancestors.namespace_id')
          .where('namespace_ancestors.ancestor_id', '=', groupId)
          .where('namespace_ancestors.depth', '=', depth),
      )
      .execute()
  }
}

export const groupTasks = [removeGroupTask]
