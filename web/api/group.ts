// The group a page is below, as every page of it reads it.
import type { Answer } from './call.ts'
import { useApi } from './use-api.ts'

export type GroupRecord = Answer<'GET /groups/:id'>

/** The same read as the frame's, so that it is asked once. */
export const groupInput = (id: number) => ({ id, with_abilities: true, with_projects: false })

export function useGroup(id: number, { isAsked = true } = {}) {
  return useApi('GET /groups/:id', isAsked ? groupInput(id) : undefined)
}

/** Whether the caller may do what an ability names (docs/api/conventions.md, "Abilities"). */
export function mayInGroup(group: GroupRecord | undefined, ability: string): boolean {
  return (group?.abilities as Record<string, boolean> | undefined)?.[ability] ?? false
}
