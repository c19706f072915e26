import type { Actor } from '../access/actor.ts'
import type { Db } from '../db/db.ts'
import { findProject, findRedirect, type Project } from '../features/projects/project.ts'

/** The project of a path in a git command, whether or not the caller may see it, and their level on it. */
export type Target = {
  project: Project
  level: number
  /** The path the client used, where it is not the project's any more. */
  formerPath: string | undefined
}

/** By its path, or by one it had before: git commands go on working after a rename. */
export async function findTarget(
  db: Db,
  actor: Actor,
  fullPath: string,
): Promise<Target | undefined> {
  const found = await findProject(db, actor, { path: fullPath })
  if (found) return { ...found, formerPath: undefined }
  const movedTo = await findRedirect(db, fullPath)
  const moved = movedTo === undefined ? undefined : await findProject(db, actor, { id: movedTo })
  return moved && { ...moved, formerPath: fullPath }
}
