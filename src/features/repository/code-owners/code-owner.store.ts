import type { Viewer } from '../../../access/actor.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import { findUsersByConfirmedEmails } from '../../../subjects/user.ts'
import type { CodeOwnerNames } from './parse-code-owners.ts'

/** Ids by the names in CODEOWNERS, in lower case: users and groups by name, users by a confirmed address. */
export type CodeOwnerIdMaps = {
  usersByName: Map<string, number>
  groupsByName: Map<string, number>
  usersByEmail: Map<string, number>
}

/** The number of names that are bound in one statement. */
const batch = 500

export async function findCodeOwnerIds(
  db: Db,
  owners: readonly CodeOwnerNames[],
): Promise<CodeOwnerIdMaps> {
  const names = [...new Set(owners.flatMap((one) => one.names))]
  const emails = [...new Set(owners.flatMap((one) => one.emails))]
  const ids: CodeOwnerIdMaps = {
    usersByName: new Map(),
    groupsByName: new Map(),
    usersByEmail: new Map(),
  }
  for (const some of splitIntoBatches(names, batch)) {
    const users = await db
      .selectFrom('users')
      .select(['id', lowerCaseExpression('username').as('name')])
      .where(lowerCaseExpression('username'), 'in', some)
      .execute()
    for (const { id, name } of users) ids.usersByName.set(name, id)
    const groups = await db
      .selectFrom('namespaces')
      .select(['id', lowerCaseExpression('full_path').as('name')])
      .where('kind', '=', 'group')
      .where('state', '=', 'ready')
      .where(lowerCaseExpression('full_path'), 'in', some)
      .execute()
    for (const { id, name } of groups) ids.groupsByName.set(name, id)
  }
  for (const some of splitIntoBatches(emails, batch)) {
    for (const { id, address } of await findUsersByConfirmedEmails(db, some))
      ids.usersByEmail.set(address, id)
  }
  return ids
}

/** Returns the ids of those owners that were found, in order. */
export function pickCodeOwnerIds(
  { names, emails }: CodeOwnerNames,
  { usersByName, groupsByName, usersByEmail }: CodeOwnerIdMaps,
): { user_ids: Set<number>; group_ids: Set<number> } {
  const user_ids = [
    ...names.flatMap((name) => usersByName.get(name) ?? []),
    ...emails.flatMap((email) => usersByEmail.get(email) ?? []),
  ]
  const group_ids = names.flatMap((name) => groupsByName.get(name) ?? [])
  return { user_ids: new Set(user_ids), group_ids: new Set(group_ids) }
}

/** Returns the groups that the viewer can see, by name. */
export async function listVisibleGroups(db: Db, viewer: Viewer, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('namespaces')
    .select(['namespaces.id', 'namespaces.name', 'namespaces.full_path'])
    .where('namespaces.id', 'in', ids)
    .where(visibleNamespaceCondition(viewer))
    .orderBy('namespaces.full_path')
    .execute()
}
