// The project a page is below, as every page of it reads it.
import { getOrCreateCacheEntry, updateOptimistically } from './cache.ts'
import { type Answer, call } from './call.ts'
import { apiReadUrl, useApi } from './use-api.ts'

export type ProjectRecord = Answer<'GET /projects/:id'>

/** The same read as the frame's, so that it is asked once. */
export const projectInput = (id: number) => ({ id, with_abilities: true })

export function useProject(id: number, { isAsked = true } = {}) {
  return useApi('GET /projects/:id', isAsked ? projectInput(id) : undefined)
}

/** The project as it was last told; undefined before. */
export function findCachedProject(id: number): ProjectRecord | undefined {
  return getOrCreateCacheEntry<ProjectRecord>(apiReadUrl('GET /projects/:id', projectInput(id)))
    .answer?.data
}

/** Whether the caller may do what an ability names (docs/api/conventions.md, "Abilities"). */
export function mayInProject(project: ProjectRecord | undefined, ability: string): boolean {
  return (project?.abilities as Record<string, boolean> | undefined)?.[ability] ?? false
}

/** Shows the star at once, and takes it back if it is refused. Throws `Refusal`. */
export async function setStarred(project: ProjectRecord, isStarred: boolean): Promise<void> {
  const url = apiReadUrl('GET /projects/:id', projectInput(project.id))
  const takeBack = updateOptimistically<ProjectRecord>(url, (before) => ({
    ...before,
    starred: isStarred,
    star_count: before.star_count + (isStarred ? 1 : -1),
  }))
  try {
    await call(isStarred ? 'POST /projects/:id/star' : 'POST /projects/:id/unstar', {
      id: project.id,
    })
  } catch (error) {
    takeBack()
    throw error
  }
}
