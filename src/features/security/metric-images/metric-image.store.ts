import type { Insertable, Selectable, Updateable } from 'kysely'
import type { AlertMetricImageTable, Db } from '../../../db/db.ts'

type Row = Selectable<AlertMetricImageTable>
/** An image with its upload. */
export type MetricImage = Row & { file_name: string; secret: string }

function imagesOf(db: Db, alert_id: number) {
  return db
    .selectFrom('alert_metric_images')
    .innerJoin('uploads', 'uploads.id', 'alert_metric_images.upload_id')
    .selectAll('alert_metric_images')
    .select(['uploads.file_name', 'uploads.secret'])
    .where('alert_id', '=', alert_id)
}

/** Returns all images of an alert in the order they were added; a limit bounds their number. */
export function listMetricImages(db: Db, alert_id: number): Promise<MetricImage[]> {
  return imagesOf(db, alert_id).orderBy('alert_metric_images.id').execute()
}

export function findMetricImage(
  db: Db,
  { alert_id, id }: Pick<Row, 'alert_id' | 'id'>,
): Promise<MetricImage | undefined> {
  return imagesOf(db, alert_id).where('alert_metric_images.id', '=', id).executeTakeFirst()
}

/** Inserts an image and returns the id of its row. */
export async function insertMetricImage(
  tx: Db,
  row: Insertable<AlertMetricImageTable>,
): Promise<number> {
  const { id } = await tx
    .insertInto('alert_metric_images')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateMetricImage(
  tx: Db,
  id: number,
  changes: Pick<Updateable<AlertMetricImageTable>, 'url' | 'url_text'>,
): Promise<void> {
  await tx.updateTable('alert_metric_images').set(changes).where('id', '=', id).execute()
}
