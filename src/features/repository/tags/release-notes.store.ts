import type { Db } from '../../../db/db.ts'

/** Returns the descriptions of the releases of these tags, by tag name. */
export async function findReleaseNotes(
  db: Db,
  project_id: number,
  names: readonly string[],
): Promise<Map<string, { description: string | null }>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('releases')
    .select(['tag', 'description'])
    .where('project_id', '=', project_id)
    .where('tag', 'in', names)
    .execute()
  return new Map(rows.map(({ tag, description }) => [tag, { description }]))
}
