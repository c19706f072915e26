import { type TInteger, Type } from 'typebox'
import type { Rule } from '../../../access/rule.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { notFound, recordNotFound, unauthorized } from '../../../kernel/errors.ts'
import {
  type IssuableSubject,
  issueLoader,
  mayDiscussIssuable,
  mayReadIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { isUnarchived } from '../../../subjects/project.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { markTodosDoneOfIssuable } from '../../planning/issuables/issuable.ts'
import { findNote } from '../notes/note.ts'
import {
  type AwardTarget,
  type AwardWithUser,
  deleteAward,
  insertAward,
  listAwards,
  listNoteAwards,
  updateThumbCount,
} from './award.store.ts'
import { isEmojiName } from './emoji.ts'

const tag = 'Award emoji'

const AwardJson = namedObject('Award', {
  id: Type.Integer(),
  name: Type.String(),
  user: BasicUserJson,
  created_at: Type.String(),
  updated_at: Type.String(),
  awardable_id: Type.Integer(),
  awardable_type: Type.String(),
})

type AwardContext = Context<IssuableSubject, { note_id?: number }>

/** Returns the note in the path, if there is one, otherwise the issue or merge request. */
async function awardableOf(context: AwardContext): Promise<AwardTarget> {
  const { db, actor, level, subject, input } = context
  const issuable_id = subject.issuable.id
  if (input.note_id === undefined) return { column: 'issuable_id', id: issuable_id }
  const note = await findNote(db, { reader: { actor, level }, issuable_id, id: input.note_id })
  if (!note) throw recordNotFound()
  return { column: 'note_id', id: note.id }
}

function present(
  { subject, baseUrl }: Pick<AwardContext, 'subject' | 'baseUrl'>,
  award: AwardWithUser,
) {
  const kinds = { issue: 'Issue', merge_request: 'MergeRequest' } as const
  return {
    id: award.id,
    name: award.name,
    user: presentBasicUser(award.user, baseUrl),
    created_at: award.created_at,
    updated_at: award.updated_at,
    awardable_id: award.note_id ?? subject.issuable.id,
    awardable_type: award.note_id === null ? kinds[subject.issuable.kind] : 'Note',
  }
}

async function getAward(context: AwardContext, award_id: number): Promise<AwardWithUser> {
  const awardable = await awardableOf(context)
  const page = { offset: 0, per_page: 1, award_id }
  const [award] = (await listAwards(context.db, awardable, page)).rows
  if (!award) throw recordNotFound()
  return award
}

/** Returns a 404 with the text for a refused award, whatever the reason (docs/api/notes.md, "Awards"). */
const refusedAward = (reason: string) => notFound(`Award Emoji ${reason}`)

async function give(context: Context<IssuableSubject, { note_id?: number; name: string }>) {
  const { db, clock, user, subject, input } = context
  const awardable = await awardableOf(context)
  const name = input.name.trim()
  if (!(await isEmojiName(name))) throw refusedAward('Name is not a valid emoji name')
  const now = timestamp(clock)
  const row = { [awardable.column]: awardable.id, user_id: user.id, name }
  const award = await insertAward(db, {
    ...row,
    name,
    user_id: user.id,
    created_at: now,
    updated_at: now,
  })
  if (!award) throw refusedAward('Name has already been taken')
  if (awardable.column === 'issuable_id') {
    await updateThumbCount(db, subject.issuable, { name, by: 1, now })
    await markTodosDoneOfIssuable(db, clock, { issuable_id: subject.issuable.id, user_id: user.id })
  }
  await publishAwardChange(context)
  return present(context, await getAward(context, award.id))
}

const publishAwardChange = ({ db, subject: { issuable } }: Context<IssuableSubject, unknown>) =>
  publishChange(db, `${issuable.kind}:${issuable.id}`)

async function takeBack(context: AwardContext & { loaded: AwardWithUser }): Promise<void> {
  const { db, clock, subject, request, loaded: award } = context
  checkIfUnmodifiedSince(request, award.updated_at)
  await deleteAward(db, award.id)
  await publishAwardChange(context)
  if (award.issuable_id === null) return
  const now = timestamp(clock)
  await updateThumbCount(db, subject.issuable, { name: award.name, by: -1, now })
}

const takeBackAwards: Rule<IssuableSubject> = (facts) =>
  facts.actor.user !== undefined && isUnarchived(facts.subject) && mayReadIssuable(facts)

function endpointsOf(
  base: string,
  { on, noun }: { on: SubjectLoader<IssuableSubject>; noun: string },
): readonly Endpoint[] {
  const isOnNote = base.endsWith(':note_id')
  // Awards of the issue or merge request itself have no note in the path.
  const path = (isOnNote ? { note_id: Type.Integer() } : {}) as { note_id: TInteger }
  const url = `/projects/:id/${base}/award_emoji` as const
  const one = { ...path, award_id: Type.Integer() }
  return [
    endpoint({
      tag,
      on,
      route: `GET ${url}`,
      summary: `List the award emoji of ${noun}`,
      allow: mayReadIssuable,
      input: Type.Object({ ...path, ...pageInput }),
      answer: Type.Array(AwardJson),
      async run(context) {
        const { rows, total } = await listAwards(
          context.db,
          await awardableOf(context),
          context.range,
        )
        return new Page({ items: rows.map((award) => present(context, award)), total })
      },
    }),

    endpoint({
      tag,
      on,
      route: `GET ${url}/:award_id`,
      summary: `Get an award emoji of ${noun}`,
      allow: mayReadIssuable,
      input: Type.Object(one),
      answer: AwardJson,
      async run(context) {
        return present(context, await getAward(context, context.input.award_id))
      },
    }),

    endpoint({
      tag,
      on,
      route: `POST ${url}`,
      summary: `Award an emoji to ${noun}`,
      allow: mayDiscussIssuable,
      refusal: () => notFound('Award Emoji'),
      input: Type.Object({ ...path, name: Type.String() }),
      status: 201,
      answer: AwardJson,
      run: (context) => give(context),
    }),

    endpoint({
      tag,
      on,
      route: `DELETE ${url}/:award_id`,
      summary: `Remove an award emoji from ${noun}`,
      allow: takeBackAwards,
      input: Type.Object(one),
      status: 204,
      load: (context) => getAward(context, context.input.award_id),
      authorize: ({ user, loaded: award }) =>
        award.user_id === user.id || user.is_admin || unauthorized(),
      run: takeBack,
    }),
  ]
}

/** An extension of this server: returns the awards of all notes, so that pages need no request for each note. */
const ofAllNotes = (
  base: string,
  { on, noun }: { on: SubjectLoader<IssuableSubject>; noun: string },
) =>
  endpoint({
    tag,
    on,
    route: `GET /projects/:id/${base}/note_award_emoji` as `GET /${string}`,
    summary: `List the award emoji of all notes on ${noun}`,
    signIn: 'always',
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(AwardJson),
    async run(context) {
      const { db, actor, level, subject, range } = context
      const of = { issuable_id: subject.issuable.id, reader: { actor, level } }
      const { rows, total } = await listNoteAwards(db, of, range)
      return new Page({ items: rows.map((award) => present(context, award)), total })
    },
  })

const issue = { on: issueLoader, noun: 'an issue' }
const mergeRequest = { on: mergeRequestLoader, noun: 'a merge request' }

export const awardEndpoints: readonly Endpoint[] = [
  ...endpointsOf('issues/:issue_iid', issue),
  ...endpointsOf('issues/:issue_iid/notes/:note_id', { ...issue, noun: 'a note on an issue' }),
  ofAllNotes('issues/:issue_iid', issue),
  ...endpointsOf('merge_requests/:merge_request_iid', mergeRequest),
  ofAllNotes('merge_requests/:merge_request_iid', mergeRequest),
  ...endpointsOf('merge_requests/:merge_request_iid/notes/:note_id', {
    ...mergeRequest,
    noun: 'a note on a merge request',
  }),
]
