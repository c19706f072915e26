// What the server makes of the signatures of commits that are shown. The rows do not wait for it.
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'

type Signature = NonNullable<Answer<'GET /projects/:id/repository/signatures'>[number]['signature']>

/** As many as the server tells at once. */
const commits_max = 100

/** By the hash of their commit; those without one are left out. */
export function useSignatures(
  projectId: number,
  commits: readonly { id: string }[],
): ReadonlyMap<string, Signature> {
  const shas = commits.slice(0, commits_max).map(({ id }) => id)
  const { data } = useApi(
    'GET /projects/:id/repository/signatures',
    shas.length > 0 ? { id: projectId, shas } : undefined,
  )
  return new Map(data?.flatMap(({ sha, signature }) => (signature ? [[sha, signature]] : [])))
}
