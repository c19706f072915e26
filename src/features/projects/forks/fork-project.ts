import type { ActorUser } from '../../../access/actor.ts'
import type { Visibility } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { ApiError, conflict } from '../../../kernel/errors.ts'
import type { Namespace } from '../../../subjects/namespace.ts'
import type { Project } from '../../../subjects/project.ts'
import { createProject } from '../projects/create-project.ts'
import { findForkSettings } from '../projects/project.ts'
import { lowestVisibility } from '../projects/project-problems.ts'

export type NewFork = {
  source: Project
  namespace: Namespace
  creator: ActorUser
  projects_limit: number
  name?: string
  path?: string
  description?: string | null
  /** The requested visibility. The fork is never more visible than its source or namespace. */
  visibility?: Visibility
}

/**
 * Creates a project as a copy of another one, with its settings. Throws 409 if the namespace has one with that name or
 * path (docs/api/projects.md, "Fork").
 */
export async function forkProject(uses: Instance, fork: NewFork): Promise<number> {
  const { source, namespace, creator, projects_limit } = fork
  const { description, ...settings } = await findForkSettings(uses.db, source.id)
  const bounds = [source.visibility, fork.visibility ?? source.visibility]
  if (namespace.kind === 'group') bounds.push(namespace.visibility)
  try {
    return await createProject(uses, {
      source,
      creator,
      namespace,
      projects_limit,
      name: fork.name ?? source.name,
      path: fork.path ?? source.path,
      visibility: lowestVisibility(bounds),
      default_branch: source.default_branch ?? 'main',
      topics: [],
      settings: {
        ...settings,
        description: fork.description === undefined ? description : fork.description,
      },
    })
  } catch (error) {
    // All problems of a fork are reported as a conflict; most of them concern its name or path.
    if (error instanceof ApiError && error.kind === 'invalid') throw conflict(error.detail)
    throw error
  }
}
