// Issues and merge requests as far as they are the same: lookups, access rules, URLs.
import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely'
import { Type } from 'typebox'
import { type Actor, isAdmin, type Viewer } from '../access/actor.ts'
import { Level } from '../access/level.ts'
import type { Facts, Rule } from '../access/rule.ts'
import {
  type BuilderWith,
  hasProjectLevelCondition,
  visibleProjectCondition,
} from '../access/visibility.ts'
import type { Db, IssuableTable, Schema } from '../db/db.ts'
import type { SubjectLoader } from '../http/endpoint.ts'
import { forbidden, notFound, recordNotFound } from '../kernel/errors.ts'
import { ownValue } from '../kernel/own-value.ts'
import {
  downloadableCodeCondition,
  isUnarchived,
  mayDownloadCode,
  type Project,
  projectLoader,
  projectUrl,
} from './project.ts'

export type Issuable = Selectable<IssuableTable>
export type IssuableKind = Issuable['kind']

/**
 * An issue or merge request with its project: the subject of endpoints below `/issues/:issue_iid` and
 * `/merge_requests/:merge_request_iid`.
 */
export type IssuableSubject = Project & { issuable: Issuable; isAssignee: boolean }

const features = {
  issue: 'issues_access_level',
  merge_request: 'merge_requests_access_level',
} as const

/** Whether the project has that kind of thing, for somebody of that level. */
function hasFeature(project: Project, kind: IssuableKind, level: number): boolean {
  const access = project[features[kind]]
  if (access === 'disabled') return false
  return access === 'enabled' || level >= Level.guest
}

/** Issues can be read by everyone who sees the project, if the project has issues (docs/api/issues.md, "Who may"). */
export const mayReadIssues: Rule<Project> = ({ subject, level }) =>
  hasFeature(subject, 'issue', level)

/**
 * Merge requests show code, so they can be read by everyone who may read the code (docs/api/merge-requests.md, "Who
 * may").
 */
export const mayReadMergeRequests: Rule<Project> = (facts) =>
  hasFeature(facts.subject, 'merge_request', facts.level) && mayDownloadCode(facts)

export const mayReadIssuablesByKind: Record<IssuableKind, Rule<Project>> = {
  issue: mayReadIssues,
  merge_request: mayReadMergeRequests,
}

/** Whether a caller with that level on the project may see all of its confidential issues. */
export const maySeeConfidentialIssues = (level: number): boolean => level >= Level.reporter

/** Confidential issues can be read by Reporters and above, their author and their assignees. */
export const mayReadIssuable: Rule<IssuableSubject> = (facts) => {
  const { subject, level, actor } = facts
  const { issuable, isAssignee } = subject
  if (!mayReadIssuablesByKind[issuable.kind](facts)) return false
  if (!issuable.confidential || maySeeConfidentialIssues(level)) return true
  return isAssignee || isAuthor(facts) || isAdmin(actor)
}

const isAuthor = ({ subject, actor }: Facts<IssuableSubject>): boolean =>
  actor.user !== undefined && actor.user.id === subject.issuable.author_id

/** Reporters (issues) or Developers, the author and assignees may change texts and state. */
export const mayUpdateIssuable: Rule<IssuableSubject> = (facts) => {
  const { subject, level } = facts
  if (!facts.actor.user || !isUnarchived(subject) || !mayReadIssuable(facts)) return false
  const needed = subject.issuable.kind === 'issue' ? Level.reporter : Level.developer
  return level >= needed || isAuthor(facts) || subject.isAssignee
}

/** Whether the caller may change labels, people, milestone, dates and lock. */
export const mayAdminIssuable: Rule<IssuableSubject> = (facts) => {
  const { subject, level } = facts
  const needed = subject.issuable.kind === 'issue' ? Level.reporter : Level.developer
  return isUnarchived(subject) && level >= needed && mayReadIssuable(facts)
}

export const mayRemoveIssuable: Rule<IssuableSubject> = ({ subject, level }) =>
  isUnarchived(subject) && level >= Level.owner

/** Whether the caller may comment and award. In a locked discussion only members may. */
export const mayDiscussIssuable: Rule<IssuableSubject> = (facts) => {
  const { subject, level, actor } = facts
  if (!actor.user || !isUnarchived(subject) || !mayReadIssuable(facts)) return false
  return subject.issuable.discussion_locked !== true || level >= Level.guest
}

/** Developers and the author of the merge request may resolve every thread of it. */
export const mayResolveThreads: Rule<IssuableSubject> = (facts) =>
  isUnarchived(facts.subject) && (facts.level >= Level.developer || isAuthor(facts))

/** Returns the issue or merge request of a project with that number, and whether the user is one of its assignees. */
export async function findIssuable(
  db: Db,
  actor: Actor,
  by: { project_id: number; kind: IssuableKind; iid: number } | { id: number },
): Promise<{ issuable: Issuable; isAssignee: boolean } | undefined> {
  const row = await db
    .selectFrom('issuables')
    .selectAll()
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('issuable_assignees')
            .select(sql.lit(1).as('one'))
            .whereRef('issuable_id', '=', 'issuables.id')
            .where('user_id', '=', actor.user?.id ?? 0),
        )
        .as('is_assignee'),
    )
    .$if('id' in by, (query) => query.where('id', '=', 'id' in by ? by.id : 0))
    .$if('iid' in by, (query) =>
      'iid' in by
        ? query
            .where('project_id', '=', by.project_id)
            .where('kind', '=', by.kind)
            .where('iid', '=', by.iid)
        : query,
    )
    .executeTakeFirst()
  if (!row) return undefined
  const { is_assignee, ...issuable } = row
  return { issuable, isAssignee: Boolean(is_assignee) }
}

/** Returns issues and merge requests by id, whether or not a caller can see them. */
export async function findIssuablesByIds(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, Issuable>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('issuables')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function loaderOf(
  kind: IssuableKind,
  parameter: 'issue_iid' | 'merge_request_iid',
  missing = recordNotFound,
): SubjectLoader<IssuableSubject> {
  return {
    parameters: {
      ...projectLoader.parameters,
      [parameter]: Type.Integer({ description: 'The number it has in its project.' }),
    },
    async load(request) {
      const { subject: project, level } = await projectLoader.load(request)
      const { db, actor, parameters } = request
      const text = ownValue(parameters, parameter) ?? ''
      const iid = Number(text)
      const isNumber = /^[1-9]\d{0,9}$/.test(text)
      const found =
        isNumber && (await findIssuable(db, actor, { project_id: project.id, kind, iid }))
      if (!found) throw missing()
      const subject = { ...project, ...found }
      if (mayReadIssuable({ subject, level, actor })) return { subject, level }
      if (request.method !== 'GET') throw forbidden()
      throw kind === 'issue' ? recordNotFound() : notFound('Merge Request')
    },
  }
}

/**
 * Loads `:id` and `:issue_iid` of a path. An issue that the caller may not read is not found by GET, and forbidden for other
 * methods (docs/api/issues.md, "Who may").
 */
export const issueLoader = loaderOf('issue', 'issue_iid')
/** Loads an issue, for endpoints that answer a missing one with `Issue Not Found`. */
export const issueWithNamedNotFoundLoader = loaderOf('issue', 'issue_iid', () => notFound('Issue'))
/** Loads `:id` and `:merge_request_iid` of a path, as `issueLoader` does. */
export const mergeRequestLoader = loaderOf('merge_request', 'merge_request_iid')

/**
 * Whether the caller can see a row of `issuables` (joined with `projects`), as SQL: the project, the feature in it, and
 * confidentiality. The only definition beside `mayReadIssuable`.
 */
export function visibleIssuableCondition(viewer: Viewer, kind: IssuableKind) {
  return <B>(_: B & BuilderWith<'issuables' | 'projects', B>): Expression<SqlBool> => {
    const eb = expressionBuilder<Schema, 'issuables' | 'projects'>()
    if (isAdmin(viewer)) {
      const isOn = eb(`projects.${features[kind]}`, '<>', 'disabled')
      return kind === 'issue' ? isOn : eb.and([isOn, downloadableCodeCondition(viewer)(eb)])
    }
    const seen = visibleProjectCondition(viewer)(eb)
    const isMember = hasProjectLevelCondition(eb, viewer, Level.guest)
    const isReporter = hasProjectLevelCondition(eb, viewer, Level.reporter)
    const hasKind = eb.or([
      eb(`projects.${features[kind]}`, '=', 'enabled'),
      eb.and([eb(`projects.${features[kind]}`, '=', 'private'), isMember]),
    ])
    if (kind === 'merge_request') {
      return eb.and([seen, hasKind, downloadableCodeCondition(viewer)(eb)])
    }
    return eb.and([seen, hasKind, openOrTrusted(eb, viewer, isReporter)])
  }
}

function openOrTrusted(
  eb: ExpressionBuilder<Schema, 'issuables' | 'projects'>,
  { user }: Viewer,
  isReporter: Expression<SqlBool>,
): Expression<SqlBool> {
  const isOpen = eb('issuables.confidential', '=', false)
  if (!user) return isOpen
  return eb.or([
    isOpen,
    eb('issuables.author_id', '=', user.id),
    eb.exists(
      eb
        .selectFrom('issuable_assignees')
        .select(sql.lit(1).as('one'))
        .whereRef('issuable_assignees.issuable_id', '=', 'issuables.id')
        .where('issuable_assignees.user_id', '=', user.id),
    ),
    isReporter,
  ])
}

/** Returns a loader that answers 404, whatever the method, to callers who may not read the subject. */
export function withNotFoundUnlessReadable(
  loader: SubjectLoader<IssuableSubject>,
): SubjectLoader<IssuableSubject> {
  return { ...loader, load: (request) => loader.load({ ...request, method: 'GET' }) }
}

const segments = { issue: 'issues', merge_request: 'merge_requests' } as const
const signs = { issue: '#', merge_request: '!' } as const

type Named = Pick<Issuable, 'kind' | 'iid'>

export function issuableUrl(
  baseUrl: string,
  project: Pick<Project, 'full_path'>,
  { kind, iid }: Named,
): string {
  return `${projectUrl(baseUrl, project)}/-/${segments[kind]}/${iid}`
}

/** Returns the short reference: `#1` for an issue, `!1` for a merge request. */
export function shortIssuableReference({ kind, iid }: Named): string {
  return `${signs[kind]}${iid}`
}

export function fullIssuableReference(
  project: Pick<Project, 'full_path'>,
  issuable: Named,
): string {
  return `${project.full_path}${shortIssuableReference(issuable)}`
}
