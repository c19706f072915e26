// Public functions of wikis: their rows. Other files define pages and their changes.
import type { Insertable } from 'kysely'
import type { Db, WikiTable } from '../../../db/db.ts'
import { type OwningProjectOrGroup, ownerIdColumns } from '../../../subjects/owner.ts'
import { groupAndDescendantIdsQuery } from '../../../subjects/subtree.ts'
import { findWiki, type Wiki } from '../../../subjects/wiki.ts'

/** Returns the wiki of an owner, and creates its row if it is missing. */
export async function ensureWikiRow(
  db: Db,
  owner: Pick<OwningProjectOrGroup, 'kind' | 'id'>,
  { repository_storage, now }: { repository_storage: string; now: string },
): Promise<Wiki> {
  await db
    .insertInto('wikis')
    .values({ ...ownerIdColumns(owner), repository_storage, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const wiki = await findWiki(db, owner)
  if (!wiki)
    throw new Error(`The wiki of ${JSON.stringify(owner)} was deleted while it was being created.`)
  return wiki
}

export function findWikiById(db: Db, id: number): Promise<Wiki | undefined> {
  return db.selectFrom('wikis').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function updateWikiRow(
  db: Db,
  id: number,
  change: Partial<Pick<Insertable<WikiTable>, 'size' | 'updated_at'>>,
): Promise<void> {
  await db.updateTable('wikis').set(change).where('id', '=', id).execute()
}

/** Returns the wikis of a group and its subgroups. */
export function listWikisOfGroupAndDescendants(
  db: Db,
  groupId: number,
): Promise<{ id: number; repository_storage: string }[]> {
  return db
    .selectFrom('wikis')
    .select(['id', 'repository_storage'])
    .where('namespace_id', 'in', groupAndDescendantIdsQuery(db, groupId))
    .execute()
}
