// The variables that jobs of a project are given by the instance, its groups and itself.
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
 * One of each key, in the order in which later ones win: instance, groups from the outermost inwards, project
 * (docs/api/ci.md, "Variables"). Protected ones only for a protected reference; those of an environment scope
 * only where it fits, the longest scope first.
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
    // Set anew, so that the order is that of what counts.
    found.delete(key)
    found.set(key, { key, value: openSecret(secretKey, value), variable_type, masked, raw })
  }
  return [...found.values()]
}
