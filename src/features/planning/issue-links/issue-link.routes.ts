import { Type } from 'typebox'
import type { Rule } from '../../../access/rule.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, oneOf } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import {
  findIssuable,
  type IssuableSubject,
  issueLoader,
  mayReadIssuable,
  shortIssuableReference,
} from '../../../subjects/issuable.ts'
import { findVisibleProject } from '../../../subjects/project.ts'
import { insertSystemNotes } from '../issuables/issuable.ts'
import { BasicIssueJson, IssueJson, showBasicIssues, showIssues } from '../issues/show-issues.ts'
import {
  deleteIssueLink,
  findIssueLink,
  type IssueLink,
  listIssueLinks,
} from './issue-link.store.ts'
import {
  issueLinkTypeSeenFrom,
  linkIssues,
  mayWriteIssueLinks,
  referenceFromIssue,
} from './link-issues.ts'

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
    summary: 'List the linked issues of an issue',
    allow: signedInReader,
    answer: Type.Array(LinkedIssueJson),
    async run(context) {
      const { db, actor, subject } = context
      const links = await listIssueLinks(db, actor, subject.issuable.id)
      const rows = links.map(({ other }) => other)
      const issues = await showIssues(context, rows, { within: subject.full_path })
      return issues.map((issue, at) => {
        const link = links[at]?.link
        return {
          ...issue,
          issue_link_id: link?.id,
          link_type: link && issueLinkTypeSeenFrom(subject.issuable.id, link),
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
      const links = await listIssueLinks(db, actor, subject.issuable.id)
      const found = links.find(({ link }) => link.id === input.issue_link_id)
      if (!found) throw notFound()
      return show(context, found.link)
    },
  }),

  endpoint({
    route: `POST ${url}`,
    summary: 'Link two issues',
    allow: mayWriteIssueLinks,
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
      const { target_project_id, target_issue_iid, link_type = 'relates_to' } = context.input
      return show(
        context,
        await linkIssues(context, {
          project_id: target_project_id,
          iid: target_issue_iid,
          link_type,
        }),
      )
    },
  }),

  endpoint({
    route: `DELETE ${url}/:issue_link_id`,
    summary: 'Remove a link between two issues',
    allow: mayWriteIssueLinks,
    input: Type.Object({ issue_link_id: Type.Integer() }),
    answer: LinkJson,
    async run(context) {
      const { db, clock, actor, user, subject, input } = context
      const of = { issue_id: subject.issuable.id, id: input.issue_link_id }
      const seen = await listIssueLinks(db, actor, subject.issuable.id)
      const link = await findIssueLink(db, of)
      const other = seen.find((one) => one.link.id === link?.id)?.other
      if (!link || !other) throw notFound()
      const shown = await show(context, link)
      await deleteIssueLink(db, link.id)
      const project = await findVisibleProject(db, actor, { id: other.project_id })
      const reference = project
        ? referenceFromIssue(subject, { ...project.project, issuable: other, isAssignee: false })
        : shortIssuableReference(other)
      await insertSystemNotes(db, clock, {
        issuable: subject.issuable,
        author_id: user.id,
        bodies: [`removed the relation with ${reference}`],
        about_id: other.id,
      })
      return shown
    },
  }),
]
