import type { Db } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'
import { type IssuableListRequest, matchingIssuablesQuery } from '../issuables/list-issuables.ts'

type BurndownEvent = {
  created_at: string
  weight: number | null
  action: 'created' | 'closed' | 'reopened'
}

/**
 * Returns when the requested issues were created, closed and reopened between the two days, in order of time
 * (docs/api/milestones.md, "Burndown").
 */
export async function listBurndownEvents(
  db: Db,
  {
    asked,
    start_date,
    due_date,
  }: { asked: IssuableListRequest; start_date: string; due_date: string },
): Promise<BurndownEvent[]> {
  const from = `${start_date}T00:00:00.000Z`
  const until = `${due_date}T23:59:59.999Z`
  const matching = await matchingIssuablesQuery(db, asked)
  const made = await matching
    .select(['issuables.created_at', 'issuables.weight'])
    .where('issuables.created_at', '>=', from)
    .where('issuables.created_at', '<=', until)
    .orderBy('issuables.created_at')
    .limit(limits.burndown_events_max)
    .execute()
  const changed = await matching
    .innerJoin('resource_events', 'resource_events.issuable_id', 'issuables.id')
    .select(['resource_events.created_at', 'resource_events.action', 'issuables.weight'])
    .where('resource_events.kind', '=', 'state')
    .where('resource_events.created_at', '>=', from)
    .where('resource_events.created_at', '<=', until)
    .orderBy('resource_events.id')
    .limit(limits.burndown_events_max)
    .execute()
  const events: BurndownEvent[] = [
    ...made.map((row) => ({ ...row, action: 'created' as const })),
    ...changed.map(({ created_at, weight, action }) => ({
      created_at,
      weight,
      action: action === 'reopened' ? ('reopened' as const) : ('closed' as const),
    })),
  ]
  return events.sort((a, b) =>
    a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at),
  )
}
