// Public functions of deployments: environments that jobs name, and their deployments.
import { hash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { parseDuration_s } from '../../../ci/durations.ts'
import type { PlannedEnvironment } from '../../../ci/planned.ts'
import type { Db, DeploymentTable, EnvironmentTable } from '../../../db/db.ts'
import { slugForCiVariable } from '../pipelines/pipeline-variables.ts'

const tiers = ['production', 'staging', 'testing', 'development', 'other'] as const

type Tier = EnvironmentTable['tier']

/** Returns the slug of an environment; empty if it was deleted. */
export async function findEnvironmentSlug(db: Db, id: number): Promise<string> {
  const row = await db
    .selectFrom('environments')
    .select('slug')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.slug ?? ''
}

/**
 * Returns a slug of at most 24 characters that is valid in a host name. If the name has to be changed, the slug ends in a
 * hash of it.
 */
export function environmentSlug(name: string): string {
  const plain = slugForCiVariable(name)
  if (plain === name && plain.length <= 24 && /^[a-z]/.test(plain)) return plain
  const lettered = /^[a-z]/.test(plain) ? plain : `env-${plain}`
  const digest = Number.parseInt(hash('sha256', name).slice(0, 12), 16).toString(36).slice(0, 6)
  let start = lettered.slice(0, 17)
  while (start.endsWith('-')) start = start.slice(0, -1)
  return `${start}-${digest}`
}

/** Derives the tier of an environment from words in its name (docs/api/ci.md, "Environments"). */
export function guessEnvironmentTier(name: string): Tier {
  const text = name.toLowerCase()
  const has = (...words: string[]) => words.some((word) => text.includes(word))
  if (has('dev', 'review', 'trunk')) return 'development'
  if (has('test', 'tst', 'int', 'acceptance', 'acpt', 'qa', 'qc', 'control', 'quality'))
    return 'testing'
  if (has('stg', 'staging', 'stage', 'mod', 'pre', 'demo')) return 'staging'
  if (has('prod', 'prd', 'live')) return 'production'
  return 'other'
}

/** Updates the environment after a successful job: deployed to, or stopped. */
export async function updateEnvironmentAfterJob(
  tx: Db,
  {
    environment_id,
    environment,
    now,
  }: { environment_id: number; environment: PlannedEnvironment; now: string },
): Promise<void> {
  const { action, url, auto_stop_in } = environment
  if (action !== 'start' && action !== 'stop') return
  const span_s = auto_stop_in === undefined ? null : parseDuration_s(auto_stop_in)
  const auto_stop_at = span_s ? new Date(Date.parse(now) + span_s * 1000).toISOString() : null
  await tx
    .updateTable('environments')
    .set(
      action === 'stop'
        ? { state: 'stopped', auto_stop_at: null, updated_at: now }
        : {
            state: 'available',
            auto_stop_at,
            updated_at: now,
            ...(url ? { external_url: url } : {}),
          },
    )
    .where('id', '=', environment_id)
    .execute()
}

/** Whether the environment already has a newer deployment than the job's. */
export async function isOutdatedDeployment(db: Db, job_id: number): Promise<boolean> {
  const newer = await db
    .selectFrom('deployments')
    .innerJoin('deployments as later', (join) =>
      join
        .onRef('later.environment_id', '=', 'deployments.environment_id')
        .onRef('later.id', '>', 'deployments.id'),
    )
    .select('later.id')
    .where('deployments.job_id', '=', job_id)
    .where('later.status', '=', 'success')
    .limit(1)
    .executeTakeFirst()
  return newer !== undefined
}

/** Returns the id of the project's environment of this name, which is created, as available, if the project has none. */
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
      tier: tiers.find((known) => known === tier) ?? guessEnvironmentTier(name),
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
