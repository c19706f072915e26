import type { Insertable, Selectable, Updateable } from 'kysely'
import type { CiVariableTable, Db } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import { limits } from '../../../kernel/limits.ts'
import type { VariableOwner } from './variable-owner.ts'

/** A variable as stored, with an encrypted value. */
export type SealedCiVariable = Selectable<CiVariableTable>

type Page = { offset: number; per_page: number }

function variablesOf(db: Db, { kind, id }: VariableOwner) {
  const query = db.selectFrom('ci_variables')
  if (kind === 'project') return query.where('project_id', '=', id)
  if (kind === 'group') return query.where('namespace_id', '=', id)
  return query.where('project_id', 'is', null).where('namespace_id', 'is', null)
}

/** Returns one page of the owner's variables in the order of their creation. */
export async function listCiVariables(
  db: Db,
  owner: VariableOwner,
  { offset, per_page }: Page,
): Promise<{ rows: SealedCiVariable[]; total: number | undefined }> {
  const matching = variablesOf(db, owner)
  const rows = await matching.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

/** Returns the variables with that key, at most two: one for each environment scope unless a scope is given. */
export function findCiVariables(
  db: Db,
  owner: VariableOwner,
  { key, environment_scope }: { key: string; environment_scope?: string },
): Promise<SealedCiVariable[]> {
  let query = variablesOf(db, owner).selectAll().where('key', '=', key)
  if (environment_scope !== undefined) {
    query = query.where('environment_scope', '=', environment_scope)
  }
  return query.orderBy('id').limit(2).execute()
}

/** Whether the owner has that many variables. */
export async function hasCiVariablesAtLeast(
  db: Db,
  owner: VariableOwner,
  count: number,
): Promise<boolean> {
  const row = await variablesOf(db, owner)
    .select('id')
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Inserts a variable; returns undefined if the owner has one with that key and scope. */
export function insertCiVariable(
  db: Db,
  { kind, id }: VariableOwner,
  variable: Insertable<CiVariableTable>,
): Promise<SealedCiVariable | undefined> {
  return db
    .insertInto('ci_variables')
    .values({
      ...variable,
      project_id: kind === 'project' ? id : null,
      namespace_id: kind === 'group' ? id : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/**
 * Updates a variable; returns undefined if another one has that key and scope. The caller then has to end the transaction.
 */
export async function updateCiVariable(
  db: Db,
  id: number,
  changes: Updateable<CiVariableTable>,
): Promise<SealedCiVariable | undefined> {
  try {
    return await db
      .updateTable('ci_variables')
      .set(changes)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    return undefined
  }
}

export async function deleteCiVariable(db: Db, id: number): Promise<void> {
  await db.deleteFrom('ci_variables').where('id', '=', id).execute()
}

/**
 * Returns all variables that a job of the project may get. Those of the instance have rank 0, groups rank by nesting, and
 * the project has the highest rank.
 */
export async function listCiVariablesForProject(
  db: Db,
  { id, namespace_id }: { id: number; namespace_id: number },
): Promise<(SealedCiVariable & { rank: number })[]> {
  const [own, inherited, instance] = await Promise.all([
    db.selectFrom('ci_variables').selectAll().where('project_id', '=', id).execute(),
    db
      .selectFrom('ci_variables')
      .innerJoin(
        'namespace_ancestors',
        'namespace_ancestors.ancestor_id',
        'ci_variables.namespace_id',
      )
      .selectAll('ci_variables')
      .select('namespace_ancestors.depth')
      .where('namespace_ancestors.namespace_id', '=', namespace_id)
      .execute(),
    db
      .selectFrom('ci_variables')
      .selectAll()
      .where('project_id', 'is', null)
      .where('namespace_id', 'is', null)
      .execute(),
  ])
  return [
    ...instance.map((row) => ({ ...row, rank: 0 })),
    ...inherited.map(({ depth, ...row }) => ({ ...row, rank: limits.namespace_depth + 1 - depth })),
    ...own.map((row) => ({ ...row, rank: limits.namespace_depth + 2 })),
  ]
}
