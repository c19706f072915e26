// Threads on issues and merge requests (docs/api/notes.md, "Threads").

import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Endpoint, endpoint, type SubjectLoader } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import type { ParameterRule } from '../../../http/parameters.ts'
import {
  dateTime,
  nonBlankText,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { badRequest, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { IssuableSubject } from '../../../subjects/issuable.ts'
import { DiscussionJson, presentDiscussion } from './discussion.ts'
import { mayResolveNote } from './may-resolve.ts'
import { mayEditNotes, mayReadNotes, mayWriteNotes } from './note.policy.ts'
import {
  changeNoteBody,
  getNote,
  mayEditLoadedNote,
  type NoteContext,
  removeNote,
  renderHtmlInput,
  showNote,
  showNotes,
  showPlainNote,
} from './note.routes.ts'
import { listThreadIds, listThreadNotes } from './note.store.ts'
import { findNote, NoteJson, type NoteWithUsers } from './note.ts'
import { type DiffPositionInput, diffPositionInput, type ResolveDiffPosition } from './position.ts'
import { findThreadStart, replyToThread, setThreadResolved } from './thread.ts'
import { createNote } from './write-note.ts'

type ThreadContext = NoteContext<{ discussion_id: string }>

/** Returns the visible notes of the thread, oldest first. Throws 404 if there are none. */
async function getThread({
  db,
  actor,
  level,
  subject,
  input: { discussion_id },
}: ThreadContext): Promise<NoteWithUsers[]> {
  const threads = await listThreadNotes(db, {
    reader: { actor, level },
    issuable_id: subject.issuable.id,
    discussion_ids: [discussion_id],
  })
  const notes = threads.get(discussion_id)
  if (!notes) throw notFound('Discussion')
  return notes
}

/** Returns the first note of the thread. Throws 404 like `getThread`. */
async function getThreadStart(context: ThreadContext): Promise<NoteWithUsers> {
  const note = await findThreadStart(context, context.input.discussion_id)
  if (!note) throw notFound('Discussion')
  return note
}

async function showThread(context: ThreadContext & NoteContext<{ render_html?: boolean }>) {
  const notes = await showNotes(context, await getThread(context))
  return presentDiscussion(context.input.discussion_id, notes)
}

/** Returns the note. Throws 404 if it is not in the thread. */
async function getThreadNote(
  context: NoteContext<{ discussion_id: string; note_id: number }>,
): Promise<NoteWithUsers> {
  const { db, actor, level, subject, input } = context
  const of = { reader: { actor, level }, issuable_id: subject.issuable.id }
  const note = await findNote(db, { ...of, id: input.note_id })
  if (note?.discussion_id === input.discussion_id) return note
  await getThreadStart(context)
  throw notFound('Note')
}

const exactlyOne: ParameterRule = ({ body, resolved }) => {
  if (body === undefined && resolved === undefined) {
    return 'body, resolved are missing, exactly one parameter must be provided'
  }
  return body !== undefined && resolved !== undefined
    ? 'body, resolved are mutually exclusive'
    : undefined
}

/** Creates the endpoints of threads on issues, and on merge requests, where threads can be on the diff and be resolved. */
export function discussionEndpointsOf({
  tag,
  noun,
  on,
  base,
  place,
}: {
  tag: string
  noun: string
  on: SubjectLoader<IssuableSubject>
  base: string
  /** Resolves positions on diffs; set for merge requests only. */
  place?: ResolveDiffPosition
}): readonly Endpoint[] {
  const common = { tag, on, signIn: 'always' as const }
  const thread = { discussion_id: Type.String() }
  const one = { ...thread, note_id: Type.Integer() }
  const isResolvable = place !== undefined
  const noteInput = { body: Type.String(), created_at: Type.Optional(dateTime()) }
  const path = (rest: string) => `${base}/discussions${rest}` as `/${string}`
  const expiryInstant = ({ level }: NoteContext, created_at: string | undefined) =>
    level >= Level.owner && created_at !== undefined ? { created_at } : {}
  const endpoints = [
    endpoint({
      ...common,
      route: `GET ${path('')}`,
      summary: `List the threads on ${noun}`,
      allow: mayReadNotes,
      input: Type.Object({ ...renderHtmlInput, ...pageInput }),
      answer: Type.Array(DiscussionJson),
      async run(context) {
        const { db, actor, level, subject, range } = context
        const of = { reader: { actor, level }, issuable_id: subject.issuable.id }
        const { rows, total } = await listThreadIds(db, of, range)
        const notes = await listThreadNotes(db, { ...of, discussion_ids: rows })
        const shown = await showNotes(context, [...notes.values()].flat())
        const byId = new Map(shown.map((note) => [note.id, note]))
        const items = rows.map((id) => {
          const own = (notes.get(id) ?? []).flatMap((note) => byId.get(note.id) ?? [])
          return presentDiscussion(id, own)
        })
        return new Page({ items, total })
      },
    }),

    endpoint({
      ...common,
      route: `GET ${path('/:discussion_id')}`,
      summary: `Get a thread on ${noun}`,
      allow: mayReadNotes,
      input: Type.Object({ ...thread, ...renderHtmlInput }),
      answer: DiscussionJson,
      run: showThread,
    }),

    endpoint({
      ...common,
      route: `POST ${path('')}`,
      body_bytes_max: limits.issuable_body_bytes,
      summary: `Create a thread on ${noun}`,
      allow: mayWriteNotes,
      // git reads the diff first, so no transaction is open meanwhile.
      ...(isResolvable && { transaction: 'none' as const }),
      input: Type.Object({
        ...noteInput,
        ...(isResolvable && { commit_id: optionalText, position: diffPositionInput }),
      }),
      status: 201,
      answer: DiscussionJson,
      async run(context) {
        const { input, db } = context
        const { position, commit_id } = input as {
          position?: DiffPositionInput
          commit_id?: string
        }
        const placed = position && place ? await place(context, position) : undefined
        const request = {
          body: input.body,
          type: placed ? ('DiffNote' as const) : ('DiscussionNote' as const),
          resolvable: isResolvable,
          commit_id: commit_id ?? null,
          ...placed,
          ...expiryInstant(context, input.created_at),
        }
        const write = (tx: NoteContext['db']) => createNote({ ...context, db: tx }, request)
        const { note } = isResolvable ? await runTransaction(db, write) : await write(db)
        if (!note) throw badRequest(`Note {:note=>["can't be blank"]}`)
        const made = await getNote(context, note.id)
        return presentDiscussion(made.discussion_id, [showPlainNote(context, made)])
      },
    }),

    endpoint({
      ...common,
      route: `GET ${path('/:discussion_id/notes')}`,
      summary: `List the notes of a thread on ${noun}`,
      allow: mayReadNotes,
      input: Type.Object({ ...thread, ...renderHtmlInput }),
      answer: Type.Array(NoteJson),
      run: async (context) => showNotes(context, await getThread(context)),
    }),

    endpoint({
      ...common,
      route: `POST ${path('/:discussion_id/notes')}`,
      body_bytes_max: limits.issuable_body_bytes,
      summary: `Reply to a thread on ${noun}`,
      allow: mayWriteNotes,
      input: Type.Object({ ...thread, ...noteInput }),
      status: 201,
      answer: NoteJson,
      async run(context) {
        const { input } = context
        const first = await getThreadStart(context)
        const { note } = await replyToThread(context, {
          first,
          body: input.body,
          isResolvable,
          ...expiryInstant(context, input.created_at),
        })
        if (!note) throw badRequest(`Note {:note=>["can't be blank"]}`)
        return showPlainNote(context, await getNote(context, note.id))
      },
    }),

    endpoint({
      ...common,
      route: `GET ${path('/:discussion_id/notes/:note_id')}`,
      summary: `Get a note of a thread on ${noun}`,
      allow: mayReadNotes,
      input: Type.Object({ ...one, ...renderHtmlInput }),
      answer: NoteJson,
      run: async (context) => showNote(context, await getThreadNote(context)),
    }),

    endpoint({
      ...common,
      route: `PUT ${path('/:discussion_id/notes/:note_id')}`,
      body_bytes_max: limits.issuable_body_bytes,
      summary: `Change or resolve a note of a thread on ${noun}`,
      allow: mayEditNotes,
      input: Type.Object({
        ...one,
        body: Type.Optional(nonBlankText()),
        resolved: optionalBoolean,
      }),
      rules: [exactlyOne],
      answer: NoteJson,
      load: getThreadNote,
      authorize(context) {
        const { input, loaded: note } = context
        if (input.body !== undefined) return mayEditLoadedNote(context)
        return !note.resolvable || mayResolveNote(context, note)
      },
      async run(context) {
        const { input, loaded: note } = context
        if (input.body !== undefined) await changeNoteBody(context, note, input.body)
        else {
          if (!note.resolvable) throw badRequest('Note is not resolvable')
          const { discussion_id } = note
          const resolved = input.resolved ?? false
          await setThreadResolved(context, { discussion_id, resolved, note_id: note.id })
        }
        return showPlainNote(context, await getNote(context, note.id))
      },
    }),

    endpoint({
      ...common,
      route: `DELETE ${path('/:discussion_id/notes/:note_id')}`,
      summary: `Delete a note of a thread on ${noun}`,
      allow: mayEditNotes,
      input: Type.Object(one),
      status: 204,
      load: getThreadNote,
      authorize: mayEditLoadedNote,
      run: (context) => removeNote(context, context.loaded),
    }),
  ]
  if (!isResolvable) return endpoints
  return [
    ...endpoints,
    endpoint({
      ...common,
      route: `PUT ${path('/:discussion_id')}`,
      summary: `Resolve or reopen a thread on ${noun}`,
      allow: mayEditNotes,
      input: Type.Object({ ...thread, resolved: Type.Boolean() }),
      answer: DiscussionJson,
      async load(context) {
        const note = await getThreadStart(context)
        if (!note.resolvable) throw badRequest('Note is not resolvable')
        return note
      },
      authorize: (context) => mayResolveNote(context, context.loaded),
      async run(context) {
        const { input } = context
        const { discussion_id, resolved } = input
        await setThreadResolved(context, { discussion_id, resolved })
        return showThread(context)
      },
    }),
  ]
}
