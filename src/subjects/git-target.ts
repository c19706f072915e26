import type { Actor } from '../access/actor.ts'
import type { Db } from '../db/db.ts'
import { findProject, findProjectIdByFormerPath, type Project } from './project.ts'

/**
 * The access of a deploy key or deploy token to the project that the path names. A deploy key pushes with the rights of
 * the user who created it.
 */
export type DeployGrant = {
  isEnabled: boolean
  can_push: boolean
  /** Who made the key, with their level on the project; undefined when their account is not in use. */
  maker: { actor: Actor; level: number } | undefined
  /** Why it does not push, where that is never asked of a key. */
  readOnlyText?: string
}

/** The project that a git command names, and the caller's level on it, even if they cannot see the project. */
export type GitTarget = {
  project: Project
  level: number
  /** The path the client used, where it is not the project's any more. */
  formerPath: string | undefined
  /** Set where the caller is a deploy key or token. */
  grant?: DeployGrant
}

/** Finds a project by its path or a former path, since git commands continue to work after a rename. */
export async function findGitTarget(
  db: Db,
  actor: Actor,
  fullPath: string,
): Promise<GitTarget | undefined> {
  // No path holds NUL, and PostgreSQL refuses to look for one.
  if (fullPath.includes('\0')) return undefined
  const found = await findProject(db, actor, { path: fullPath })
  if (found) return { ...found, formerPath: undefined }
  const movedTo = await findProjectIdByFormerPath(db, fullPath)
  const moved = movedTo === undefined ? undefined : await findProject(db, actor, { id: movedTo })
  return moved && { ...moved, formerPath: fullPath }
}
