// The group or project of members; everything else about members is the same for both.
import type { Actor } from '../../../access/actor.ts'
import {
  recomputeNamespaceAccess,
  recomputeProjectAccess,
} from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import type { SubjectLoader } from '../../../http/endpoint.ts'
import { type Clock, today } from '../../../kernel/clock.ts'
import { type Group, groupLoader } from '../../../subjects/group.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'

export type MemberSource = {
  kind: 'group' | 'project'
  id: number
  /** The id of the group, or of the namespace of the project. */
  namespace_id: number
}

export const groupMemberSourceLoader: SubjectLoader<MemberSource> = {
  parameters: groupLoader.parameters,
  async load(request) {
    const { subject, level } = await groupLoader.load(request)
    return { subject: groupSource(subject), level }
  },
}

export const projectMemberSourceLoader: SubjectLoader<MemberSource> = {
  parameters: projectLoader.parameters,
  async load(request) {
    const { subject, level } = await projectLoader.load(request)
    return { subject: projectSource(subject), level }
  },
}

function groupSource({ id }: Pick<Group, 'id'>): MemberSource {
  return { kind: 'group', id, namespace_id: id }
}

function projectSource({ id, namespace_id }: Pick<Project, 'id' | 'namespace_id'>): MemberSource {
  return { kind: 'project', id, namespace_id }
}

/** Returns the group or project that a row belongs to. */
export function memberSourceOfRow({
  namespace_id,
  project_id,
}: {
  namespace_id: number | null
  project_id: number | null
}): Pick<MemberSource, 'kind' | 'id'> {
  return project_id === null
    ? { kind: 'group', id: namespace_id ?? 0 }
    : { kind: 'project', id: project_id }
}

/** Recomputes access after a membership of the source changed. */
export async function recomputeMemberSourceAccess(
  db: Db,
  clock: Clock,
  source: MemberSource,
): Promise<void> {
  const scope = { today: today(clock) }
  if (source.kind === 'group') await recomputeNamespaceAccess(db, [source.id], scope)
  else await recomputeProjectAccess(db, [source.id], scope)
}

/** The caller and their level, which decides what they can see of the project or group. */
export type ActorWithLevel = { actor: Actor; level: number }
