import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { AlertTable, Db } from '../../../db/db.ts'
import { lockUntilCommit, timestampExpression, toJson } from '../../../db/dialect.ts'
import { allocateInternalIds } from '../../basics/internal-ids/internal-id.ts'
import { alertSeverities, alertStatuses, type ReceivedAlert, type RecordedAlert } from './alert.ts'

export type Alert = Selectable<AlertTable>

const resolved = alertStatuses.indexOf('resolved') as Alert['status']
const triggered = alertStatuses.indexOf('triggered') as Alert['status']

/** Exactly the conditions of the two partial indexes, which the query planner compares literally. */
const isOpen = sql<boolean>`status <> ${sql.lit(resolved)} and fingerprint is not null`
const isOver = sql<boolean>`status = ${sql.lit(resolved)} and fingerprint is not null`

/** The alerts of a request with the same fingerprint, and the first of them. */
export type AlertsOfFingerprint = {
  fingerprint: string | null
  first: ReceivedAlert
  alerts: ReceivedAlert[]
}

/** An alert that can be recognized by its fingerprint. */
export type RecordedAlertWithFingerprint = RecordedAlert & Pick<Alert, 'fingerprint'>
const recorded = ['id', 'iid', 'title', 'issue_id', 'fingerprint'] as const

/** An SQL expression that maps each fingerprint to its value, so that one statement updates many rows. */
function byFingerprint<Value>(values: ReadonlyMap<string, Value>): RawBuilder<Value> {
  const cases = [...values].map(([fingerprint, value]) => sql`when ${fingerprint} then ${value}`)
  return sql<Value>`case fingerprint ${sql.join(cases, sql` `)} end`
}

const alerts_lock = 50
const projects_max = 2 ** 40

/**
 * Serializes the recording and reopening of a project's alerts, so that no fingerprint gets two alerts and no
 * transactions lock rows in different orders.
 */
export function lockAlerts(tx: Db, project_id: number): Promise<void> {
  return lockUntilCommit(tx, alerts_lock * projects_max + project_id)
}

/** Increments the number of events of unresolved alerts; returns those alerts. */
export async function incrementAlertEvents(
  tx: Db,
  project_id: number,
  events: ReadonlyMap<string, number>,
): Promise<RecordedAlertWithFingerprint[]> {
  if (events.size === 0) return []
  const more = sql<number>`cast(${byFingerprint(events)} as integer)`
  return tx
    .updateTable('alerts')
    .set((eb) => ({ events: eb('events', '+', more) }))
    .where('project_id', '=', project_id)
    .where('fingerprint', 'in', [...events.keys()])
    .where(isOpen)
    .returning(recorded)
    .execute()
}

/** Resolves unresolved alerts, each at its end time; returns those alerts. */
export async function resolveAlerts(
  tx: Db,
  { project_id, now, ends }: { project_id: number; now: string; ends: ReadonlyMap<string, string> },
): Promise<RecordedAlertWithFingerprint[]> {
  if (ends.size === 0) return []
  return tx
    .updateTable('alerts')
    .set({
      status: resolved,
      ended_at: timestampExpression(tx, byFingerprint(ends)),
      updated_at: now,
    })
    .where('project_id', '=', project_id)
    .where('fingerprint', 'in', [...ends.keys()])
    .where(isOpen)
    .returning(recorded)
    .execute()
}

/** Returns alerts with these fingerprints that ended at one of these times. */
export async function listAlreadyResolvedAlerts(
  tx: Db,
  project_id: number,
  ends: ReadonlyMap<string, string>,
): Promise<(RecordedAlertWithFingerprint & Pick<Alert, 'started_at' | 'ended_at'>)[]> {
  if (ends.size === 0) return []
  return tx
    .selectFrom('alerts')
    .select([...recorded, 'started_at', 'ended_at'])
    .where('project_id', '=', project_id)
    .where('fingerprint', 'in', [...ends.keys()])
    .where('ended_at', 'in', [...new Set(ends.values())])
    .where(isOver)
    .execute()
}

/** Inserts alerts with consecutive numbers and returns them in the same order. Requires lockAlerts. */
export async function insertAlerts(
  tx: Db,
  {
    project_id,
    now,
    groups,
  }: { project_id: number; now: string; groups: readonly AlertsOfFingerprint[] },
): Promise<RecordedAlertWithFingerprint[]> {
  if (groups.length === 0) return []
  const environments = await findEnvironments(tx, project_id, groups)
  const first = await allocateInternalIds(tx, { project_id, usage: 'alerts', count: groups.length })
  const rows = groups.map(({ first: sent, alerts }, at) => {
    const { environment, severity, hosts, ...plain } = sent
    return {
      ...plain,
      project_id,
      iid: first + at,
      hosts: toJson(hosts),
      severity: alertSeverities.indexOf(severity) as Alert['severity'],
      status: sent.ended_at === null ? triggered : resolved,
      events: alerts.length,
      environment_id: environments.get(environment ?? '') ?? null,
      created_at: now,
      updated_at: now,
    }
  })
  const made = await tx.insertInto('alerts').values(rows).returning(recorded).execute()
  return made.toSorted((a, b) => a.iid - b.iid)
}

/** Returns the ids of existing environments by name. */
async function findEnvironments(
  tx: Db,
  project_id: number,
  groups: readonly AlertsOfFingerprint[],
): Promise<Map<string, number>> {
  const names = [...new Set(groups.flatMap(({ first }) => first.environment ?? []))]
  if (names.length === 0) return new Map()
  const rows = await tx
    .selectFrom('environments')
    .select(['id', 'name'])
    .where('project_id', '=', project_id)
    .where('name', 'in', names)
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

export function findAlert(
  db: Db,
  by: { id: number } | { project_id: number; iid: number },
): Promise<Alert | undefined> {
  const query = db.selectFrom('alerts').selectAll()
  const found =
    'id' in by
      ? query.where('id', '=', by.id)
      : query.where('project_id', '=', by.project_id).where('iid', '=', by.iid)
  return found.executeTakeFirst()
}

/** Returns an alert and locks it until the transaction ends. */
export function lockAlert(tx: Db, id: number): Promise<Alert | undefined> {
  return tx
    .updateTable('alerts')
    .set((eb) => ({ iid: eb.ref('iid') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Updates an alert. Throws the error of the database if another open alert has its fingerprint (see findViolatedIndex). */
export async function updateAlert(
  tx: Db,
  id: number,
  changes: Pick<Updateable<AlertTable>, 'status' | 'ended_at' | 'issue_id' | 'updated_at'>,
): Promise<void> {
  await tx.updateTable('alerts').set(changes).where('id', '=', id).execute()
}
