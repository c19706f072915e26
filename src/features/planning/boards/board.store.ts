import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { BoardListTable, BoardTable, Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { type OwningProjectOrGroup, ownerIdColumns } from '../../../subjects/owner.ts'
import type { Label } from '../labels/label.ts'

export type Board = Selectable<BoardTable>
export type BoardList = Selectable<BoardListTable>

/** The label, assignee or milestone that a list shows issues of. */
export type BoardListScope = { kind: 'label' | 'assignee' | 'milestone'; id: number }

const ownColumn = ({ kind }: Pick<OwningProjectOrGroup, 'kind'>) =>
  kind === 'project' ? ('boards.project_id' as const) : ('boards.namespace_id' as const)

/** Returns one page of the boards of a project or group, oldest first. */
export async function listBoards(
  db: Db,
  owner: OwningProjectOrGroup,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Board[]; total: number | undefined }> {
  const matching = db.selectFrom('boards').where(ownColumn(owner), '=', owner.id)
  const rows = await matching.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

export function findBoard(
  db: Db,
  owner: OwningProjectOrGroup,
  id: number,
): Promise<Board | undefined> {
  return db
    .selectFrom('boards')
    .selectAll()
    .where(ownColumn(owner), '=', owner.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function insertBoard(
  tx: Db,
  owner: OwningProjectOrGroup,
  board: Omit<Insertable<BoardTable>, 'project_id' | 'namespace_id'>,
): Promise<Board> {
  return tx
    .insertInto('boards')
    .values({ ...board, ...ownerIdColumns(owner) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateBoard(
  tx: Db,
  id: number,
  changes: Updateable<BoardTable>,
): Promise<void> {
  await tx.updateTable('boards').set(changes).where('id', '=', id).execute()
}

export async function deleteBoard(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('boards').where('id', '=', id).execute()
}

/** Returns the lists of these boards in order, by board. */
export async function findBoardListsByBoard(
  db: Db,
  board_ids: readonly number[],
): Promise<Map<number, BoardList[]>> {
  if (board_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('board_lists')
    .selectAll()
    .where('board_id', 'in', [...board_ids])
    .orderBy('position')
    .execute()
  return Map.groupBy(rows, ({ board_id }) => board_id)
}

/** Returns the labels that the issues of these boards are filtered by, by board. */
export async function findScopeLabelsByBoard(
  db: Db,
  board_ids: readonly number[],
): Promise<Map<number, Label[]>> {
  if (board_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('board_labels')
    .innerJoin('labels', 'labels.id', 'board_labels.label_id')
    .selectAll('labels')
    .select('board_labels.board_id')
    .where('board_labels.board_id', 'in', [...board_ids])
    .orderBy('labels.title')
    .execute()
  return Map.groupBy(rows, ({ board_id }) => board_id)
}

export async function replaceScopeLabelsOfBoard(
  tx: Db,
  board_id: number,
  label_ids: readonly number[],
): Promise<void> {
  await tx.deleteFrom('board_labels').where('board_id', '=', board_id).execute()
  if (label_ids.length === 0) return
  await tx
    .insertInto('board_labels')
    .values(label_ids.map((label_id) => ({ board_id, label_id })))
    .execute()
}

/** Inserts a list at the end of a board and returns its id; undefined if the board has a list with that scope. */
export async function insertBoardList(
  tx: Db,
  board_id: number,
  { kind, id }: BoardListScope,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('board_lists')
    .values((eb) => ({
      board_id,
      [`${kind}_id`]: id,
      position: eb
        .selectFrom('board_lists as other')
        .select(sql<number>`coalesce(max(other.position) + 1, 0)`.as('position'))
        .where('other.board_id', '=', board_id),
    }))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Moves a list to a position, and shifts those in between. */
export async function moveBoardList(
  tx: Db,
  { list, position }: { list: BoardList; position: number },
): Promise<void> {
  const isLater = position > list.position
  await tx
    .updateTable('board_lists')
    .set((eb) => ({ position: eb('position', isLater ? '-' : '+', 1) }))
    .where('board_id', '=', list.board_id)
    .where('position', isLater ? '>' : '>=', isLater ? list.position : position)
    .where('position', isLater ? '<=' : '<', isLater ? position : list.position)
    .execute()
  await tx.updateTable('board_lists').set({ position }).where('id', '=', list.id).execute()
}

/** Deletes a list; those after it move up. */
export async function deleteBoardList(tx: Db, list: BoardList): Promise<void> {
  await tx.deleteFrom('board_lists').where('id', '=', list.id).execute()
  await tx
    .updateTable('board_lists')
    .set((eb) => ({ position: eb('position', '-', 1) }))
    .where('board_id', '=', list.board_id)
    .where('position', '>', list.position)
    .execute()
}

/** Returns the label with that id if it can be used in the project or group. */
export function findUsableLabel(
  db: Db,
  owner: OwningProjectOrGroup,
  id: number,
): Promise<Label | undefined> {
  return db
    .selectFrom('labels')
    .selectAll()
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        ...(owner.kind === 'project' ? [eb('project_id', '=', owner.id)] : []),
        eb(
          'namespace_id',
          'in',
          eb
            .selectFrom('namespace_ancestors')
            .select('ancestor_id')
            .where('namespace_ancestors.namespace_id', '=', owner.namespace_id),
        ),
      ]),
    )
    .executeTakeFirst()
}

/** Returns the labels with these ids. */
export async function findLabelsById(db: Db, ids: readonly number[]): Promise<Map<number, Label>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('labels')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether the user is a member of the project or group, or of a group above it. */
export async function isMemberOfOwner(
  db: Db,
  owner: OwningProjectOrGroup,
  user_id: number,
): Promise<boolean> {
  const ofGroup = db
    .selectFrom('namespace_access')
    .select('user_id')
    .where('namespace_id', '=', owner.namespace_id)
    .where('user_id', '=', user_id)
  const ofProject = db
    .selectFrom('project_access')
    .select('user_id')
    .where('project_id', '=', owner.kind === 'project' ? owner.id : 0)
    .where('user_id', '=', user_id)
  return (await ofGroup.unionAll(ofProject).executeTakeFirst()) !== undefined
}
