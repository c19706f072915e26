import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { removeRepository } from '../../../git/create-repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import { findRepositoryPlacement, projectRepository } from '../../../subjects/project.ts'
import { defineTask } from '../../../tasks/task.ts'
import { unlinkAvatar } from '../../basics/avatars/avatar.ts'
import { deleteProject, updateProject } from './project.store.ts'

type ProjectPayload = { project_id: number }

/**
 * Runs before the row of a project is deleted: steps delete what a project may have very many of, which would make
 * deleting the row slow.
 */
export const projectEmptiedEffect = declareEffect<{ db: Db; project_id: number }>(
  'a project is emptied',
)

/** Runs in the transaction that deletes the row of a project. */
export const projectRemovedEffect = declareEffect<{ tx: Db; project_id: number; now: string }>(
  'a project is removed',
)

/**
 * Deletes a project that is marked for deletion, or whose creation was interrupted: first the files, then large tables, then
 * the row, so that an interrupted run can be continued.
 */
export const removeProjectTask = defineTask({
  name: 'remove-project',
  lane: 'removal',
  async run(
    { db, git, clock, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
    { project_id }: ProjectPayload,
  ) {
    const project = await findRepositoryPlacement(db, project_id)
    if (!project || project.state === 'ready') return
    // A move between storages may have left a second repository, or may be creating one now.
    const storages = new Set([project.repository_storage, ...Object.keys(config.storages)])
    for (const repository_storage of storages) {
      const repository = projectRepository(config, { id: project_id, repository_storage })
      await git.objects.forget(repository)
      await removeRepository(repository)
    }
    await projectEmptiedEffect.run({ db, project_id })
    await runTransaction(db, async (tx) => {
      const now = timestamp(clock)
      await projectRemovedEffect.run({ tx, project_id, now })
      await unlinkAvatar(tx, { owner: { kind: 'project', id: project_id }, now })
      await deleteProject(tx, project_id)
    })
  },
})

/** Deletes a project immediately, even one that has just become ready. */
export async function removeProject(
  { db, git, clock, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  project_id: number,
): Promise<void> {
  await updateProject(db, project_id, { state: 'deleting' })
  await removeProjectTask.run({ db, git, clock, config }, { project_id })
}

export const projectTasks = [removeProjectTask]
