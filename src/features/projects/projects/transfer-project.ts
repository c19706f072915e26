import type { Actor } from '../../../access/actor.ts'
import {
  lockAccessRecomputation,
  recomputeProjectAccess,
} from '../../../access/recompute-access.ts'
import type { Db, Visibility } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import type { Context } from '../../../http/endpoint.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { type ApiError, formatFieldErrors, invalid, notFound } from '../../../kernel/errors.ts'
import { findNamespace, type Namespace } from '../../../subjects/namespace.ts'
import { findVisibleProject, type Project } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { upsertOwnerMembership } from '../../people/members/member.ts'
import { findTakenNameOrPath, updateProject } from './project.store.ts'
import { projectChangedEffect } from './project-changed.ts'
import { lowestVisibility } from './project-problems.ts'
import { changeProjectFullPath } from './rename-project.ts'
import { mayTransferProjectInto } from './target-namespace.ts'

const takenText = 'Project with same name or path in target namespace already exists'

/**
 * Moves a project to another namespace, in the caller's transaction. Its old path is redirected, and its visibility is
 * reduced to that of the new group. Throws 400 with one sentence if it is refused.
 */
export async function transferProject(
  context: Pick<Context<unknown, unknown>, 'db' | 'clock' | 'actor' | 'user' | 'request'>,
  { id }: Pick<Project, 'id'>,
  target: Pick<Namespace, 'id'>,
): Promise<void> {
  const { db, clock, actor } = context
  // Loaded again under the lock, since either may have been moved in the meantime.
  await lockAccessRecomputation(db)
  const project = await getProject(db, actor, id)
  const namespace = await findNamespace(db, target.id)
  if (!namespace) throw notFound('Namespace')
  if (namespace.id === project.namespace_id) throw failed('Project is already in this namespace.')
  if (!(await mayTransferProjectInto(context, namespace))) {
    throw failed("You don't have permission to transfer projects into that namespace.")
  }
  const { name, path } = project
  const taken = await findTakenNameOrPath(db, { namespace_id: namespace.id, name, path })
  if (taken.name || taken.path) throw failed(takenText)
  const isFree = await changeProjectFullPath(context, project, `${namespace.full_path}/${path}`)
  if (!isFree) throw failed(takenText)
  await place(db, project, {
    namespace_id: namespace.id,
    visibility: boundedBy(namespace, project.visibility),
    updated_at: timestamp(clock),
  })
  await recordAuditEvent(context, {
    action: 'project_transferred',
    entity: { kind: 'project', id: project.id },
    details: {
      changes: { full_path: { from: project.full_path, to: `${namespace.full_path}/${path}` } },
    },
  })
  const old_path_with_namespace = project.full_path
  const change = { tx: db, clock, project_id: project.id, old_path_with_namespace }
  await projectChangedEffect.run({ ...change, action: 'transfer' })
  // The owner of a personal namespace is an Owner of each project in it.
  if (namespace.owner_id !== null) {
    const owner = { user_id: namespace.owner_id, created_by_id: context.user.id }
    await upsertOwnerMembership(db, { project_id: project.id, ...owner, now: timestamp(clock) })
  }
  await recomputeProjectAccess(db, [project.id], { today: today(clock) })
}

async function getProject(db: Db, actor: Actor, id: number): Promise<Project> {
  const found = await findVisibleProject(db, actor, { id })
  if (!found) throw notFound('Project')
  return found.project
}

/** Returns the error of a failed transfer, with the validation problems as Ruby prints them. */
function failed(text: string): ApiError {
  return invalid(`Failed to transfer project ${formatFieldErrors({ new_namespace: [text] })}`)
}

function boundedBy(namespace: Namespace, visibility: Visibility): Visibility {
  return namespace.kind === 'group'
    ? lowestVisibility([visibility, namespace.visibility])
    : visibility
}

async function place(
  db: Db,
  { id }: Project,
  changes: { namespace_id: number; visibility: Visibility; updated_at: string },
): Promise<void> {
  try {
    await updateProject(db, id, changes)
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    throw failed(takenText)
  }
}
