import type { Config } from '../../config.ts'
import type { Db } from '../../db/db.ts'
import { removeRepository } from '../../git/create-repository.ts'
import type { GitAccess } from '../../git/git.ts'
import { maintainRepository, measureRepository } from '../../git/maintenance.ts'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import { defineTask } from '../../tasks/task.ts'
import { unlinkAvatar } from '../avatars/avatar.ts'
import { countLanguages } from '../languages/count-languages.ts'
import { releaseLfsObjects } from '../lfs/release-objects.ts'
import { describeRepository } from './describe-repository.ts'
import { deleteProject, findPlacement, upsertStatistics } from './project.store.ts'
import { projectRepository } from './project.ts'

type Uses = { db: Db; git: GitAccess; clock: Clock; config: Config }
type ProjectPayload = { project_id: number }

/** After pushes: packs, bitmaps, commit-graph and the numbers shown. Safe to repeat at any time. */
export const maintainProject = defineTask({
  name: 'maintain-project',
  lane: 'upkeep',
  async run({ db, git, clock, config }: Uses, { project_id }: ProjectPayload) {
    const project = await findPlacement(db, project_id)
    if (project?.state !== 'ready') return
    const repository = projectRepository(config, project)
    await maintainRepository(git.git, repository)
    const measured = await measureRepository(git.git, repository)
    const unknown = { readme_commit: null, readme_path: null }
    const { tip, readme } = await describeRepository({ git, config }, { ...project, ...unknown })
    await upsertStatistics(db, {
      project_id,
      ...measured,
      readme_commit: tip ?? null,
      readme_path: readme ?? null,
      updated_at: timestamp(clock),
    })
    await countLanguages({ db, git, config }, project)
  },
})

/**
 * Removes a project marked for deletion, or one whose creation was interrupted: first the files, then
 * the row, so that a run cut short is taken up where it was.
 */
export const removeProjectTask = defineTask({
  name: 'remove-project',
  lane: 'removal',
  async run({ db, git, clock, config }: Uses, { project_id }: ProjectPayload) {
    const project = await findPlacement(db, project_id)
    if (!project || project.state === 'ready') return
    const repository = projectRepository(config, project)
    await git.objects.forget(repository)
    await removeRepository(repository)
    await db.transaction().execute(async (tx) => {
      const now = timestamp(clock)
      await releaseLfsObjects(tx, { project_id, now })
      await unlinkAvatar(tx, { owner: { kind: 'project', id: project_id }, now })
      await deleteProject(tx, project_id)
    })
  },
})

export const projectTasks = [maintainProject, removeProjectTask]
