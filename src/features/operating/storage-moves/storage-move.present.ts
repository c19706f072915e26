import { type Static, Type } from 'typebox'
import { nullableText } from '../../../http/schema.ts'
import type { MovedKind, StorageMove } from './storage-move.store.ts'

const common = {
  id: Type.Integer(),
  created_at: Type.String(),
  state: Type.String(),
  source_storage_name: Type.String(),
  destination_storage_name: Type.String(),
}

export const GroupMoveJson = Type.Object({
  ...common,
  group: Type.Object({ id: Type.Integer(), web_url: Type.String(), name: Type.String() }),
})

export const ProjectMoveJson = Type.Object({
  ...common,
  project: Type.Object({
    id: Type.Integer(),
    description: nullableText,
    name: Type.String(),
    name_with_namespace: Type.String(),
    path: Type.String(),
    path_with_namespace: Type.String(),
    created_at: Type.String(),
  }),
})

export const moveJson = {
  group: GroupMoveJson,
  project: ProjectMoveJson,
} as const satisfies Record<MovedKind, unknown>

export function presentMove(
  move: StorageMove,
  baseUrl: string,
): Static<typeof GroupMoveJson> | Static<typeof ProjectMoveJson> {
  const { id, created_at, state, source_storage_name, destination_storage_name, moved, name } = move
  const shared = { id, created_at, state, source_storage_name, destination_storage_name }
  if (moved.kind === 'group') {
    const web_url = `${baseUrl}/groups/${move.full_path}`
    return { ...shared, group: { id: moved.id, web_url, name } }
  }
  return {
    ...shared,
    project: {
      id: moved.id,
      description: move.description,
      name,
      name_with_namespace: move.full_name,
      path: move.path,
      path_with_namespace: move.full_path,
      created_at: move.moved_created_at,
    },
  }
}
