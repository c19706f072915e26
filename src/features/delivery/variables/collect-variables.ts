// Collects the variables of the instance, the groups and the project for jobs.
import type { Instance } from '../../../http/endpoint.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { matchesWildcard } from '../../../kernel/wildcard.ts'
import { listCiVariablesForProject } from './variable.store.ts'

export type CiVariable = {
  key: string
  value: string
  variable_type: 'env_var' | 'file'
  masked: boolean
  raw: boolean
}

/**
 * Returns the variables of instance, groups and project, one for each key; later ones override: instance, groups from the
 * outermost, project (docs/api/ci.md, "Variables"). Protected variables are included only for a protected ref, and those
 * with an environment scope only if it matches, the longest scope first.
 */
export async function collectCiVariables(
  { db, secretKey }: Pick<Instance, 'db' | 'secretKey'>,
  wanted: {
    project: { id: number; namespace_id: number }
    isProtected: boolean
    environment: string | undefined
  },
): Promise<CiVariable[]> {
  const rows = await listCiVariablesForProject(db, wanted.project)
  const fitting = rows
    .filter((row) => wanted.isProtected || !row.protected)
    .filter(
      ({ environment_scope: scope }) =>
        scope === '*' || matchesWildcard(scope, wanted.environment ?? ''),
    )
    .toSorted((a, b) => a.rank - b.rank || a.environment_scope.length - b.environment_scope.length)
  const found = new Map<string, CiVariable>()
  for (const { key, value, variable_type, masked, raw } of fitting) {
    // The key is deleted first, so that the map is ordered by the last assignment of each key.
    found.delete(key)
    found.set(key, { key, value: openSecret(secretKey, value), variable_type, masked, raw })
  }
  return [...found.values()]
}
