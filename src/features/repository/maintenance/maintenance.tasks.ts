import { maintainRepository, measureRepository } from '../../../git/maintenance.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { findRepositoryPlacement, projectRepository } from '../../../subjects/project.ts'
import { defineTask } from '../../../tasks/task.ts'
import { describeRepository } from '../../projects/projects/describe-repository.ts'
import { ensureLanguageCounts } from '../languages/ensure-language-counts.ts'
import { upsertProjectStatistics } from './statistics.store.ts'

/** Runs maintenance after pushes: packs, bitmaps, commit-graph and project statistics. Safe to repeat at any time. */
export const maintainProjectTask = defineTask({
  name: 'maintain-project',
  lane: 'upkeep',
  async run(
    { db, git, clock, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
    { project_id }: { project_id: number },
  ) {
    const project = await findRepositoryPlacement(db, project_id)
    if (project?.state !== 'ready') return
    const repository = projectRepository(config, project)
    await maintainRepository(git.git, repository)
    const measured = await measureRepository(git.git, repository)
    const unknown = { readme_commit: null, readme_path: null }
    const { tip, readme } = await describeRepository({ git, config }, { ...project, ...unknown })
    await upsertProjectStatistics(db, {
      project_id,
      ...measured,
      readme_commit: tip ?? null,
      readme_path: readme ?? null,
      updated_at: timestamp(clock),
    })
    await ensureLanguageCounts({ db, git, config }, project)
  },
})

export const maintenanceTasks = [maintainProjectTask]
