import { anonymous } from '../../../access/actor.ts'
import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { findProject, type Project } from '../../../subjects/project.ts'
import { insertRoute, type PathClaimant } from '../../basics/namespaces/namespace.ts'
import { deleteProjectRoute, insertProjectRedirect } from './project.store.ts'
import { takenNameOrPathProblems } from './project-problems.ts'

/** Changes the path of a project within its namespace. The old full path is redirected. */
export async function renameProject(
  { db, user }: { db: Db; user: PathClaimant },
  { id }: Project,
  path: string,
): Promise<void> {
  // Loaded again under the lock, since its namespace may have been renamed in the meantime.
  await lockAccessRecomputation(db)
  const found = await findProject(db, anonymous, { id })
  if (!found) throw notFound('Project')
  const { project } = found
  const namespace = project.full_path.slice(0, project.full_path.lastIndexOf('/'))
  const isFree = await changeProjectFullPath({ db, user }, project, `${namespace}/${path}`)
  if (!isFree) throw invalid(takenNameOrPathProblems({ name: false, path: true }))
}

/**
 * Changes the full path of a project and redirects the old one. Returns false if the path is taken; the caller then ends its
 * transaction.
 */
export async function changeProjectFullPath(
  { db, user }: { db: Db; user: PathClaimant },
  project: Project,
  full_path: string,
): Promise<boolean> {
  await deleteProjectRoute(db, project.id)
  const isFree = await insertRoute(db, { path: full_path, project_id: project.id }, user)
  if (isFree && full_path.toLowerCase() !== project.full_path.toLowerCase()) {
    await insertProjectRedirect(db, { path: project.full_path, project_id: project.id })
  }
  return isFree
}
