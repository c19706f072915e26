import type { Instance } from '../../../http/endpoint.ts'
import { listPersonalProjects } from './personal-project.store.ts'
import { removeProject } from './project.tasks.ts'

/** The number of projects that one query reads. */
const batch_size = 100

/** Deletes all projects in a user's own namespace, with their repositories. */
export async function removePersonalProjects({
  db,
  git,
  clock,
  config,
  user_id,
}: Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & { user_id: number }): Promise<void> {
  for (;;) {
    const projects = await listPersonalProjects(db, user_id, batch_size)
    for (const { id } of projects) {
      await removeProject({ db, git, clock, config }, id)
    }
    if (projects.length < batch_size) return
  }
}
