// Issues about a vulnerability (docs/api/vulnerabilities.md, "Issues").

import { Type } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, oneOf } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { findIssuable, type Issuable } from '../../../subjects/issuable.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { findVisibleProject, parseProjectId } from '../../../subjects/project.ts'
import { IssueJson, showIssues } from '../../planning/issues/show-issues.ts'
import {
  countIssueLinks,
  deleteIssueLink,
  insertIssueLink,
  listIssueLinks,
} from './issue-link.store.ts'
import {
  mayReadVulnerabilities,
  mayWriteVulnerabilities,
  type VulnerabilitySubject,
  vulnerabilityLoader,
} from './vulnerability.policy.ts'
import { presentVulnerability, VulnerabilityJson } from './vulnerability.present.ts'
import { getProjectDescriptionFields } from './vulnerability.store.ts'

const endpoint = endpointFactory({
  tag: 'Vulnerabilities',
  tier: 'ultimate',
  signIn: 'always',
  on: vulnerabilityLoader,
})
const url = '/vulnerabilities/:id/issue_links' as const
const linkTypes = ['related', 'created'] as const

const LinkedIssueJson = namedObject('VulnerabilityIssue', {
  ...IssueJson.properties,
  vulnerability_link_id: Type.Integer(),
  vulnerability_link_type: oneOf(linkTypes),
})
const IssueLinkJson = namedObject('VulnerabilityIssueLink', {
  id: Type.Integer(),
  link_type: oneOf(linkTypes),
  vulnerability: VulnerabilityJson,
  issue: IssueJson,
})

/** Returns the issue to link. Throws 404 if the caller cannot see it or its project. */
async function getIssue(
  db: Db,
  actor: Actor,
  { project_id, iid }: { project_id: string; iid: number },
): Promise<Issuable> {
  const key = parseProjectId(project_id)
  const found = key && (await findVisibleProject(db, actor, key))
  if (!found) throw notFound('Project')
  const of = { project_id: found.project.id, kind: 'issue' as const, iid }
  const target = await findIssuable(db, actor, of)
  if (!target) throw notFound('Issue')
  return target.issuable
}

async function show(
  context: Context<VulnerabilitySubject, unknown>,
  { id, link_type, issue }: { id: number; link_type: string; issue: Issuable },
) {
  const { db, subject: project } = context
  const facts = await getProjectDescriptionFields(db, project.id)
  const [shown] = await showIssues(context, [issue])
  const vulnerability = presentVulnerability(project.vulnerability, { project, facts })
  return { id, link_type, vulnerability, issue: shown }
}

export const issueLinkEndpoints = [
  endpoint({
    route: `GET ${url}`,
    summary: 'List the issues linked to a vulnerability',
    allow: mayReadVulnerabilities,
    answer: Type.Array(LinkedIssueJson),
    async run(context) {
      const { db, actor, subject } = context
      const links = await listIssueLinks(db, actor, subject.vulnerability.id)
      const rows = links.map(({ issue }) => issue)
      const issues = await showIssues(context, rows, { within: subject.full_path })
      return issues.map((issue, at) => ({
        ...issue,
        vulnerability_link_id: links[at]?.link.id,
        vulnerability_link_type: links[at]?.link.link_type,
      }))
    },
  }),

  endpoint({
    route: `POST ${url}`,
    summary: 'Link a vulnerability to an issue',
    allow: mayWriteVulnerabilities,
    input: Type.Object({
      target_project_id: Type.String({ description: 'ID or full path of the project.' }),
      target_issue_iid: Type.Integer(),
      link_type: Type.Optional(oneOf(linkTypes, { default: 'related' })),
    }),
    status: 201,
    answer: IssueLinkJson,
    async run(context) {
      const { db, clock, actor, subject, input } = context
      const { target_project_id: project_id, target_issue_iid: iid, link_type = 'related' } = input
      const issue = await getIssue(db, actor, { project_id, iid })
      const vulnerability_id = subject.vulnerability.id
      const maximum = limits.vulnerability_issue_links_max
      await lockOwner(db, { kind: 'vulnerability', id: vulnerability_id })
      if ((await countIssueLinks(db, vulnerability_id)) >= maximum) {
        throw invalid({ base: [`Maximum number of linked issues (${maximum}) exceeded`] })
      }
      const link = await insertIssueLink(db, {
        vulnerability_id,
        issue_id: issue.id,
        link_type,
        created_at: timestamp(clock),
      })
      if (!link) throw invalid({ issue_id: ['has already been taken'] })
      return show(context, { ...link, issue })
    },
  }),

  endpoint({
    route: `DELETE ${url}/:issue_link_id`,
    summary: 'Remove the link between a vulnerability and an issue',
    allow: mayWriteVulnerabilities,
    input: Type.Object({ issue_link_id: Type.Integer() }),
    answer: IssueLinkJson,
    async run(context) {
      const { db, actor, subject, input } = context
      const links = await listIssueLinks(db, actor, subject.vulnerability.id)
      const found = links.find(({ link }) => link.id === input.issue_link_id)
      if (!found) throw notFound()
      await deleteIssueLink(db, found.link.id)
      return show(context, { ...found.link, issue: found.issue })
    },
  }),
]
