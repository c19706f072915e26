// Threads on issues and merge requests (docs/api/notes.md, "Threads").
import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { type Endpoint, endpoint, type SubjectLoader } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import type { ParameterRule } from '../../../http/parameters.ts'
import {
  dateTime,
  filledText,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
  record,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, forbidden, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { IssuableSubject } from '../../../subjects/issuable.ts'
import { addSystemNotes } from '../issuables/issuable.ts'
import { editNotes, mayResolve, readNotes, writeNotes } from './note.policy.ts'
import {
  editNote,
  getNote,
  htmlInput,
  type NoteContext,
  removeNote,
  show,
  showAll,
  showRead,
} from './note.routes.ts'
import {
  hasOpenThread,
  listThreadNotes,
  listThreads,
  openThread,
  resolveNotes,
} from './note.store.ts'
import { type FullNote, NoteJson } from './note.ts'
import { type NoteRequest, writeNote } from './write-note.ts'

const DiscussionJson = record('Discussion', {
  id: Type.String(),
  individual_note: Type.Boolean(),
  notes: Type.Array(NoteJson),
})

const lineEnd = Type.Optional(
  record('LineEndInput', {
    line_code: optionalText,
    type: optionalText,
    old_line: optionalInteger,
    new_line: optionalInteger,
  }),
)
const positionInput = Type.Optional(
  record('PositionInput', {
    base_sha: Type.String(),
    start_sha: Type.String(),
    head_sha: Type.String(),
    position_type: Type.String(),
    new_path: optionalText,
    new_line: optionalInteger,
    old_path: optionalText,
    old_line: optionalInteger,
    width: optionalInteger,
    height: optionalInteger,
    x: Type.Optional(Type.Number()),
    y: Type.Optional(Type.Number()),
    line_range: Type.Optional(record('LineRangeInput', { start: lineEnd, end: lineEnd })),
  }),
)
const PositionObject = Type.Object({ position: positionInput })
export type PositionInput = NonNullable<Static<typeof PositionObject>['position']>

/** Where on the diff of a merge request a note stands; throws 400 for a line that is not in it. */
export type PlaceNote = (
  context: NoteContext,
  position: PositionInput,
) => Promise<Pick<NoteRequest, 'position' | 'commit_id'>>

function presentDiscussion(
  id: string,
  notes: Static<typeof NoteJson>[],
): Static<typeof DiscussionJson> {
  return { id, individual_note: notes.every(({ type }) => type === null), notes }
}

type ThreadContext = NoteContext<{ discussion_id: string }>

/** The visible notes of the thread; 404 without any. */
async function getThread(context: ThreadContext): Promise<FullNote[]> {
  const { db, actor, level, subject, input } = context
  const id = input.discussion_id
  const threads = await listThreadNotes(db, {
    reader: { actor, level },
    issuable_id: subject.issuable.id,
    discussion_ids: [id],
  })
  const notes = threads.get(id)
  if (!notes) throw notFound('Discussion')
  return notes
}

async function showThread(context: ThreadContext & NoteContext<{ render_html?: boolean }>) {
  const notes = await showAll(context, await getThread(context))
  return presentDiscussion(context.input.discussion_id, notes)
}

/** The note of the thread; 404 for one of another. */
async function getThreadNote(
  context: NoteContext<{ discussion_id: string; note_id: number }>,
): Promise<FullNote> {
  const note = (await getThread(context)).find(({ id }) => id === context.input.note_id)
  if (!note) throw notFound('Note')
  return note
}

/** Resolves the thread, or one note of it, or opens it again; a note tells once all of them are resolved. */
async function resolve(
  context: ThreadContext,
  { resolved, note_id }: { resolved: boolean; note_id?: number },
): Promise<void> {
  const { db: tx, clock, user, subject } = context
  const issuable_id = subject.issuable.id
  const now = timestamp(clock)
  const changed = await resolveNotes(tx, {
    issuable_id,
    discussion_id: context.input.discussion_id,
    note_id,
    by: resolved ? { user_id: user.id, now } : undefined,
  })
  if (changed === 0 || !resolved || (await hasOpenThread(tx, issuable_id))) return
  await addSystemNotes(tx, clock, {
    issuable: subject.issuable,
    author_id: user.id,
    bodies: ['resolved all threads'],
  })
}

const exactlyOne: ParameterRule = ({ body, resolved }) => {
  if (body === undefined && resolved === undefined) {
    return 'body, resolved are missing, exactly one parameter must be provided'
  }
  return body !== undefined && resolved !== undefined
    ? 'body, resolved are mutually exclusive'
    : undefined
}

/** The threads of issues, and of merge requests, where they can stand on the diff and be resolved. */
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
  /** Of merge requests. */
  place?: PlaceNote
}): readonly Endpoint[] {
  const common = { tag, on, signIn: 'always' as const }
  const thread = { discussion_id: Type.String() }
  const one = { ...thread, note_id: Type.Integer() }
  const isResolvable = place !== undefined
  const noteInput = { body: Type.String(), created_at: Type.Optional(dateTime()) }
  const path = (rest: string) => `${base}/discussions${rest}` as `/${string}`
  const momentOf = ({ level }: NoteContext, created_at: string | undefined) =>
    level >= Level.owner && created_at !== undefined ? { created_at } : {}
  const endpoints = [
    endpoint({
      ...common,
      route: `GET ${path('')}`,
      summary: `List the threads on ${noun}`,
      allow: readNotes,
      input: Type.Object({ ...htmlInput, ...pageInput }),
      answer: Type.Array(DiscussionJson),
      async run(context) {
        const { db, actor, level, subject, range } = context
        const of = { reader: { actor, level }, issuable_id: subject.issuable.id }
        const { rows, total } = await listThreads(db, of, range)
        const notes = await listThreadNotes(db, { ...of, discussion_ids: rows })
        const shown = await showAll(context, [...notes.values()].flat())
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
      allow: readNotes,
      input: Type.Object({ ...thread, ...htmlInput }),
      answer: DiscussionJson,
      run: showThread,
    }),

    endpoint({
      ...common,
      route: `POST ${path('')}`,
      body_bytes_max: limits.issuable_body_bytes,
      summary: `Begin a thread on ${noun}`,
      allow: writeNotes,
      // The diff is read by git.
      ...(isResolvable && { transaction: 'none' as const }),
      input: Type.Object({
        ...noteInput,
        ...(isResolvable && { commit_id: optionalText, position: positionInput }),
      }),
      status: 201,
      answer: DiscussionJson,
      async run(context) {
        const { input, db } = context
        const { position, commit_id } = input as { position?: PositionInput; commit_id?: string }
        const placed = position && place ? await place(context, position) : undefined
        const request = {
          body: input.body,
          type: placed ? ('DiffNote' as const) : ('DiscussionNote' as const),
          resolvable: isResolvable,
          commit_id: commit_id ?? null,
          ...placed,
          ...momentOf(context, input.created_at),
        }
        const write = (tx: NoteContext['db']) => writeNote({ ...context, db: tx }, request)
        const { note } = isResolvable ? await db.transaction().execute(write) : await write(db)
        if (!note) throw badRequest(`Note {:note=>["can't be blank"]}`)
        const made = await getNote(context, note.id)
        return presentDiscussion(made.discussion_id, [show(context, made)])
      },
    }),

    endpoint({
      ...common,
      route: `GET ${path('/:discussion_id/notes')}`,
      summary: `List the notes of a thread on ${noun}`,
      allow: readNotes,
      input: Type.Object({ ...thread, ...htmlInput }),
      answer: Type.Array(NoteJson),
      run: async (context) => showAll(context, await getThread(context)),
    }),

    endpoint({
      ...common,
      route: `POST ${path('/:discussion_id/notes')}`,
      body_bytes_max: limits.issuable_body_bytes,
      summary: `Answer in a thread on ${noun}`,
      allow: writeNotes,
      input: Type.Object({ ...thread, ...noteInput }),
      status: 201,
      answer: NoteJson,
      async run(context) {
        const { db, subject, input } = context
        const [first] = await getThread(context)
        if (!first || first.system) throw badRequest('Discussion can not be replied to.')
        const { discussion_id } = first
        const issuable_id = subject.issuable.id
        if (first.type === null) {
          await openThread(db, { issuable_id, discussion_id, resolvable: isResolvable })
        }
        const { note } = await writeNote(context, {
          body: input.body,
          discussion_id,
          type: first.type ?? 'DiscussionNote',
          resolvable: isResolvable,
          ...(first.position && { position: first.position }),
          ...momentOf(context, input.created_at),
        })
        if (!note) throw badRequest(`Note {:note=>["can't be blank"]}`)
        return show(context, await getNote(context, note.id))
      },
    }),

    endpoint({
      ...common,
      route: `GET ${path('/:discussion_id/notes/:note_id')}`,
      summary: `Get a note of a thread on ${noun}`,
      allow: readNotes,
      input: Type.Object({ ...one, ...htmlInput }),
      answer: NoteJson,
      run: async (context) => showRead(context, await getThreadNote(context)),
    }),

    endpoint({
      ...common,
      route: `PUT ${path('/:discussion_id/notes/:note_id')}`,
      body_bytes_max: limits.issuable_body_bytes,
      summary: `Change or resolve a note of a thread on ${noun}`,
      allow: editNotes,
      input: Type.Object({
        ...one,
        body: Type.Optional(filledText()),
        resolved: optionalBoolean,
      }),
      rules: [exactlyOne],
      answer: NoteJson,
      async run(context) {
        const { input, subject, level, actor } = context
        const note = await getThreadNote(context)
        if (input.body !== undefined) await editNote(context, note, input.body)
        else {
          if (!note.resolvable) throw badRequest('Note is not resolvable')
          if (!mayResolve(subject, { note, level, actor })) throw forbidden()
          await resolve(context, { resolved: input.resolved ?? false, note_id: note.id })
        }
        return show(context, await getNote(context, note.id))
      },
    }),

    endpoint({
      ...common,
      route: `DELETE ${path('/:discussion_id/notes/:note_id')}`,
      summary: `Delete a note of a thread on ${noun}`,
      allow: editNotes,
      input: Type.Object(one),
      status: 204,
      run: async (context) => removeNote(context, await getThreadNote(context)),
    }),
  ]
  if (!isResolvable) return endpoints
  return [
    ...endpoints,
    endpoint({
      ...common,
      route: `PUT ${path('/:discussion_id')}`,
      summary: `Resolve a thread on ${noun}, or open it again`,
      allow: editNotes,
      input: Type.Object({ ...thread, resolved: Type.Boolean() }),
      answer: DiscussionJson,
      async run(context) {
        const { subject, level, actor, input } = context
        const [note] = await getThread(context)
        if (!note?.resolvable) throw badRequest('Note is not resolvable')
        if (!mayResolve(subject, { note, level, actor })) throw forbidden()
        await resolve(context, { resolved: input.resolved })
        return showThread(context)
      },
    }),
  ]
}
