// Notes on merge requests that only their author sees until they are published (docs/api/draft-notes.md).

import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { toJson } from '../../../db/dialect.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  nonBlankText,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badParameters, badRequest, invalid, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type IssuableSubject,
  mayDiscussIssuable,
  mayReadIssuable,
  mayUpdateIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { reviewVerdicts, submitReview } from '../approvals/submit-review.ts'
import { applyMergeRequestActions } from '../merging/quick-actions.ts'
import type { Note } from '../notes/note.ts'
import { reviewPublishedEffect } from '../notes/note-created.ts'
import { type DiffPositionInput, diffPositionInput } from '../notes/position.ts'
import { resolveDiffPosition } from '../notes/resolve-diff-position.ts'
import { findThreadStart } from '../notes/thread.ts'
import { checkNoteBody, createNote } from '../notes/write-note.ts'
import { setReviewerStateToStarted } from '../reviewers/reviewer.ts'
import { DraftNoteJson, presentDraftNote } from './draft-note.present.ts'
import {
  countDraftNotes,
  type DraftNote,
  deleteDraftNote,
  findDraftNote,
  insertDraftNote,
  listDraftNotes,
  updateDraftNote,
} from './draft-note.store.ts'
import { publishDraftNote } from './publish-draft.ts'

const endpoint = endpointFactory({ tag: 'Draft notes', on: mergeRequestLoader, signIn: 'always' })
const base = '/projects/:id/merge_requests/:merge_request_iid/draft_notes'
const idInput = { draft_note_id: Type.Integer() }

type DraftContext<Input = unknown> = Context<IssuableSubject, Input>

const ofCaller = ({ user, subject }: DraftContext) => ({
  author_id: user.id,
  issuable_id: subject.issuable.id,
})

async function getDraft(context: DraftContext<{ draft_note_id: number }>): Promise<DraftNote> {
  const of = { ...ofCaller(context), id: context.input.draft_note_id }
  const draft = await findDraftNote(context.db, of)
  if (!draft) throw recordNotFound()
  return draft
}

/** Returns the columns of a position. Throws 400 for a line that is not in the diff. */
async function placed(context: DraftContext, given: DiffPositionInput | undefined) {
  if (!given) return {}
  const { position, line_code } = await resolveDiffPosition(context, given)
  return { position: position ? toJson(position) : null, line_code }
}

const isHash = (text: string) => /^[0-9a-f]{40}$/.test(text)

export const draftNoteEndpoints = [
  endpoint({
    route: `GET ${base}`,
    summary: 'List your draft notes on a merge request',
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(DraftNoteJson),
    async run(context) {
      const { rows, total } = await listDraftNotes(context.db, ofCaller(context), context.range)
      return new Page({ items: rows.map(presentDraftNote), total })
    },
  }),

  endpoint({
    route: `GET ${base}/:draft_note_id`,
    summary: 'Get a draft note',
    allow: mayReadIssuable,
    input: Type.Object(idInput),
    answer: DraftNoteJson,
    run: async (context) => presentDraftNote(await getDraft(context)),
  }),

  endpoint({
    route: `POST ${base}`,
    summary: 'Create a draft note',
    allow: mayDiscussIssuable,
    // git reads the diff first, so no transaction is open meanwhile.
    transaction: 'none',
    body_bytes_max: limits.issuable_body_bytes,
    input: Type.Object({
      note: Type.String(),
      in_reply_to_discussion_id: optionalText,
      commit_id: optionalText,
      resolve_discussion: optionalBoolean,
      position: diffPositionInput,
    }),
    status: 201,
    answer: DraftNoteJson,
    async run(context) {
      const { db, clock, input } = context
      checkNoteBody(input.note)
      const { in_reply_to_discussion_id: discussion_id = null, commit_id = null } = input
      if (commit_id !== null && !isHash(commit_id)) throw badParameters(['commit_id is invalid'])
      const first =
        discussion_id === null ? undefined : await findThreadStart(context, discussion_id)
      if (discussion_id !== null && !first) {
        throw invalid({ base: ['Thread to reply to cannot be found'] })
      }
      const of = ofCaller(context)
      const place = await placed(context, first ? undefined : input.position)
      const now = timestamp(clock)
      const draft = await runTransaction(db, async (tx) => {
        await lockOwner(tx, { kind: 'user', id: of.author_id })
        if ((await countDraftNotes(tx, of)) >= limits.draft_notes_max) {
          throw badRequest(
            `A merge request has at most ${limits.draft_notes_max} draft notes of one user`,
          )
        }
        const { issuable_id, author_id: user_id } = of
        await setReviewerStateToStarted(tx, { issuable_id, user_id })
        return insertDraftNote(tx, {
          ...of,
          note: input.note,
          discussion_id,
          resolve_discussion: input.resolve_discussion ?? false,
          commit_id,
          ...place,
          created_at: now,
          updated_at: now,
        })
      })
      return presentDraftNote(draft)
    },
  }),

  endpoint({
    route: `PUT ${base}/:draft_note_id`,
    summary: 'Update a draft note',
    allow: mayDiscussIssuable,
    transaction: 'none',
    body_bytes_max: limits.issuable_body_bytes,
    input: Type.Object({
      ...idInput,
      note: Type.Optional(nonBlankText()),
      position: diffPositionInput,
    }),
    answer: DraftNoteJson,
    async run(context) {
      const { db, clock, input } = context
      const draft = await getDraft(context)
      if (input.note !== undefined) checkNoteBody(input.note)
      const fields = {
        ...(input.note !== undefined && { note: input.note }),
        ...(await placed(context, draft.discussion_id === null ? input.position : undefined)),
        updated_at: timestamp(clock),
      }
      return presentDraftNote(await updateDraftNote(db, draft.id, fields))
    },
  }),

  endpoint({
    route: `DELETE ${base}/:draft_note_id`,
    summary: 'Delete a draft note',
    allow: mayReadIssuable,
    input: Type.Object(idInput),
    status: 204,
    async run(context) {
      await deleteDraftNote(context.db, (await getDraft(context)).id)
    },
  }),

  endpoint({
    route: `PUT ${base}/:draft_note_id/publish`,
    summary: 'Publish a draft note',
    allow: mayDiscussIssuable,
    input: Type.Object(idInput),
    status: 204,
    async run(context) {
      await publishDraftNote(context, await getDraft(context), { isOfReview: false })
    },
  }),

  endpoint({
    route: `POST ${base}/bulk_publish`,
    summary: 'Publish all draft notes on a merge request and submit the review',
    allow: mayDiscussIssuable,
    authorize: ({ input, subject, level, actor }) =>
      (!input.reviewer_state || mayUpdateIssuable({ subject, level, actor })) &&
      (!input.internal || level >= Level.reporter),
    body_bytes_max: limits.issuable_body_bytes,
    input: Type.Object({
      note: Type.Optional(
        Type.String({ description: 'A summary, as a comment that is no thread.' }),
      ),
      internal: optionalBoolean,
      reviewer_state: Type.Optional(oneOf(reviewVerdicts)),
    }),
    status: 204,
    async run(context) {
      const { db, clock, user, subject, input } = context
      const range = { offset: 0, per_page: limits.draft_notes_max }
      const { rows } = await listDraftNotes(db, ofCaller(context), range)
      const notes: Note[] = []
      for (const draft of rows) {
        const note = await publishDraftNote(context, draft, { isOfReview: true })
        if (note) notes.push(note)
      }
      if (input.note?.trim()) {
        const { own, note } = await createNote(context, {
          body: input.note,
          confidential: input.internal ?? false,
          isOfReview: true,
        })
        await applyMergeRequestActions(context, own)
        // The summary comes first in the notification.
        if (note) notes.unshift(note)
      }
      const { issuable } = subject
      await reviewPublishedEffect.run({
        ...{ tx: db, clock, project_id: subject.id, issuable_id: issuable.id, user_id: user.id },
        notes: notes.map(({ id, confidential }) => ({ id, confidential })),
      })
      const verdict = input.reviewer_state
      if (verdict) await submitReview(db, clock, { issuable, user_id: user.id, verdict })
    },
  }),
]
