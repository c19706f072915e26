// Public functions of notes: who sees which notes, and their records.
import type { Selectable, SelectQueryBuilder } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db, NoteTable, Schema } from '../../../db/db.ts'
import { namedObject, nullable, nullableInteger, nullableText } from '../../../http/schema.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { type NoteReader, visibleNotesCondition } from '../../../subjects/note.ts'
import { BasicUserJson, presentBasicUser, type User } from '../../../subjects/user.ts'

export type Note = Selectable<NoteTable>

/** A note with the users that it names. */
export type NoteWithUsers = Note & {
  author: Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>
  resolver: NoteWithUsers['author'] | undefined
}

/** Returns notes by id, whether or not a caller can see them. */
export async function findNotes(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, NoteWithUsers>> {
  if (ids.length === 0) return new Map()
  const rows = await joinNoteUsers(
    db.selectFrom('notes').where('notes.id', 'in', [...ids]),
  ).execute()
  return new Map(rows.map((row) => [row.id, noteWithUsersFromRow(row)]))
}

/** Selects the notes of an issue or merge request that the reader can see. */
export function visibleNotesQuery(db: Db, reader: NoteReader, issuable_id: number) {
  return db
    .selectFrom('notes')
    .where('notes.issuable_id', '=', issuable_id)
    .where(visibleNotesCondition(db, reader))
}

/** Adds the users that notes name to a query. */
export function joinNoteUsers<T>(query: SelectQueryBuilder<Schema, 'notes', T>) {
  return query
    .innerJoin('users as author', 'author.id', 'notes.author_id')
    .leftJoin('users as resolver', 'resolver.id', 'notes.resolved_by_id')
    .selectAll('notes')
    .select([
      'author.username as author_username',
      'author.name as author_name',
      'author.state as author_state',
      'author.avatar as author_avatar',
      'resolver.username as resolver_username',
      'resolver.name as resolver_name',
      'resolver.state as resolver_state',
      'resolver.avatar as resolver_avatar',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof joinNoteUsers<object>>['execute']>>[number]

/** Converts a row of `joinNoteUsers` into a note with its author and the user who resolved it. */
export function noteWithUsersFromRow(row: Row): NoteWithUsers {
  const {
    author_username,
    author_name,
    author_state,
    author_avatar,
    resolver_username,
    resolver_name,
    resolver_state,
    resolver_avatar,
    ...note
  } = row
  return {
    ...note,
    author: {
      id: note.author_id,
      username: author_username,
      name: author_name,
      state: author_state,
      avatar: author_avatar,
    },
    resolver:
      note.resolved_by_id === null || resolver_username === null || resolver_name === null
        ? undefined
        : {
            id: note.resolved_by_id,
            username: resolver_username,
            name: resolver_name,
            state: resolver_state ?? 'active',
            avatar: resolver_avatar,
          },
  }
}

/** Returns a note by id if the reader can see it. */
export async function findNote(
  db: Db,
  { reader, issuable_id, id }: { reader: NoteReader; issuable_id: number; id: number },
): Promise<NoteWithUsers | undefined> {
  const row = await joinNoteUsers(visibleNotesQuery(db, reader, issuable_id))
    .where('notes.id', '=', id)
    .executeTakeFirst()
  return row && noteWithUsersFromRow(row)
}

export const NoteJson = namedObject('Note', {
  id: Type.Integer(),
  type: nullableText,
  body: Type.String(),
  note_html: Type.Optional(Type.String()),
  attachment: Type.Null(),
  author: BasicUserJson,
  created_at: Type.String(),
  updated_at: Type.String(),
  system: Type.Boolean(),
  noteable_id: nullableInteger,
  noteable_type: Type.String(),
  project_id: Type.Integer(),
  commit_id: Type.Optional(nullableText),
  position: Type.Optional(nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' }))),
  resolvable: Type.Boolean(),
  resolved: Type.Optional(Type.Boolean()),
  resolved_by: Type.Optional(nullable(BasicUserJson)),
  resolved_at: Type.Optional(nullableText),
  confidential: Type.Boolean(),
  internal: Type.Boolean(),
  noteable_iid: nullableInteger,
  commands_changes: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
})

const noteableTypes = { issue: 'Issue', merge_request: 'MergeRequest' } as const

/** Presents a note (docs/api/notes.md, "Record"). */
export function presentNote(
  note: NoteWithUsers,
  issuable: Pick<Issuable, 'id' | 'iid' | 'kind'> | undefined,
  baseUrl: string,
): Static<typeof NoteJson> {
  const isDiffNote = note.type === 'DiffNote'
  return {
    id: note.id,
    type: note.type,
    body: note.body,
    attachment: null,
    author: presentBasicUser(note.author, baseUrl),
    created_at: note.created_at,
    updated_at: note.updated_at,
    system: note.system,
    noteable_id: issuable?.id ?? null,
    noteable_type: issuable ? noteableTypes[issuable.kind] : 'Commit',
    project_id: note.project_id,
    ...(isDiffNote && { commit_id: note.commit_id, position: note.position }),
    resolvable: note.resolvable,
    ...(note.resolvable && {
      resolved: note.resolved_at !== null,
      resolved_by: note.resolver ? presentBasicUser(note.resolver, baseUrl) : null,
      resolved_at: note.resolved_at,
    }),
    confidential: note.confidential,
    internal: note.confidential,
    noteable_iid: issuable?.iid ?? null,
    commands_changes: {},
  }
}
