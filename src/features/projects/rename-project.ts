import type { Db } from '../../db/db.ts'
import { invalid } from '../../kernel/errors.ts'
import { insertRoute } from '../namespaces/namespace.ts'
import { takenProblems } from './create-project.ts'
import { insertRedirect, releaseRoute } from './project.store.ts'
import type { Project } from './project.ts'

/** Gives a project another path within its namespace; the old full path goes on leading to it. */
export async function renameProject(db: Db, project: Project, path: string): Promise<void> {
  const full_path = project.full_path.replace(/[^/]+$/, path)
  await releaseRoute(db, project.id)
  const isFree = await insertRoute(db, { path: full_path, project_id: project.id })
  if (!isFree) throw invalid(takenProblems({ name: false, path: true }))
  if (full_path.toLowerCase() !== project.full_path.toLowerCase()) {
    await insertRedirect(db, { path: project.full_path, project_id: project.id })
  }
}
