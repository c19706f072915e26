import type { Db } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Application } from './application.ts'

/** One page of all applications, in the order they were made. */
export async function listApplications(
  db: Db,
  page: { offset: number; per_page: number },
): Promise<{ rows: Application[]; total: number | undefined }> {
  const query = db.selectFrom('oauth_applications')
  const rows = await query
    .selectAll()
    .orderBy('id')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export async function countApplications(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('oauth_applications')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insertApplication(
  db: Db,
  { scopes, ...fields }: Omit<Application, 'id'>,
): Promise<Application> {
  return db
    .insertInto('oauth_applications')
    .values({ ...fields, scopes: toJson(scopes) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes an application with its codes and tokens; what was there, if it was. */
export function deleteApplication(db: Db, id: number): Promise<Application | undefined> {
  return db.deleteFrom('oauth_applications').where('id', '=', id).returningAll().executeTakeFirst()
}

/** Another secret in place of the one there was; the application, if there is one. */
export function replaceSecret(
  db: Db,
  id: number,
  secret_digest: string,
): Promise<Application | undefined> {
  return db
    .updateTable('oauth_applications')
    .set({ secret_digest })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
