import type { SelectQueryBuilder } from 'kysely'
import { type Actor, isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Db, Schema } from '../../../db/db.ts'
import { containsTextCondition } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { PageRange } from '../../../http/pagination.ts'

type Groups = SelectQueryBuilder<Schema, 'namespaces', object>

export type TransferLocationQuery = {
  /** The setting of groups that decides whether Maintainers suffice or only Owners qualify. */
  creationLevel: 'project_creation_level' | 'subgroup_creation_level'
  /** Excludes groups that do not qualify at any level of the caller. */
  narrow: (groups: Groups) => Groups
}

/** Returns a page of the groups that qualify, by name; all of them for an administrator. */
export async function listTransferLocations(
  db: Db,
  actor: Actor,
  { creationLevel, narrow, search }: TransferLocationQuery & { search: string | undefined },
  { offset, per_page }: PageRange,
) {
  let matching = narrow(
    db
      .selectFrom('namespaces')
      .where('namespaces.kind', '=', 'group')
      .where('namespaces.state', '=', 'ready'),
  )
  if (!isAdmin(actor)) {
    matching = matching.where((eb) =>
      eb.exists(
        eb
          .selectFrom('namespace_access')
          .select('namespace_access.user_id')
          .where('namespace_access.user_id', '=', actor.user?.id ?? 0)
          .whereRef('namespace_access.namespace_id', '=', 'namespaces.id')
          .where('namespace_access.access_level', '>=', Level.maintainer)
          .where((inner) =>
            inner.or([
              inner('namespace_access.access_level', '>=', Level.owner),
              inner(`namespaces.${creationLevel}`, '!=', 'owner'),
            ]),
          ),
      ),
    )
  }
  if (search) {
    matching = matching.where(
      containsTextCondition(db, ['namespaces.name', 'namespaces.path'], search),
    )
  }
  const rows = await matching
    .selectAll('namespaces')
    .orderBy('namespaces.name')
    .orderBy('namespaces.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('namespaces.id')) }
}
