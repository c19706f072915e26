// What the bodies of events of issues, merge requests and notes are made of.
import type { Selectable } from 'kysely'
import type { Db, LabelTable, NoteTable } from '../../../db/db.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import type { User } from '../../../subjects/user.ts'

export type Label = Selectable<LabelTable>
export type Note = Selectable<NoteTable>

export function findIssuableRow(db: Db, id: number): Promise<Issuable | undefined> {
  return db.selectFrom('issuables').selectAll().where('id', '=', id).executeTakeFirst()
}

export function listLabelsOf(db: Db, issuable_id: number): Promise<Label[]> {
  return db
    .selectFrom('labels')
    .innerJoin('issuable_labels', 'issuable_labels.label_id', 'labels.id')
    .selectAll('labels')
    .where('issuable_labels.issuable_id', '=', issuable_id)
    .orderBy('labels.title')
    .execute()
}

export function listAssigneesOf(db: Db, issuable_id: number): Promise<User[]> {
  return db
    .selectFrom('users')
    .innerJoin('issuable_assignees', 'issuable_assignees.user_id', 'users.id')
    .selectAll('users')
    .where('issuable_assignees.issuable_id', '=', issuable_id)
    .orderBy('users.id')
    .execute()
}

/** The labels of those ids that there are still. */
export async function findLabels(db: Db, ids: readonly number[]): Promise<Label[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('labels')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
}

export function findNote(db: Db, id: number): Promise<Note | undefined> {
  return db.selectFrom('notes').selectAll().where('id', '=', id).executeTakeFirst()
}
