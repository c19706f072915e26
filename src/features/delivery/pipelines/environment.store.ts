// The rows of environments and deployments as pipelines make them.
import { hash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db, DeploymentTable, EnvironmentTable } from '../../../db/db.ts'
import { slugOf } from './pipeline-variables.ts'

const tiers = ['production', 'staging', 'testing', 'development', 'other'] as const
type Tier = EnvironmentTable['tier']

/** The environment of that name, made available if there is none. */
export async function ensureEnvironment(
  tx: Db,
  {
    project_id,
    name,
    tier,
    now,
  }: { project_id: number; name: string; tier: string | undefined; now: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('environments')
    .values({
      project_id,
      name,
      slug: environmentSlug(name),
      state: 'available',
      tier: tiers.find((known) => known === tier) ?? guessTier(name),
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertDeployment(
  tx: Db,
  deployment: Insertable<DeploymentTable>,
): Promise<void> {
  await tx.insertInto('deployments').values(deployment).execute()
}

/** At most 24 characters that fit a host name; a name that must be changed for it ends in a digest of itself. */
export function environmentSlug(name: string): string {
  const plain = slugOf(name)
  if (plain === name && plain.length <= 24 && /^[a-z]/.test(plain)) return plain
  const lettered = /^[a-z]/.test(plain) ? plain : `env-${plain}`
  const digest = Number.parseInt(hash('sha256', name).slice(0, 12), 16).toString(36).slice(0, 6)
  let start = lettered.slice(0, 17)
  while (start.endsWith('-')) start = start.slice(0, -1)
  return `${start}-${digest}`
}

/** What an environment is for, by words in its name (docs/api/ci.md, "Environments"). */
export function guessTier(name: string): Tier {
  const text = name.toLowerCase()
  const has = (...words: string[]) => words.some((word) => text.includes(word))
  if (has('dev', 'review', 'trunk')) return 'development'
  if (has('test', 'tst', 'int', 'acceptance', 'acpt', 'qa', 'qc', 'control', 'quality'))
    return 'testing'
  if (has('stg', 'staging', 'stage', 'mod', 'pre', 'demo')) return 'staging'
  if (has('prod', 'prd', 'live')) return 'production'
  return 'other'
}
