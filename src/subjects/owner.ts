// The project or group that labels, milestones and boards belong to; they are the same for both.
import type { Actor } from '../access/actor.ts'
import type { Db } from '../db/db.ts'
import type { SubjectLoader } from '../http/endpoint.ts'
import { findGroup, type Group, groupLoader } from './group.ts'
import { findProject, isUnarchived, type Project, projectLoader } from './project.ts'

export type OwningProjectOrGroup = {
  id: number
  full_path: string
  /** The namespace whose own things and those above it serve here too. */
  namespace_id: number
  isUnarchived: boolean
} & ({ kind: 'project'; project: Project } | { kind: 'group'; group: Group })

export function projectAsOwner(project: Project): OwningProjectOrGroup & { kind: 'project' } {
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

export function groupAsOwner(group: Group): OwningProjectOrGroup & { kind: 'group' } {
  const { id, full_path } = group
  return { kind: 'group', id, full_path, namespace_id: id, isUnarchived: true, group }
}

/** Returns a project or group by id, with the actor's level on it, whether or not they can see it. */
export async function findOwningProjectOrGroup(
  db: Db,
  actor: Actor,
  { kind, id }: Pick<OwningProjectOrGroup, 'kind' | 'id'>,
): Promise<{ owner: OwningProjectOrGroup; level: number } | undefined> {
  if (kind === 'project') {
    const found = await findProject(db, actor, { id })
    return found && { owner: projectAsOwner(found.project), level: found.level }
  }
  const found = await findGroup(db, actor, { id })
  return found && { owner: groupAsOwner(found.group), level: found.level }
}

export const projectAsOwnerLoader: SubjectLoader<OwningProjectOrGroup> = {
  parameters: projectLoader.parameters,
  async load(request) {
    const { subject, level } = await projectLoader.load(request)
    return { subject: projectAsOwner(subject), level }
  },
}

export const groupAsOwnerLoader: SubjectLoader<OwningProjectOrGroup> = {
  parameters: groupLoader.parameters,
  async load(request) {
    const { subject, level } = await groupLoader.load(request)
    return { subject: groupAsOwner(subject), level }
  },
}

/** The columns with the owner of a row. */
export function ownerIdColumns({ kind, id }: Pick<OwningProjectOrGroup, 'kind' | 'id'>) {
  return kind === 'project'
    ? { project_id: id, namespace_id: null }
    : { project_id: null, namespace_id: id }
}
