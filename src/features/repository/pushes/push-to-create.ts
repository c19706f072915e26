// A push to a missing project creates the project, if the pusher may create it.

import type { Actor } from '../../../access/actor.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { createLruCache } from '../../../kernel/lru.ts'
import type { GitTarget } from '../../../subjects/git-target.ts'
import { findNamespaceByPath } from '../../../subjects/namespace.ts'
import { findProject, type Project, projectUrl } from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import { createProject } from '../../projects/projects/create-project.ts'
import { mayCreateProjectIn } from '../../projects/projects/target-namespace.ts'
import { requiredTokenScopes } from './authorize.ts'

/** New projects whose pushers have not been notified yet. Over HTTP the push itself is a later request. */
const untold = createLruCache<number>(1000)

/**
 * Creates a private project at the path, in an existing namespace. Returns undefined if the caller may not, who then gets
 * the response for a missing project. `problem` is why a project cannot be created.
 */
export async function createProjectOnPush(
  uses: Instance,
  actor: Actor,
  fullPath: string,
): Promise<GitTarget | { problem: string } | undefined> {
  const { db } = uses
  const { user, token } = actor
  const accepted = requiredTokenScopes['git-receive-pack']
  if (!user || (token && !token.scopes.some((scope) => accepted.includes(scope)))) return undefined
  const parts = fullPath.split('/')
  const path = parts.pop() ?? ''
  // A push to `<project>.wiki` is meant for the wiki of a project and must not create a project.
  if (parts.length === 0 || path.endsWith('.wiki') || fullPath.includes('\0')) return undefined
  const namespace = await findNamespaceByPath(db, parts.join('/'))
  if (!namespace || !(await mayCreateProjectIn({ db, actor, user }, namespace))) return undefined
  const owner = await findUser(db, user.id)
  if (!owner) return undefined
  try {
    const id = await createProject(uses, {
      creator: user,
      namespace,
      name: path,
      path,
      visibility: 'private',
      default_branch: 'main',
      topics: [],
      settings: {},
      projects_limit: owner.projects_limit,
    })
    const found = await findProject(db, actor, { id })
    if (!found) return undefined
    untold.set(String(id), user.id)
    return { ...found, formerPath: undefined }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { problem: `Could not create project: ${sentencesOf(error)}` }
  }
}

function sentencesOf({ detail }: ApiError): string {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.join(', ')
  return Object.entries(detail)
    .flatMap(([field, texts]) => {
      const name = `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`
      return texts.map((text) => `${name} ${text}`)
    })
    .join(', ')
}

/** Returns, once, the messages for the pusher about the project that their push created. */
export function takeProjectCreatedMessages(
  project: Pick<Project, 'id' | 'full_path'>,
  { baseUrl, remoteBaseUrl }: { baseUrl: string; remoteBaseUrl: string },
): string[] {
  if (!untold.delete(String(project.id))) return []
  return [
    '',
    `The private project ${project.full_path} was successfully created.`,
    '',
    'To configure the remote, run:',
    `  git remote add origin ${remoteBaseUrl}/${project.full_path}.git`,
    '',
    'To view the project, visit:',
    `  ${projectUrl(baseUrl, project)}`,
    '',
  ]
}
