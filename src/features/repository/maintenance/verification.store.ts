import { type Insertable, sql } from 'kysely'
import type { Db, ProjectVerificationTable } from '../../../db/db.ts'

export async function upsertProjectVerification(
  db: Db,
  { project_id, ...found }: Insertable<ProjectVerificationTable>,
): Promise<void> {
  await db
    .insertInto('project_verifications')
    .values({ project_id, ...found })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(found))
    .execute()
}

/** Returns at most `limit` projects that have not been verified since `before`, the longest ago first. */
export function listProjectsToVerify(
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<{ id: number }[]> {
  return db
    .selectFrom('projects')
    .leftJoin('project_verifications as last', 'last.project_id', 'projects.id')
    .select('projects.id')
    .where('projects.state', '=', 'ready')
    .where('projects.created_at', '<', before)
    .where((eb) => eb.or([eb('last.verified_at', 'is', null), eb('last.verified_at', '<', before)]))
    .orderBy(sql`coalesce(last.verified_at, projects.created_at)`)
    .limit(limit)
    .execute()
}
