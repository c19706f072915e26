import type { Db } from '../../../db/db.ts'
import type { AlertSettings } from './alert.ts'

export async function saveAlertSettings(
  tx: Db,
  project_id: number,
  { settings, now }: { settings: AlertSettings; now: string },
): Promise<void> {
  const row = { ...settings, updated_at: now }
  await tx
    .insertInto('alert_settings')
    .values({ project_id, ...row })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute()
}
