import type { Insertable, Selectable } from 'kysely'
import type { Db, StorageMoveTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type MovedSubjectKind = 'project' | 'group'
/** The subject of a move: all repositories of a project, or the wiki of a group. */
export type MovedSubject = { kind: MovedSubjectKind; id: number }

export type MoveRow = Selectable<StorageMoveTable>
export type MoveState = MoveRow['state']

export type StorageMove = MoveRow & {
  moved: MovedSubject
  name: string
  path: string
  /** Set for groups. */
  full_path: string
  description: string | null
  /** The group or personal namespace above. */
  above: { full_path: string; full_name: string }
  moved_created_at: string
}

const columns = { project: 'project_id', group: 'namespace_id' } as const

export const movedSubjectOf = ({
  project_id,
  namespace_id,
}: Pick<MoveRow, 'project_id' | 'namespace_id'>): MovedSubject =>
  project_id === null
    ? { kind: 'group', id: namespace_id ?? 0 }
    : { kind: 'project', id: project_id }

/** Inserts a move; returns undefined if another move of the same object is in progress. */
export function insertMove(
  db: Db,
  { kind, id }: MovedSubject,
  move: Omit<Insertable<StorageMoveTable>, 'project_id' | 'namespace_id'>,
): Promise<{ id: number } | undefined> {
  return db
    .insertInto('storage_moves')
    .values({ project_id: null, namespace_id: null, [columns[kind]]: id, ...move })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
}

export function findMoveRow(db: Db, id: number): Promise<MoveRow | undefined> {
  return db.selectFrom('storage_moves').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns moves in progress that have not been updated since `before`, oldest first. */
export function listSilentMoves(db: Db, { before, limit }: { before: string; limit: number }) {
  return db
    .selectFrom('storage_moves')
    .selectAll()
    .where('state', '=', 'started')
    .where('updated_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Updates a move that is in one of the given states. Undefined if it is in another one, or another worker has begun
 * it again.
 */
export function updateMoveState(
  db: Db,
  id: number,
  step: {
    from: readonly MoveState[]
    to: Partial<Pick<MoveRow, 'state' | 'problem' | 'attempt' | 'percent'>> & { updated_at: string }
    attempt?: number
  },
): Promise<MoveRow | undefined> {
  const { from, to, attempt } = step
  return db
    .updateTable('storage_moves')
    .set(to)
    .where('id', '=', id)
    .where('state', 'in', from)
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt ?? 0))
    .returningAll()
    .executeTakeFirst()
}

function movesOf(
  db: Db,
  kind: MovedSubjectKind,
  { id, movedId }: { id?: number; movedId?: number },
) {
  const column = columns[kind]
  return db
    .selectFrom('storage_moves')
    .where(`storage_moves.${column}`, 'is not', null)
    .$if(id !== undefined, (query) => query.where('storage_moves.id', '=', id ?? 0))
    .$if(movedId !== undefined, (query) =>
      query.where(`storage_moves.${column}`, '=', movedId ?? 0),
    )
}

async function fill(
  db: Db,
  kind: MovedSubjectKind,
  rows: readonly MoveRow[],
): Promise<StorageMove[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => movedSubjectOf(row).id)
  const named = await (kind === 'group' ? namedGroups(db, ids) : namedProjects(db, ids))
  const byId = new Map(named.map(({ id, ...names }) => [id, names]))
  return rows.flatMap((row) => {
    const names = byId.get(movedSubjectOf(row).id)
    return names ? [{ ...row, ...names, moved: movedSubjectOf(row) }] : []
  })
}

async function namedGroups(db: Db, ids: readonly number[]) {
  const rows = await db
    .selectFrom('namespaces')
    .select(['id', 'name', 'path', 'full_path', 'full_name', 'description'])
    .select('created_at as moved_created_at')
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ full_name, ...group }) => ({
    ...group,
    above: { full_path: group.full_path, full_name },
  }))
}

async function namedProjects(db: Db, ids: readonly number[]) {
  const rows = await db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select(['projects.id', 'projects.name', 'projects.path', 'projects.description'])
    .select('projects.created_at as moved_created_at')
    .select(['namespaces.full_path as above_path', 'namespaces.full_name as above_name'])
    .where('projects.id', 'in', ids)
    .execute()
  return rows.map(({ above_path, above_name, ...project }) => ({
    ...project,
    full_path: `${above_path}/${project.path}`,
    above: { full_path: above_path, full_name: above_name },
  }))
}

/** Returns moves, newest first. */
export async function listMoves(
  db: Db,
  kind: MovedSubjectKind,
  { movedId, offset, per_page }: { movedId?: number; offset: number; per_page: number },
): Promise<{ rows: StorageMove[]; total: number | undefined }> {
  const asked = movesOf(db, kind, { movedId })
  const rows = await asked
    .selectAll('storage_moves')
    .orderBy('storage_moves.id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return {
    rows: await fill(db, kind, rows),
    total: await countRows(db, asked.select('storage_moves.id')),
  }
}

export async function findMove(
  db: Db,
  kind: MovedSubjectKind,
  by: { id: number; movedId?: number },
): Promise<StorageMove | undefined> {
  const rows = await movesOf(db, kind, by).selectAll('storage_moves').execute()
  return (await fill(db, kind, rows))[0]
}

/** Returns the projects or groups on a storage, ordered by id. */
export function listIdsOnStorage(
  db: Db,
  kind: MovedSubjectKind,
  { storage, after, limit }: { storage: string; after: number; limit: number },
): Promise<{ id: number }[]> {
  if (kind === 'project') {
    return db
      .selectFrom('projects')
      .select('id')
      .where('repository_storage', '=', storage)
      .where('state', '=', 'ready')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute()
  }
  return db
    .selectFrom('wikis')
    .select('namespace_id as id')
    .where('repository_storage', '=', storage)
    .where('namespace_id', '>', after)
    .orderBy('namespace_id')
    .limit(limit)
    .$narrowType<{ id: number }>()
    .execute()
}

/** Changes the storage of the records; returns false if one of them was moved meanwhile. */
export async function switchStorage(
  tx: Db,
  { kind, id }: MovedSubject,
  { wikiId, from, to, now }: { wikiId: number | undefined; from: string; to: string; now: string },
): Promise<boolean> {
  if (wikiId !== undefined) {
    const { numUpdatedRows } = await tx
      .updateTable('wikis')
      .set({ repository_storage: to })
      .where('id', '=', wikiId)
      .where('repository_storage', '=', from)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
  }
  if (kind === 'group') {
    if (wikiId === undefined) return false
    await tx.updateTable('namespaces').set({ updated_at: now }).where('id', '=', id).execute()
    return true
  }
  const { numUpdatedRows } = await tx
    .updateTable('projects')
    .set({ repository_storage: to, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .where('repository_storage', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
