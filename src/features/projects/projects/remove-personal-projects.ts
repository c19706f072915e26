import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { removeProjectTask } from './project.tasks.ts'

/** How many projects are looked up at a time. */
const batch_size = 100

/** Removes the projects in a user's own namespace, with their repositories, until none is left. */
export async function removePersonalProjects({
  db,
  git,
  clock,
  config,
  user_id,
}: {
  db: Db
  git: GitAccess
  clock: Clock
  config: Config
  user_id: number
}): Promise<void> {
  for (;;) {
    const projects = await listPersonalProjects(db, user_id)
    for (const { id } of projects) {
      await db.updateTable('projects').set({ state: 'deleting' }).where('id', '=', id).execute()
      await removeProjectTask.run({ db, git, clock, config }, { project_id: id })
    }
    if (projects.length < batch_size) return
  }
}

function listPersonalProjects(db: Db, user_id: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select('projects.id')
    .where('namespaces.owner_id', '=', user_id)
    .where('namespaces.kind', '=', 'user')
    .orderBy('projects.id')
    .limit(batch_size)
    .execute()
}
