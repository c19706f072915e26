import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, HookDeliveryTable, WebhookTable } from '../../../db/db.ts'
import { isForeignKeyViolation } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { PageRange } from '../../../http/pagination.ts'
import type { Webhook } from './webhook.ts'

/** The owner of webhooks; `system` for those of the instance. */
export type WebhookOwner = { kind: 'project' | 'group' | 'system'; id: number }
export type WebhookDeliveryRow = Selectable<HookDeliveryTable>

function hooksOf(db: Db, { kind, id }: WebhookOwner) {
  const query = db.selectFrom('webhooks')
  if (kind === 'project') return query.where('project_id', '=', id)
  if (kind === 'group') return query.where('namespace_id', '=', id)
  return query.where('project_id', 'is', null).where('namespace_id', 'is', null)
}

/** Returns one page of the owner's webhooks in the order of their creation. */
export async function listWebhooks(
  db: Db,
  owner: WebhookOwner,
  { offset, per_page }: PageRange,
): Promise<{ rows: Webhook[]; total: number | undefined }> {
  const matching = hooksOf(db, owner)
  const rows = await matching.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

export function findOwnerWebhook(
  db: Db,
  owner: WebhookOwner,
  id: number,
): Promise<Webhook | undefined> {
  return hooksOf(db, owner).selectAll().where('id', '=', id).executeTakeFirst()
}

export function findWebhook(db: Db, id: number): Promise<Webhook | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether the owner has that many webhooks. */
export async function hasWebhooksAtLeast(
  db: Db,
  owner: WebhookOwner,
  count: number,
): Promise<boolean> {
  const row = await hooksOf(db, owner)
    .select('id')
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function insertWebhook(
  db: Db,
  { kind, id }: WebhookOwner,
  webhook: Insertable<WebhookTable>,
): Promise<Webhook> {
  return db
    .insertInto('webhooks')
    .values({
      ...webhook,
      project_id: kind === 'project' ? id : null,
      namespace_id: kind === 'group' ? id : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateWebhook(
  db: Db,
  id: number,
  changes: Updateable<WebhookTable>,
): Promise<Webhook> {
  return db
    .updateTable('webhooks')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteWebhook(db: Db, id: number): Promise<void> {
  await db.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** Counts a failed delivery and returns the number of failures in a row; undefined if the webhook was deleted. */
export async function incrementWebhookFailures(db: Db, id: number): Promise<number | undefined> {
  const row = await db
    .updateTable('webhooks')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('id', '=', id)
    .returning('failures')
    .executeTakeFirst()
  return row?.failures
}

export async function pauseWebhook(db: Db, id: number, disabled_until: string): Promise<void> {
  await db.updateTable('webhooks').set({ disabled_until }).where('id', '=', id).execute()
}

/** Resets the failures of a webhook, and enables it, after a successful delivery. */
export async function resetWebhookFailures(db: Db, id: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failures: 0, disabled_until: null })
    .where('id', '=', id)
    .where('failures', '>', 0)
    .execute()
}

/** Inserts a delivery. Does nothing if the webhook was deleted meanwhile. */
export async function insertWebhookDelivery(
  db: Db,
  delivery: Insertable<HookDeliveryTable>,
): Promise<void> {
  try {
    await db.insertInto('hook_deliveries').values(delivery).execute()
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
  }
}

/** Returns one page of the deliveries of a webhook, newest first, on request only with certain statuses. */
export async function listWebhookDeliveries(
  db: Db,
  {
    webhook_id,
    since,
    statuses,
  }: { webhook_id: number; since: string; statuses?: HttpStatusRange[] },
  { offset, per_page }: PageRange,
): Promise<{ rows: WebhookDeliveryRow[]; total: number | undefined }> {
  let matching = db
    .selectFrom('hook_deliveries')
    .where('webhook_id', '=', webhook_id)
    .where('created_at', '>', since)
  if (statuses) {
    matching = matching.where((eb) =>
      eb.or(
        statuses.map(({ from, to }) =>
          eb.and([eb('response_status', '>=', from), eb('response_status', '<=', to)]),
        ),
      ),
    )
  }
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

/** A range of HTTP statuses, both ends inclusive. */
export type HttpStatusRange = { from: number; to: number }

export function findWebhookDelivery(
  db: Db,
  { webhook_id, id }: { webhook_id: number; id: number },
): Promise<WebhookDeliveryRow | undefined> {
  return db
    .selectFrom('hook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes at most `limit` deliveries up to `until`, the oldest first. */
export async function deleteOldWebhookDeliveries(
  db: Db,
  { until, limit }: { until: string; limit: number },
): Promise<void> {
  const old = await db
    .selectFrom('hook_deliveries')
    .select('id')
    .where('created_at', '<=', until)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  // Usually there is nothing to delete. Then no write transaction is opened.
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await db.deleteFrom('hook_deliveries').where('id', 'in', ids).execute()
}
