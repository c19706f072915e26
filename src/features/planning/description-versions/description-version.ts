// The description of an issue or merge request after each change.
import type { Selectable } from 'kysely'
import type { Db, DescriptionVersionTable } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'

export type DescriptionVersion = Pick<
  Selectable<DescriptionVersionTable>,
  'id' | 'description' | 'created_at'
> & { previous_description: string | null }

/** Records a change of the description under its system note. The row of the issue or merge request is locked. */
export async function addDescriptionVersion(
  tx: Db,
  {
    issuable_id,
    note_id,
    before,
    after,
    now,
  }: {
    issuable_id: number
    note_id: number
    before: string | null
    after: string | null
    now: string
  },
): Promise<void> {
  const ofIssuable = tx
    .selectFrom('description_versions')
    .select('id')
    .where('issuable_id', '=', issuable_id)
  const known = await ofIssuable.limit(1).executeTakeFirst()
  const version = { issuable_id, created_at: now }
  await tx
    .insertInto('description_versions')
    .values([
      ...(known ? [] : [{ ...version, note_id: null, description: before }]),
      { ...version, note_id, description: after },
    ])
    .execute()
  if (!known) return
  await tx
    .deleteFrom('description_versions')
    .where('issuable_id', '=', issuable_id)
    .where(
      'id',
      '<=',
      ofIssuable.orderBy('id', 'desc').limit(1).offset(limits.description_versions_max),
    )
    .execute()
}

/**
 * Returns the version that belongs to a note, with the text before it. Returns undefined for other notes, for a deleted
 * version, and for the oldest version, which has nothing to compare with.
 */
export function findDescriptionVersion(
  db: Db,
  note_id: number,
): Promise<DescriptionVersion | undefined> {
  return db
    .selectFrom('description_versions as version')
    .innerJoin('description_versions as previous', (join) =>
      join.on('previous.id', '=', (eb) =>
        eb
          .selectFrom('description_versions as other')
          .select(({ fn }) => fn.max('other.id').as('id'))
          .whereRef('other.issuable_id', '=', 'version.issuable_id')
          .whereRef('other.id', '<', 'version.id'),
      ),
    )
    .select(['version.id', 'version.description', 'version.created_at'])
    .select('previous.description as previous_description')
    .where('version.note_id', '=', note_id)
    .executeTakeFirst()
}

/** Deletes a version. The next version is then compared with the one before the deleted one. */
export async function deleteDescriptionVersion(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('description_versions').where('id', '=', id).execute()
}
