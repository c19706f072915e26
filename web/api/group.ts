// The group a page is below, as every page of it reads it.
import { useApi } from './use-api.ts'

/** The same read as the frame's, so that it is asked once. */
export const groupInput = (id: number) => ({ id, with_abilities: true, with_projects: false })

export function useGroup(id: number, { isAsked = true } = {}) {
  return useApi('GET /groups/:id', isAsked ? groupInput(id) : undefined)
}
