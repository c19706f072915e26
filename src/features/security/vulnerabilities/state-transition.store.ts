import type { Insertable, Selectable } from 'kysely'
import type { Db, VulnerabilityStateTransitionTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type StateTransition = Selectable<VulnerabilityStateTransitionTable>

export async function insertStateTransition(
  tx: Db,
  transition: Insertable<VulnerabilityStateTransitionTable>,
): Promise<void> {
  await tx.insertInto('vulnerability_state_transitions').values(transition).execute()
}

/** Records that a scan has found resolved vulnerabilities again, by their UUIDs, before they are updated. */
export async function insertRedetectionTransitions(
  tx: Db,
  { project_id, uuids, now }: { project_id: number; uuids: readonly string[]; now: string },
): Promise<void> {
  await tx
    .insertInto('vulnerability_state_transitions')
    .columns(['vulnerability_id', 'from_state', 'to_state', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('vulnerabilities')
        .select(({ val }) => [
          'vulnerabilities.id',
          'vulnerabilities.state',
          val('detected').as('to_state'),
          val(now).as('created_at'),
        ])
        .where('vulnerabilities.project_id', '=', project_id)
        .where('vulnerabilities.uuid', 'in', [...uuids])
        .where('vulnerabilities.state', '=', 'resolved'),
    )
    .execute()
}

/** Returns one page of the changes of a vulnerability's state, newest first. */
export async function listStateTransitions(
  db: Db,
  vulnerability_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: StateTransition[]; total: number | undefined }> {
  const query = db
    .selectFrom('vulnerability_state_transitions')
    .where('vulnerability_id', '=', vulnerability_id)
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}
