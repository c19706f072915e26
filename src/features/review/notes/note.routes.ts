import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { Answer } from '../../../http/answer.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  dateTime,
  namedObject,
  nonBlankText,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { IssuableSubject } from '../../../subjects/issuable.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { createMentionNotesAndTodos } from '../../planning/issuables/mention.ts'
import { renderMarkdownTextsWithLinks } from '../../planning/markdown/render-html.ts'
import { mayEditNote, mayEditNotes, mayReadNotes, mayWriteNotes } from './note.policy.ts'
import { deleteNote, listNotes, updateNote, updateNotesCount } from './note.store.ts'
import { findNote, NoteJson, type NoteWithUsers, presentNote } from './note.ts'
import { checkNoteBody, createNote } from './write-note.ts'

export type NoteContext<Input = unknown> = Context<IssuableSubject, Input>

/** The response for a note that contains only quick actions. */
const CommandsJson = namedObject('CommandsResult', {
  commands_changes: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  summary: Type.Array(Type.String()),
})

/** Requests the texts of notes as HTML too. */
export const renderHtmlInput = { render_html: optionalBoolean }

export function showPlainNote(context: NoteContext, note: NoteWithUsers) {
  return presentNote(note, context.subject.issuable, context.baseUrl)
}

/** Returns the records of notes. With `render_html` each has its text as HTML, with links for references. */
export async function showNotes(
  context: NoteContext<{ render_html?: boolean }>,
  notes: readonly NoteWithUsers[],
): Promise<Static<typeof NoteJson>[]> {
  const shown = notes.map((note) => showPlainNote(context, note))
  if (!context.input.render_html) return shown
  const texts = notes.map(({ body }) => body)
  const html = await renderMarkdownTextsWithLinks(context, { texts, project: context.subject })
  return shown.map((note, at) => ({ ...note, note_html: html[at] ?? '' }))
}

/** As `showNotes`, for a single note. */
export async function showNote(
  context: NoteContext<{ render_html?: boolean }>,
  note: NoteWithUsers,
) {
  const [shown] = await showNotes(context, [note])
  return shown
}

/** Returns a note by id. Throws 404 if it is missing or hidden. */
export async function getNote(context: NoteContext, id: number): Promise<NoteWithUsers> {
  const { db, actor, level, subject } = context
  const found = await findNote(db, {
    reader: { actor, level },
    issuable_id: subject.issuable.id,
    id,
  })
  if (!found) throw recordNotFound()
  return found
}

function loadNote(context: NoteContext<{ note_id: number }>): Promise<NoteWithUsers> {
  return getNote(context, context.input.note_id)
}

/** Whether the caller may change or delete the note. */
export const mayEditLoadedNote = ({
  level,
  user,
  loaded: note,
}: NoteContext & { loaded: NoteWithUsers }): boolean => mayEditNote({ note, level, user })

/** Changes the text of a note. */
export async function changeNoteBody(
  context: NoteContext,
  note: NoteWithUsers,
  body: string,
): Promise<void> {
  const { db: tx, clock, user, subject, actor, baseUrl } = context
  checkNoteBody(body)
  if (body === note.body) return
  const now = timestamp(clock)
  await updateNote(tx, note.id, { body, updated_at: now, updated_by_id: user.id })
  await updateNotesCount(tx, subject.issuable, { by: 0, now })
  const { issuable } = subject
  await publishChange(tx, `${issuable.kind}:${issuable.id}`)
  const place = { project: subject, issuable, texts: [body], before: note.body, note }
  await createMentionNotesAndTodos({ tx, clock, actor, baseUrl }, place)
}

export async function removeNote(context: NoteContext, note: NoteWithUsers): Promise<void> {
  const { db: tx, clock, subject, request } = context
  checkIfUnmodifiedSince(request, note.updated_at)
  await deleteNote(tx, note.id)
  const { issuable } = subject
  await updateNotesCount(tx, issuable, { by: -1, now: timestamp(clock) })
  await publishChange(tx, `${issuable.kind}:${issuable.id}`)
}

/** Returns whether a new note is internal. `confidential` is the former name of the parameter. */
const isInternal = (input: { internal?: boolean; confidential?: boolean }): boolean =>
  input.internal ?? input.confidential ?? false

/** Creates the endpoints of notes on issues and merge requests. */
export function noteEndpointsOf({
  tag,
  noun,
  on,
  base,
  finish,
}: {
  tag: string
  noun: string
  on: SubjectLoader<IssuableSubject>
  base: string
  /** Executes the quick actions that exist for one kind only. */
  finish?: (
    context: NoteContext,
    own: Awaited<ReturnType<typeof createNote>>['own'],
  ) => Promise<void>
}): readonly Endpoint[] {
  const common = { tag, on, signIn: 'always' as const }
  const one = { note_id: Type.Integer() }
  return [
    endpoint({
      ...common,
      route: `GET ${base}/notes` as `GET /${string}`,
      summary: `List the notes on ${noun}`,
      allow: mayReadNotes,
      input: Type.Object({
        order_by: Type.Optional(oneOf(['created_at', 'updated_at'], { default: 'created_at' })),
        sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
        activity_filter: Type.Optional(
          oneOf(['all_notes', 'only_comments', 'only_activity'], { default: 'all_notes' }),
        ),
        ...renderHtmlInput,
        ...pageInput,
      }),
      answer: Type.Array(NoteJson),
      async run(context) {
        const { db, actor, level, subject, input, range } = context
        const { order_by = 'created_at', sort = 'desc', activity_filter } = input
        const { rows, total } = await listNotes(
          db,
          {
            reader: { actor, level },
            issuable_id: subject.issuable.id,
            order_by,
            sort,
            activity: activity_filter ?? 'all_notes',
          },
          range,
        )
        return new Page({ items: await showNotes(context, rows), total })
      },
    }),

    endpoint({
      ...common,
      route: `GET ${base}/notes/:note_id` as `GET /${string}`,
      summary: `Get a note on ${noun}`,
      allow: mayReadNotes,
      input: Type.Object({ ...one, ...renderHtmlInput }),
      answer: NoteJson,
      run: async (context) => showNote(context, await getNote(context, context.input.note_id)),
    }),

    endpoint({
      ...common,
      route: `POST ${base}/notes` as `POST /${string}`,
      body_bytes_max: limits.issuable_body_bytes,
      summary: `Create a note on ${noun}`,
      allow: mayWriteNotes,
      // Callers who may not write internal notes are refused, so that the text is not published to everyone
      // instead.
      authorize: ({ input, level }) => !isInternal(input) || level >= Level.reporter,
      input: Type.Object({
        body: Type.String(),
        confidential: optionalBoolean,
        internal: optionalBoolean,
        created_at: Type.Optional(dateTime()),
        merge_request_diff_head_sha: optionalText,
      }),
      status: 201,
      answer: NoteJson,
      otherAnswers: { 202: CommandsJson },
      async run(context) {
        const { input, level } = context
        const isOwner = level >= Level.owner
        const { note, commands, own } = await createNote(context, {
          body: input.body,
          confidential: isInternal(input),
          ...(isOwner && input.created_at !== undefined && { created_at: input.created_at }),
        })
        await finish?.(context, own)
        if (!note) return Answer.json(202, commands)
        return showPlainNote(context, await getNote(context, note.id))
      },
    }),

    endpoint({
      ...common,
      route: `PUT ${base}/notes/:note_id` as `PUT /${string}`,
      body_bytes_max: limits.issuable_body_bytes,
      summary: `Change a note on ${noun}`,
      allow: mayEditNotes,
      input: Type.Object({ ...one, body: nonBlankText() }),
      answer: NoteJson,
      load: loadNote,
      authorize: mayEditLoadedNote,
      async run(context) {
        const { note_id, body } = context.input
        await changeNoteBody(context, context.loaded, body)
        return showPlainNote(context, await getNote(context, note_id))
      },
    }),

    endpoint({
      ...common,
      route: `DELETE ${base}/notes/:note_id` as `DELETE /${string}`,
      summary: `Delete a note on ${noun}`,
      allow: mayEditNotes,
      input: Type.Object(one),
      status: 204,
      load: loadNote,
      authorize: mayEditLoadedNote,
      run: (context) => removeNote(context, context.loaded),
    }),
  ]
}
