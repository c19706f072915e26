// Whether a caller may fetch from or push to a repository by git; the same for every transport.

import type { Actor, TokenScope } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import type { DeployGrant } from '../../../subjects/git-target.ts'
import { mayDownloadCode, mayPushCode, type Project } from '../../../subjects/project.ts'
import { findCollaborativeBranches } from './collaboration.ts'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

/** A refusal. `hidden` means that the caller must not learn that the project exists. */
export type GitRefusal = { reason: 'hidden' | 'forbidden'; text: string }

export const projectNotFoundText =
  "The project you were looking for could not be found or you don't have permission to view it."

const readOnlyKeyText = 'This deploy key does not have write access to this project.'

/** The token scopes that each git service accepts. */
export const requiredTokenScopes: Record<GitService, readonly TokenScope[]> = {
  'git-upload-pack': ['api', 'read_repository', 'write_repository'],
  'git-receive-pack': ['api', 'write_repository'],
}

type Found = {
  project: Project
  level: number
  grant?: DeployGrant
  /** Whether the caller may push to a branch because of a merge request. */
  isCollaborator?: boolean
}

/** As `authorizeGitAccess`, and also allows what merge requests grant. */
export async function authorizeGitOrCollaborator(
  db: Db,
  { actor, found, service }: { actor: Actor; found: Found | undefined; service: GitService },
): Promise<GitRefusal | undefined> {
  if (!found || found.grant || service === 'git-upload-pack') {
    return authorizeGitAccess(actor, found, service)
  }
  const { project: subject, level } = found
  const collaborations = await findCollaborativeBranches(db, { subject, level, actor })
  return authorizeGitAccess(actor, { ...found, isCollaborator: collaborations.size > 0 }, service)
}

/**
 * Returns undefined if the caller may do it, otherwise the message that git shows (docs/api/git-access.md, "Who may fetch
 * and push"). With a grant the caller is a deploy key and `actor` is anonymous.
 */
export function authorizeGitAccess(
  actor: Actor,
  found: Found | undefined,
  service: GitService,
): GitRefusal | undefined {
  if (found?.grant?.isEnabled) return authorizeDeployKey(found.project, found.grant, service)
  if (!found || !canSeeProject(actor, found)) return { reason: 'hidden', text: projectNotFoundText }
  const forbid = (text: string): GitRefusal => ({ reason: 'forbidden', text })
  const accepted = requiredTokenScopes[service]
  if (actor.token && !actor.token.scopes.some((scope) => accepted.includes(scope))) {
    return forbid(
      service === 'git-upload-pack'
        ? 'You are not allowed to download code.'
        : 'You are not allowed to upload code.',
    )
  }
  if (actor.job && service === 'git-receive-pack') {
    return forbid('You are not allowed to upload code.')
  }
  const facts = { subject: found.project, level: found.level, actor }
  if (!mayDownloadCode(facts)) {
    return forbid('You are not allowed to download code from this project.')
  }
  if (service === 'git-receive-pack' && found.grant) {
    return forbid(found.grant.readOnlyText ?? readOnlyKeyText)
  }
  if (service === 'git-receive-pack' && !mayPushCode(facts) && !found.isCollaborator) {
    return forbid('You are not allowed to push code to this project.')
  }
  return undefined
}

function authorizeDeployKey(
  project: Project,
  { can_push, maker, readOnlyText = readOnlyKeyText }: DeployGrant,
  service: GitService,
): GitRefusal | undefined {
  const forbid = (text: string): GitRefusal => ({ reason: 'forbidden', text })
  if (project.repository_access_level === 'disabled') {
    return forbid('You are not allowed to download code from this project.')
  }
  if (service === 'git-upload-pack') return undefined
  if (!can_push) return forbid(readOnlyText)
  const isAllowed = maker !== undefined && mayPushCode({ subject: project, ...maker })
  return isAllowed ? undefined : forbid('You are not allowed to push code to this project.')
}
