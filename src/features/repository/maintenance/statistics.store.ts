import type { Db } from '../../../db/db.ts'

export async function upsertProjectStatistics(
  db: Db,
  statistics: {
    project_id: number
    commit_count: number
    repository_size: number
    readme_commit: string | null
    readme_path: string | null
    updated_at: string
  },
): Promise<void> {
  const { project_id: _, ...changes } = statistics
  await db
    .insertInto('project_statistics')
    .values(statistics)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(changes))
    .execute()
}
