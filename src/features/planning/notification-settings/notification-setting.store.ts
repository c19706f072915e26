import type { Selectable } from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import { visibleNamespaceCondition, visibleProjectCondition } from '../../../access/visibility.ts'
import type { Db, NotificationSettingTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'

export type NotificationSetting = Pick<
  Selectable<NotificationSettingTable>,
  'level' | 'events' | 'notification_email'
>

/** The user, and the project or group of the setting; without either it is the global setting. */
export type NotificationSettingPlace = {
  user_id: number
  project_id?: number
  namespace_id?: number
}

function settingsAt(db: Db, { user_id, project_id, namespace_id }: NotificationSettingPlace) {
  return db
    .selectFrom('notification_settings')
    .where('user_id', '=', user_id)
    .where('project_id', project_id === undefined ? 'is' : '=', project_id ?? null)
    .where('namespace_id', namespace_id === undefined ? 'is' : '=', namespace_id ?? null)
}

export function findNotificationSetting(
  db: Db,
  place: NotificationSettingPlace,
): Promise<NotificationSetting | undefined> {
  return settingsAt(db, place).select(['level', 'events', 'notification_email']).executeTakeFirst()
}

/**
 * Returns one page of the projects and groups for which the user has a level of their own, by name, if they can still see
 * them.
 */
export async function listPlacesWithNotificationSetting(
  db: Db,
  user: NonNullable<Viewer['user']>,
  { offset, per_page }: { offset: number; per_page: number },
) {
  const matching = db
    .selectFrom('notification_settings as setting')
    .leftJoin('projects', 'projects.id', 'setting.project_id')
    .leftJoin('namespaces as home', 'home.id', 'projects.namespace_id')
    .leftJoin('namespaces', 'namespaces.id', 'setting.namespace_id')
    .where('setting.user_id', '=', user.id)
    .where('setting.level', '<>', 'global')
    .where((eb) =>
      eb.or([
        eb.and([eb('projects.state', '=', 'ready'), visibleProjectCondition({ user })(eb)]),
        eb.and([eb('namespaces.state', '=', 'ready'), visibleNamespaceCondition({ user })(eb)]),
      ]),
    )
  const rows = await matching
    .select([
      'setting.level',
      'setting.events',
      'projects.id as project_id',
      'projects.name as project_name',
      'projects.path as project_path',
      'home.full_name as home_name',
      'home.full_path as home_path',
      'namespaces.id as namespace_id',
      'namespaces.full_name',
      'namespaces.full_path',
    ])
    .orderBy((eb) => eb.fn.coalesce('home.full_path', 'namespaces.full_path'))
    .orderBy('setting.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('setting.id')) }
}

/** Stores the setting, and replaces an existing one. */
export async function upsertNotificationSetting(
  tx: Db,
  place: NotificationSettingPlace,
  { updated_at, ...setting }: NotificationSetting & { updated_at: string },
): Promise<void> {
  const fields = { ...setting, events: toJson(setting.events), updated_at }
  const row = await settingsAt(tx, place).select('id').executeTakeFirst()
  const { user_id, project_id = null, namespace_id = null } = place
  // If no row exists yet, one is inserted below. If a concurrent request inserts one first, that one stays.
  const { numUpdatedRows } = await tx
    .updateTable('notification_settings')
    .set(fields)
    .where('id', '=', row?.id ?? 0)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return
  await tx
    .insertInto('notification_settings')
    .values({ user_id, project_id, namespace_id, ...fields })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
