// The seven fields by which other records name their project.
import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../http/schema.ts'

export const projectIdentityFields = {
  id: Type.Integer(),
  description: nullableText,
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  created_at: Type.String(),
}
export const ProjectIdentityJson = namedObject('ProjectIdentity', projectIdentityFields)

/** Returns the name and path fields of a project, with those of the group or user above it. */
export function presentProjectIdentity(
  project: {
    id: number
    description: string | null
    name: string
    path: string
    created_at: string
  },
  above: { full_path: string; full_name: string },
): Static<typeof ProjectIdentityJson> {
  const { id, description, name, path, created_at } = project
  return {
    id,
    description,
    name,
    name_with_namespace: `${above.full_name} / ${name}`,
    path,
    path_with_namespace: `${above.full_path}/${path}`,
    created_at,
  }
}
