import type { Insertable } from 'kysely'
import type { Db, DeploymentTable } from '../../../db/db.ts'
import { environmentSlug, guessTier } from './environment.ts'

const tiers = ['production', 'staging', 'testing', 'development', 'other'] as const

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
