import { type Selectable, sql } from 'kysely'
import type { Db, PipelineLicenseTable } from '../../../db/db.ts'
import { encodeIdSet, idSetQuery, toJson } from '../../../db/dialect.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import type { FoundLicense } from './read-reported-licenses.ts'

export type PipelineLicense = Selectable<PipelineLicenseTable>

/** Returns what was last read for the pipeline; undefined if nothing was. */
export async function findLicenseScanSource(
  db: Db,
  pipeline_id: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('license_scans')
    .select('source')
    .where('pipeline_id', '=', pipeline_id)
    .executeTakeFirst()
  return row?.source
}

/** Returns all licences of a pipeline by name, at most `limits.pipeline_licenses.licenses_max`. */
export function listPipelineLicenseNames(
  db: Db,
  pipeline_id: number,
): Promise<Pick<PipelineLicense, 'id' | 'name' | 'spdx_identifier'>[]> {
  return db
    .selectFrom('pipeline_licenses')
    .select(['id', 'name', 'spdx_identifier'])
    .where('pipeline_id', '=', pipeline_id)
    .orderBy('id')
    .execute()
}

/** Returns licences by id, ordered by name. */
export function findPipelineLicensesByIds(
  db: Db,
  ids: readonly number[],
): Promise<PipelineLicense[]> {
  return db
    .selectFrom('pipeline_licenses')
    .selectAll()
    .where('id', 'in', sql<number>`(${idSetQuery(db, encodeIdSet(db, ids))})`)
    .orderBy('id')
    .execute()
}

const inserted_rows = 250

/** Replaces the licences of a pipeline. Concurrent calls run one at a time; the last one wins. */
export async function replacePipelineLicenses(
  tx: Db,
  scan: { pipeline_id: number; source: string; created_at: string },
  licenses: readonly FoundLicense[],
): Promise<void> {
  const { pipeline_id, source, created_at } = scan
  // This statement comes first, so that concurrent transactions for the pipeline wait here.
  await tx
    .insertInto('license_scans')
    .values(scan)
    .onConflict((conflict) => conflict.column('pipeline_id').doUpdateSet({ source, created_at }))
    .execute()
  await tx.deleteFrom('pipeline_licenses').where('pipeline_id', '=', pipeline_id).execute()
  for (const rows of splitIntoBatches(licenses, inserted_rows)) {
    await tx
      .insertInto('pipeline_licenses')
      .values(
        rows.map(({ dependencies, ...license }) => ({
          ...license,
          pipeline_id,
          dependencies: toJson(dependencies),
        })),
      )
      .execute()
  }
}
