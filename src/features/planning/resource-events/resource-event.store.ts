import type { Selectable } from 'kysely'
import type { Db, LabelTable, ResourceEventTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { findUsersByIds, type User } from '../../../subjects/user.ts'

type Event = Selectable<ResourceEventTable>
export type ResourceEvent = Event & {
  user: User | undefined
  label: Selectable<LabelTable> | undefined
}

type Of = { issuable_id: number; kind: Event['kind']; id?: number }

function eventsOf(db: Db, { issuable_id, kind, id }: Of) {
  return db
    .selectFrom('resource_events')
    .where('issuable_id', '=', issuable_id)
    .where('kind', '=', kind)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
}

/** Returns one page of events with the records that they refer to, oldest first: four queries in all. */
export async function listResourceEvents(
  db: Db,
  of: Of,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ResourceEvent[]; total: number | undefined }> {
  const matching = eventsOf(db, of)
  const rows = await matching.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  const users = await findUsersByIds(
    db,
    rows.map(({ user_id }) => user_id),
  )
  const labelIds = [0, ...rows.flatMap(({ label_id }) => label_id ?? [])]
  const labels =
    of.kind === 'label'
      ? await db.selectFrom('labels').selectAll().where('id', 'in', labelIds).execute()
      : []
  const total = of.id === undefined ? await countRows(db, matching.select('id')) : rows.length
  return {
    rows: rows.map((row) => ({
      ...row,
      user: row.user_id === null ? undefined : users.get(row.user_id),
      label: labels.find(({ id }) => id === row.label_id),
    })),
    total,
  }
}
