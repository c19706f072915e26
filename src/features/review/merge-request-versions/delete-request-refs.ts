// Deletes the references of a deleted merge request.

import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { findRepositoryPlacement, projectRepository } from '../../../subjects/project.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import type { userRemovedEffect } from '../../people/users/user.tasks.ts'
import { deleteCreatedIssuables } from '../../planning/issuables/remove-contributions.ts'
import { setMergeRequestRef } from '../merge-requests/request-refs.ts'
import { replaceClosingIssues } from './merge-request-version.store.ts'

const name = { name: 'forget-merge-request', lane: 'removal' } as const
type Payload = { project_id: number; iid: number }

/**
 * Enqueues removal of the references of a merge request, in the transaction that deletes its row. Its number is not
 * used again.
 */
export async function enqueueRefRemoval(
  tx: Db,
  clock: Clock,
  { id, project_id, iid }: Issuable,
): Promise<void> {
  await replaceClosingIssues(tx, id, [])
  const payload = { project_id, iid }
  await enqueue(tx, clock, { task: name, key: `${project_id}:${iid}`, payload })
}

export const requestRefTasks = [
  defineTask({
    ...name,
    async run(
      { db, git, config }: Pick<Instance, 'db' | 'git' | 'config'>,
      { project_id, iid }: Payload,
    ) {
      const project = await findRepositoryPlacement(db, project_id)
      if (!project) return
      const repository = projectRepository(config, project)
      for (const which of ['head', 'merge'] as const) {
        await setMergeRequestRef(git.git, repository, { iid, which, oid: undefined })
      }
    },
  }),
]

/** Deletes the merge requests of a user who is deleted with all contributions. */
export const removeMergeRequestsOfUser = (
  removal: Parameters<typeof userRemovedEffect.run>[0],
): Promise<void> =>
  deleteCreatedIssuables(removal, 'merge_request', (tx, request) =>
    enqueueRefRemoval(tx, removal.clock, request),
  )
