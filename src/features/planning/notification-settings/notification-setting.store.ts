import type { Selectable } from 'kysely'
import type { Db, NotificationSettingTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'

export type NotificationSetting = Pick<
  Selectable<NotificationSettingTable>,
  'level' | 'events' | 'notification_email'
>

/** Whose settings, and where: everywhere without a project and a group. */
export type SettingPlace = { user_id: number; project_id?: number; namespace_id?: number }

function settingsAt(db: Db, { user_id, project_id, namespace_id }: SettingPlace) {
  return db
    .selectFrom('notification_settings')
    .where('user_id', '=', user_id)
    .where('project_id', project_id === undefined ? 'is' : '=', project_id ?? null)
    .where('namespace_id', namespace_id === undefined ? 'is' : '=', namespace_id ?? null)
}

export function findSetting(db: Db, place: SettingPlace): Promise<NotificationSetting | undefined> {
  return settingsAt(db, place).select(['level', 'events', 'notification_email']).executeTakeFirst()
}

/** Stores the setting in place of the one there is. */
export async function saveSetting(
  tx: Db,
  place: SettingPlace,
  { updated_at, ...setting }: NotificationSetting & { updated_at: string },
): Promise<void> {
  const fields = { ...setting, events: toJson(setting.events), updated_at }
  const row = await settingsAt(tx, place).select('id').executeTakeFirst()
  const { user_id, project_id = null, namespace_id = null } = place
  // Two requests at once may both find no row; the second changes the row of the first.
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
