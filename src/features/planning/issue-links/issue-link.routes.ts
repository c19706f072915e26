import { Type } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, oneOf } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError, badParameters, conflict, notFound } from '../../../kernel/errors.ts'
import {
  findIssuable,
  type IssuableSubject,
  issueLoader,
  mayReadIssuable,
  shortReference,
} from '../../../subjects/issuable.ts'
import { findVisibleProject, isUnarchived, parseProjectId } from '../../../subjects/project.ts'
import { addSystemNotes } from '../issuables/issuable.ts'
import { shortReferenceWithin } from '../issuables/mention.ts'
import { BasicIssueJson, IssueJson, showBasicIssues, showIssues } from '../issues/show-issues.ts'
import { deleteLink, findLink, type IssueLink, insertLink, listLinks } from './issue-link.store.ts'

const endpoint = endpointFactory({ tag: 'Issue links', on: issueLoader, signIn: 'always' })
const url = '/projects/:id/issues/:issue_iid/links' as const

const LinkedIssueJson = namedObject('LinkedIssue', {
  ...IssueJson.properties,
  issue_link_id: Type.Integer(),
  link_type: Type.String(),
  link_created_at: Type.String(),
  link_updated_at: Type.String(),
})
const LinkJson = namedObject('IssueLink', {
  id: Type.Integer(),
  source_issue: BasicIssueJson,
  target_issue: BasicIssueJson,
  link_type: Type.String(),
})

type LinkContext<Input = unknown> = Context<IssuableSubject, Input>

const signedInReader: Rule<IssuableSubject> = (facts) =>
  facts.actor.user !== undefined && mayReadIssuable(facts)
/** Reporters and above, here and on the other side. */
const writeLinks: Rule<IssuableSubject> = (facts) =>
  facts.level >= Level.reporter && isUnarchived(facts.subject) && mayReadIssuable(facts)

const refusedTarget = () =>
  new ApiError(
    'not-found',
    'No matching issue found. Make sure that you are adding a valid issue URL.',
  )

/** The issue on the other side, which the caller may link too; 404 in a sentence otherwise. */
async function getTarget(
  db: Db,
  actor: Actor,
  { project_id, iid }: { project_id: string; iid: number },
): Promise<IssuableSubject> {
  const key = parseProjectId(project_id)
  const found = key && (await findVisibleProject(db, actor, key))
  if (!found) throw notFound('Project')
  const of = { project_id: found.project.id, kind: 'issue' as const, iid }
  const target = await findIssuable(db, actor, of)
  if (!target) throw refusedTarget()
  const subject = { ...found.project, ...target }
  if (!writeLinks({ subject, level: found.level, actor })) throw refusedTarget()
  return subject
}

/** The type of a link as it is at one of its ends: whoever is blocked is the target of a link that blocks. */
function linkTypeAt(
  issue_id: number,
  { link_type, target_id }: IssueLink,
): 'relates_to' | 'blocks' | 'is_blocked_by' {
  if (link_type !== 'blocks') return 'relates_to'
  return target_id === issue_id ? 'is_blocked_by' : 'blocks'
}

/** What the history of an issue says of a new link, before the name of the other issue. */
const linkNotes = {
  relates_to: 'marked this issue as related to',
  blocks: 'marked this issue as blocking',
  is_blocked_by: 'marked this issue as blocked by',
}

async function show(context: LinkContext, link: IssueLink) {
  const { db, actor } = context
  const ends = await Promise.all(
    [link.source_id, link.target_id].map(async (id) => {
      const found = await findIssuable(db, actor, { id })
      return found ? [found.issuable] : []
    }),
  )
  const [source_issue, target_issue] = await showBasicIssues(context, ends.flat())
  return { id: link.id, source_issue, target_issue, link_type: link.link_type }
}

export const issueLinkEndpoints = [
  endpoint({
    route: `GET ${url}`,
    summary: 'List the issues that an issue is linked with',
    allow: signedInReader,
    answer: Type.Array(LinkedIssueJson),
    async run(context) {
      const { db, actor, subject } = context
      const links = await listLinks(db, actor, subject.issuable.id)
      const rows = links.map(({ other }) => other)
      const issues = await showIssues(context, rows, { within: subject.full_path })
      return issues.map((issue, at) => {
        const link = links[at]?.link
        return {
          ...issue,
          issue_link_id: link?.id,
          link_type: link && linkTypeAt(subject.issuable.id, link),
          link_created_at: link?.created_at,
          link_updated_at: link?.updated_at,
        }
      })
    },
  }),

  endpoint({
    route: `GET ${url}/:issue_link_id`,
    summary: 'Get a link between two issues',
    allow: signedInReader,
    input: Type.Object({ issue_link_id: Type.Integer() }),
    answer: LinkJson,
    async run(context) {
      const { db, actor, subject, input } = context
      const links = await listLinks(db, actor, subject.issuable.id)
      const found = links.find(({ link }) => link.id === input.issue_link_id)
      if (!found) throw notFound()
      return show(context, found.link)
    },
  }),

  endpoint({
    route: `POST ${url}`,
    summary: 'Link two issues',
    allow: writeLinks,
    input: Type.Object({
      target_project_id: Type.String(),
      target_issue_iid: Type.Integer(),
      link_type: Type.Optional(
        oneOf(['relates_to', 'blocks', 'is_blocked_by'], { default: 'relates_to' }),
      ),
    }),
    status: 201,
    answer: LinkJson,
    async run(context) {
      const { db, clock, actor, user, subject, input, config } = context
      const { link_type = 'relates_to' } = input
      if (config.tier === 'free' && link_type !== 'relates_to') {
        throw badParameters(['link_type does not have a valid value'])
      }
      const target = await getTarget(db, actor, {
        project_id: input.target_project_id,
        iid: input.target_issue_iid,
      })
      const isTurned = link_type === 'is_blocked_by'
      const ends = isTurned
        ? { source_id: target.issuable.id, target_id: subject.issuable.id }
        : { source_id: subject.issuable.id, target_id: target.issuable.id }
      const now = timestamp(clock)
      const row = { ...ends, created_at: now, updated_at: now }
      const isSame = ends.source_id === ends.target_id
      const link = isSame
        ? undefined
        : await insertLink(db, { ...row, link_type: isTurned ? 'blocks' : link_type })
      if (!link) throw conflict('Issue(s) already assigned')
      const tell = (at: IssuableSubject, other: IssuableSubject) =>
        addSystemNotes(db, clock, {
          issuable: at.issuable,
          author_id: user.id,
          bodies: [`${linkNotes[linkTypeAt(at.issuable.id, link)]} ${nameOf(at, other)}`],
          about_id: other.issuable.id,
        })
      await tell(subject, target)
      await tell(target, subject)
      return show(context, link)
    },
  }),

  endpoint({
    route: `DELETE ${url}/:issue_link_id`,
    summary: 'Remove a link between two issues',
    allow: writeLinks,
    input: Type.Object({ issue_link_id: Type.Integer() }),
    answer: LinkJson,
    async run(context) {
      const { db, clock, actor, user, subject, input } = context
      const of = { issue_id: subject.issuable.id, id: input.issue_link_id }
      const seen = await listLinks(db, actor, subject.issuable.id)
      const link = await findLink(db, of)
      const other = seen.find((one) => one.link.id === link?.id)?.other
      if (!link || !other) throw notFound()
      const shown = await show(context, link)
      await deleteLink(db, link.id)
      const project = await findVisibleProject(db, actor, { id: other.project_id })
      const reference = project
        ? nameOf(subject, { ...project.project, issuable: other, isAssignee: false })
        : shortReference(other)
      await addSystemNotes(db, clock, {
        issuable: subject.issuable,
        author_id: user.id,
        bodies: [`removed the relation with ${reference}`],
        about_id: other.id,
      })
      return shown
    },
  }),
]

/** How the other one is named in this one's project. */
function nameOf(at: IssuableSubject, other: IssuableSubject): string {
  const reference = shortReference(other.issuable)
  return at.id === other.id ? reference : shortReferenceWithin(at, { from: other, reference })
}
