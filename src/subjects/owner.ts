// What is planned in a project or for all of a group: labels, milestones, boards. The same for both of them.
import type { Actor } from '../access/actor.ts'
import type { Db } from '../db/db.ts'
import type { SubjectLoader } from '../http/endpoint.ts'
import { findGroup, type Group, groupLoader } from './group.ts'
import { findProject, isUnarchived, type Project, projectLoader } from './project.ts'

export type Owner = {
  id: number
  full_path: string
  /** The namespace whose own things and those above it serve here too. */
  namespace_id: number
  isUnarchived: boolean
} & ({ kind: 'project'; project: Project } | { kind: 'group'; group: Group })

export function ownerOfProject(project: Project): Owner & { kind: 'project' } {
  const { id, full_path, namespace_id } = project
  return {
    kind: 'project',
    id,
    full_path,
    namespace_id,
    isUnarchived: isUnarchived(project),
    project,
  }
}

export function ownerOfGroup(group: Group): Owner & { kind: 'group' } {
  const { id, full_path } = group
  return { kind: 'group', id, full_path, namespace_id: id, isUnarchived: true, group }
}

/** By the id it has as one or the other, with the actor's level on it, whether or not they see it. */
export async function findOwner(
  db: Db,
  actor: Actor,
  { kind, id }: Pick<Owner, 'kind' | 'id'>,
): Promise<{ owner: Owner; level: number } | undefined> {
  if (kind === 'project') {
    const found = await findProject(db, actor, { id })
    return found && { owner: ownerOfProject(found.project), level: found.level }
  }
  const found = await findGroup(db, actor, { id })
  return found && { owner: ownerOfGroup(found.group), level: found.level }
}

export const projectOwnerLoader: SubjectLoader<Owner> = {
  parameters: projectLoader.parameters,
  async load(request) {
    const { subject, level } = await projectLoader.load(request)
    return { subject: ownerOfProject(subject), level }
  },
}

export const groupOwnerLoader: SubjectLoader<Owner> = {
  parameters: groupLoader.parameters,
  async load(request) {
    const { subject, level } = await groupLoader.load(request)
    return { subject: ownerOfGroup(subject), level }
  },
}

/** The columns that say whose a row is. */
export function ownerIdColumns({ kind, id }: Pick<Owner, 'kind' | 'id'>) {
  return kind === 'project'
    ? { project_id: id, namespace_id: null }
    : { project_id: null, namespace_id: id }
}
