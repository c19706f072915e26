// Filters and orders of lists of alerts (docs/api/alerts.md, "Lists").
import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { containsTextCondition } from '../../../db/dialect.ts'
import { countRows, totalFromPage } from '../../../db/paginate.ts'
import type { Alert } from './alert.store.ts'
import { type AlertSeverity, type AlertStatus, alertSeverities, alertStatuses } from './alert.ts'

export const alertOrders = [
  'started_at',
  'ended_at',
  'created_at',
  'updated_at',
  'events',
  'severity',
  'status',
] as const

export type AlertFilter = {
  status?: readonly AlertStatus[]
  severity?: readonly AlertSeverity[]
  search?: string
  assignee_username?: string
}
export type AlertOrder = { by: (typeof alertOrders)[number]; sort: 'asc' | 'desc' }

/** An alert without its payload, with its environment and its incident. */
export type ListedAlert = Omit<Alert, 'payload'> & {
  environment_name: string | null
  issue_iid: number | null
  issue_state: string | null
}

const columns = [
  'alerts.id',
  'alerts.project_id',
  'alerts.iid',
  'alerts.title',
  'alerts.description',
  'alerts.service',
  'alerts.monitoring_tool',
  'alerts.hosts',
  'alerts.severity',
  'alerts.status',
  'alerts.started_at',
  'alerts.ended_at',
  'alerts.events',
  'alerts.fingerprint',
  'alerts.environment_id',
  'alerts.issue_id',
  'alerts.created_at',
  'alerts.updated_at',
] as const

/** Adds the environments and incidents of alerts. */
function shown(query: ReturnType<typeof matchingAlerts>) {
  return query
    .leftJoin('environments', 'environments.id', 'alerts.environment_id')
    .leftJoin('issuables', 'issuables.id', 'alerts.issue_id')
    .select([
      ...columns,
      'environments.name as environment_name',
      'issuables.iid as issue_iid',
      'issuables.state as issue_state',
    ])
}

/**
 * Returns one page of a project's alerts and their total (undefined if more than are counted). Ordered by end time,
 * alerts without one come last.
 */
export async function listAlerts(
  db: Db,
  { project_id, filter, order }: { project_id: number; filter: AlertFilter; order: AlertOrder },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ListedAlert[]; total: number | undefined }> {
  const matching = matchingAlerts(db, project_id, filter)
  const inOrder = orderOf(order)
  // The inner query sorts ids only, so that the wide rows of earlier pages are not read.
  const page = matching.select('alerts.id').orderBy(inOrder).limit(per_page).offset(offset)
  const rows = await shown(db.selectFrom('alerts').where('alerts.id', 'in', page))
    .orderBy(inOrder)
    .execute()
  const found = { found: rows.length, offset, per_page }
  const total = await totalFromPage(found, () => countRows(db, matching.select('alerts.id')))
  return { rows, total }
}

function orderOf({ by, sort }: AlertOrder) {
  const direction = sql.raw(sort)
  const open = by === 'ended_at' ? sql`alerts.ended_at is null, ` : sql``
  return sql`${open}${sql.ref(`alerts.${by}`)} ${direction}, alerts.id ${direction}`
}

/** Returns an alert as in lists, with its payload. */
export function findListedAlertWithPayload(
  db: Db,
  project_id: number,
  iid: number,
): Promise<(ListedAlert & Pick<Alert, 'payload'>) | undefined> {
  return shown(matchingAlerts(db, project_id, {}))
    .select('alerts.payload')
    .where('alerts.iid', '=', iid)
    .executeTakeFirst()
}

const searchedColumns = [
  'alerts.title',
  'alerts.description',
  'alerts.monitoring_tool',
  'alerts.service',
]

function matchingAlerts(db: Db, project_id: number, filter: AlertFilter) {
  let query = db.selectFrom('alerts').where('alerts.project_id', '=', project_id)
  const { status, severity, search, assignee_username } = filter
  if (status?.length)
    query = query.where('alerts.status', 'in', numbersOf<Alert['status']>(alertStatuses, status))
  if (severity?.length) {
    query = query.where(
      'alerts.severity',
      'in',
      numbersOf<Alert['severity']>(alertSeverities, severity),
    )
  }
  if (search) {
    query = query.where(containsTextCondition(db, searchedColumns, search))
  }
  if (assignee_username !== undefined) {
    query = query.where('alerts.id', 'in', (eb) =>
      eb
        .selectFrom('alert_assignees')
        .innerJoin('users', 'users.id', 'alert_assignees.user_id')
        .select('alert_id')
        .where(sql`lower(users.username)`, '=', assignee_username.toLowerCase()),
    )
  }
  return query
}

/** Returns the numbers under which names are stored. */
function numbersOf<Value extends number>(
  all: readonly string[],
  names: readonly string[],
): Value[] {
  return names.map((name) => all.indexOf(name) as Value)
}
