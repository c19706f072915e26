import { type Static, Type } from 'typebox'
import { namedObject, nullable } from '../../../http/schema.ts'
import { GroupLinkJson } from '../../../subjects/group-summary.ts'
import { ProjectIdentityJson, presentProjectIdentity } from '../../../subjects/project-identity.ts'
import type { MovedSubjectKind, StorageMove } from './storage-move.store.ts'

const common = {
  id: Type.Integer(),
  created_at: Type.String(),
  state: Type.String(),
  source_storage_name: Type.String(),
  destination_storage_name: Type.String(),
  percent: nullable(
    Type.Integer({
      description:
        'How much is copied and compared, from 0 to 100; null before, and after a failure.',
    }),
  ),
  problem: nullable(Type.String({ description: 'Why the move or its cleanup failed.' })),
}

export const GroupMoveJson = namedObject('GroupStorageMove', {
  ...common,
  group: GroupLinkJson,
})

export const ProjectMoveJson = namedObject('ProjectStorageMove', {
  ...common,
  project: ProjectIdentityJson,
})

export const moveJson = {
  group: GroupMoveJson,
  project: ProjectMoveJson,
} as const satisfies Record<MovedSubjectKind, unknown>

function percentOf({ state, percent }: StorageMove): number | null {
  if (state === 'started') return percent
  return state === 'replicated' || state === 'finished' || state === 'cleanup failed' ? 100 : null
}

export function presentMove(
  move: StorageMove,
  baseUrl: string,
): Static<typeof GroupMoveJson> | Static<typeof ProjectMoveJson> {
  const { id, created_at, state, source_storage_name, destination_storage_name, moved, name } = move
  const shared = {
    ...{ id, created_at, state, source_storage_name, destination_storage_name },
    percent: percentOf(move),
    problem: move.problem,
  }
  if (moved.kind === 'group') {
    const web_url = `${baseUrl}/groups/${move.full_path}`
    return { ...shared, group: { id: moved.id, web_url, name } }
  }
  const { description, path, above } = move
  const project = { id: moved.id, description, name, path, created_at: move.moved_created_at }
  return { ...shared, project: presentProjectIdentity(project, above) }
}
