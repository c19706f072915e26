import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { removeProject } from '../../projects/projects/project.tasks.ts'
import { groupChangedEffect } from './group-changed.ts'
import {
  deleteNamespaces,
  isGroupMarkedDeleted,
  listProjectsOfGroupAndDescendants,
  unlinkGroupAvatars,
} from './group-removal.store.ts'

type GroupPayload = { group_id: number }

/** The number of projects that one run deletes before other tasks can run. */
const batch_size = 100

const task = { name: 'remove-group', lane: 'removal' } as const

/**
 * Deletes a group that is marked for deletion: its projects with their repositories, then the groups from the deepest up,
 * the group itself last. An interrupted run is simply repeated.
 */
export const removeGroupTask = defineTask({
  ...task,
  async run(
    { db, git, clock, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
    { group_id }: GroupPayload,
  ) {
    if (!(await isGroupMarkedDeleted(db, group_id))) return
    const projects = await listProjectsOfGroupAndDescendants(db, group_id, batch_size)
    for (const { id } of projects) {
      // The creation of a project may have ended after the group was marked.
      await removeProject({ db, git, clock, config }, id)
    }
    if (projects.length === batch_size) {
      await enqueue(db, clock, { task, key: String(group_id), payload: { group_id } })
      return
    }
    await runTransaction(db, async (tx) => {
      await groupChangedEffect.run({ tx, clock, group_id, action: 'destroy' })
      await unlinkGroupAvatars(tx, group_id, timestamp(clock))
      await deleteNamespaces(tx, group_id)
    })
  },
})

export const groupTasks = [removeGroupTask]
