// Public functions of custom attributes, which administrators set on users, projects and groups; shown with them and
// usable as filters. For other callers both parameters are ignored (docs/api/users.md, "Custom attributes").
import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Actor, isAdmin } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { namedObject, optionalBoolean } from '../../../http/schema.ts'
import { badParameters } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type CustomAttributeOwnerKind,
  customAttributeOwnerColumns,
  findCustomAttributesByOwner,
} from './custom-attribute.store.ts'

export const CustomAttributeJson = namedObject('CustomAttribute', {
  key: Type.String(),
  value: Type.String(),
})

/** The field that records have on request. */
export const customAttributesField = {
  custom_attributes: Type.Optional(Type.Array(CustomAttributeJson)),
}

/** The parameter of single records and lists. */
export const withCustomAttributesInput = { with_custom_attributes: optionalBoolean }

/** The filter of lists, `custom_attributes[key]=value`. */
export const customAttributeFilterInput = {
  custom_attributes: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'Only what has all of these custom attributes.',
    }),
  ),
}

/** Keys with the value each must have. */
export type CustomAttributeFilter = readonly (readonly [key: string, value: string])[]

/** Returns the filter of an administrator; other callers have none. Throws 400 for a malformed filter. */
export function parseCustomAttributeFilter(
  actor: Actor,
  { custom_attributes = {} }: { custom_attributes?: Record<string, unknown> },
): CustomAttributeFilter {
  if (!isAdmin(actor)) return []
  const wanted = Object.entries(custom_attributes)
  if (wanted.length > limits.custom_attribute_filters_max) {
    throw badParameters(['custom_attributes is invalid'])
  }
  return wanted.map(([key, value]) => {
    const isText = ['string', 'number', 'boolean'].includes(typeof value)
    // `String` is not called for objects, since a client can send an object with its own `toString`.
    const text = isText ? String(value) : undefined
    if (text === undefined || text.includes('\0') || key.includes('\0')) {
      throw badParameters([`custom_attributes[${key.replaceAll('\0', '')}] is invalid`])
    }
    return [key, text] as const
  })
}

/** Whether the row that `idColumn` names (`users.id`) has all of them; for `where`. */
export function hasCustomAttributesCondition(
  kind: CustomAttributeOwnerKind,
  idColumn: string,
  filter: CustomAttributeFilter,
): RawBuilder<boolean> {
  const owner = sql.ref(customAttributeOwnerColumns[kind])
  const conditions = filter.map(
    ([key, value]) => sql<boolean>`${sql.ref(idColumn)} in (
      select ${owner} from custom_attributes where ${owner} is not null and key = ${key}
        and substr(value, 1, 100) = substr(cast(${value} as text), 1, 100) and value = ${value})`,
  )
  return conditions.length === 0
    ? sql<boolean>`1 = 1`
    : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** The records with their attributes, in one query, if the caller asks for them and may. */
export async function addCustomAttributesToRecords<Item extends { id: number }>(
  { db, actor }: { db: Db; actor: Actor },
  kind: CustomAttributeOwnerKind,
  { items, isWanted = false }: { items: readonly Item[]; isWanted: boolean | undefined },
): Promise<(Item & { custom_attributes?: Static<typeof CustomAttributeJson>[] })[]> {
  if (!isWanted || !isAdmin(actor)) return [...items]
  const ids = items.map(({ id }) => id)
  const attributes = await findCustomAttributesByOwner(db, kind, ids)
  return items.map((item) => ({ ...item, custom_attributes: attributes.get(item.id) ?? [] }))
}
