// The project a page is below, as every page of it reads it.
import { entryOf, showAhead } from './cache.ts'
import { type Answer, call } from './call.ts'
import { need, useApi } from './use-api.ts'

export type ProjectRecord = Answer<'GET /projects/:id'>

/** The same read as the frame's, so that it is asked once. */
export const projectInput = (id: number) => ({ id, with_abilities: true })

export function useProject(id: number, { isAsked = true } = {}) {
  return useApi('GET /projects/:id', isAsked ? projectInput(id) : undefined)
}

/** The project as it was last told; undefined before. */
export function knownProject(id: number): ProjectRecord | undefined {
  return entryOf<ProjectRecord>(need('GET /projects/:id', projectInput(id))).answer?.data
}

/** Whether the caller may do what an ability names (docs/api/conventions.md, "Abilities"). */
export function may(project: ProjectRecord | undefined, ability: string): boolean {
  return (project?.abilities as Record<string, boolean> | undefined)?.[ability] ?? false
}

/** Shows the star at once, and takes it back if it is refused. Throws `Refusal`. */
export async function star(project: ProjectRecord, isStarred: boolean): Promise<void> {
  const url = need('GET /projects/:id', projectInput(project.id))
  const takeBack = showAhead<ProjectRecord>(url, (before) => ({
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
