// Numbers that count within a project or group: the `iid` of records.
import type { Db, GroupInternalIdTable, InternalIdTable } from '../../../db/db.ts'

/**
 * The next number of its kind in a project; others who ask wait until the transaction ends, so that there are
 * no gaps.
 */
export function nextInternalId(
  tx: Db,
  project_id: number,
  usage: InternalIdTable['usage'],
): Promise<number> {
  return allocateInternalIds(tx, { project_id, usage, count: 1 })
}

/** As `nextInternalId`, for `count` records at once; returns the first of their numbers. */
export async function allocateInternalIds(
  tx: Db,
  { project_id, usage, count }: Pick<InternalIdTable, 'project_id' | 'usage'> & { count: number },
): Promise<number> {
  const { last_value } = await tx
    .insertInto('internal_ids')
    .values({ project_id, usage, last_value: count })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'usage'])
        .doUpdateSet((eb) => ({ last_value: eb('internal_ids.last_value', '+', count) })),
    )
    .returning('last_value')
    .executeTakeFirstOrThrow()
  return last_value - count + 1
}

/** Raises the last number of a project to `iid`, which was given by hand, if it is larger. */
export async function raiseLastInternalIdTo(
  tx: Db,
  { project_id, usage, iid }: { project_id: number; usage: InternalIdTable['usage']; iid: number },
): Promise<void> {
  await tx
    .insertInto('internal_ids')
    .values({ project_id, usage, last_value: iid })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'usage'])
        .doUpdateSet({ last_value: iid })
        .where('internal_ids.last_value', '<', iid),
    )
    .execute()
}

/** As `nextInternalId`, for a group. */
export async function nextGroupInternalId(
  tx: Db,
  namespace_id: number,
  usage: GroupInternalIdTable['usage'],
): Promise<number> {
  const { last_value } = await tx
    .insertInto('group_internal_ids')
    .values({ namespace_id, usage, last_value: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['namespace_id', 'usage'])
        .doUpdateSet((eb) => ({ last_value: eb('group_internal_ids.last_value', '+', 1) })),
    )
    .returning('last_value')
    .executeTakeFirstOrThrow()
  return last_value
}
