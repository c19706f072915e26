import { type Actor, isAdmin } from '../../access/actor.ts'
import { Level } from '../../access/level.ts'
import type { Db } from '../../db/db.ts'
import { containsText } from '../../db/dialect.ts'
import { countRows } from '../../db/paginate.ts'
import type { Namespace } from '../namespaces/namespace.ts'

/** One page of the groups a project may be moved into, by the rules of mayTransferInto. */
export async function listTransferLocations(
  db: Db,
  actor: Actor,
  { namespace_id, search }: { namespace_id: number; search?: string },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Namespace[]; total: number | undefined }> {
  let matching = db
    .selectFrom('namespaces')
    .where('namespaces.kind', '=', 'group')
    .where('namespaces.state', '=', 'ready')
    .where('namespaces.project_creation_level', '!=', 'noone')
    .where('namespaces.id', '!=', namespace_id)
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
              inner('namespaces.project_creation_level', '!=', 'owner'),
              inner('namespace_access.access_level', '>=', Level.owner),
            ]),
          ),
      ),
    )
  }
  if (search) {
    matching = matching.where((eb) =>
      eb.or([containsText('namespaces.name', search), containsText('namespaces.path', search)]),
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
