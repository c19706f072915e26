// Colours of the labels that issues and merge requests of a project can have, by their names.
import { useMemo } from 'preact/hooks'
import { user } from './session.ts'
import { useAllPages } from './use-api.ts'

const labelInput = (id: number) => ({ id, include_ancestor_groups: true, per_page: 100 })

/** Nothing for visitors, who may not list labels. */
export function useLabelColors(projectId: number | undefined): ReadonlyMap<string, string> {
  const { data } = useAllPages(
    'GET /projects/:id/labels',
    projectId === undefined || !user.value ? undefined : labelInput(projectId),
  )
  return useMemo(() => new Map(data?.map(({ name, color }) => [name, color])), [data])
}

/** Names of labels, whichever way a record tells them. */
export const namesOf = (labels: readonly (string | { name: string })[]): string[] =>
  labels.map((label) => (typeof label === 'string' ? label : label.name))
