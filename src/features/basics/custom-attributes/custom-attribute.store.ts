import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'

/** The column of each kind of owner. */
export const customAttributeOwnerColumns = {
  user: 'user_id',
  project: 'project_id',
  group: 'namespace_id',
} as const
export type CustomAttributeOwnerKind = keyof typeof customAttributeOwnerColumns
export type CustomAttributeOwner = { kind: CustomAttributeOwnerKind; id: number }
export type CustomAttribute = { key: string; value: string }

/** Returns all attributes of these owners, each in the order of creation. */
export async function findCustomAttributesByOwner(
  db: Db,
  kind: CustomAttributeOwnerKind,
  ids: readonly number[],
): Promise<Map<number, CustomAttribute[]>> {
  if (ids.length === 0) return new Map()
  const column = customAttributeOwnerColumns[kind]
  const rows = await db
    .selectFrom('custom_attributes')
    .select([sql<number>`${sql.ref(column)}`.as('owner_id'), 'key', 'value'])
    .where(column, 'in', ids)
    .orderBy('id')
    .execute()
  const byOwner = Map.groupBy(rows, ({ owner_id }) => owner_id)
  return new Map(
    [...byOwner].map(([id, found]) => [id, found.map(({ key, value }) => ({ key, value }))]),
  )
}

export function findCustomAttribute(
  db: Db,
  { kind, id }: CustomAttributeOwner,
  key: string,
): Promise<CustomAttribute | undefined> {
  return db
    .selectFrom('custom_attributes')
    .select(['key', 'value'])
    .where(customAttributeOwnerColumns[kind], '=', id)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function countCustomAttributes(
  db: Db,
  { kind, id }: CustomAttributeOwner,
): Promise<number> {
  const { count } = await db
    .selectFrom('custom_attributes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(customAttributeOwnerColumns[kind], '=', id)
    .executeTakeFirstOrThrow()
  return count
}

export async function upsertCustomAttribute(
  tx: Db,
  { kind, id }: CustomAttributeOwner,
  { key, value, now }: CustomAttribute & { now: string },
): Promise<void> {
  const nobody = { user_id: null, project_id: null, namespace_id: null }
  await tx
    .insertInto('custom_attributes')
    .values({
      ...nobody,
      [customAttributeOwnerColumns[kind]]: id,
      key,
      value,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns([customAttributeOwnerColumns[kind], 'key'])
        .doUpdateSet({ value, updated_at: now }),
    )
    .execute()
}

/** Deletes an attribute; returns false if there is none with that key. */
export async function deleteCustomAttribute(
  tx: Db,
  { kind, id }: CustomAttributeOwner,
  key: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('custom_attributes')
    .where(customAttributeOwnerColumns[kind], '=', id)
    .where('key', '=', key)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
