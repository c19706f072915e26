// Resolves references in a text to issues, merge requests and users that may be seen.
import type { Viewer } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import {
  type Issuable,
  type IssuableKind,
  visibleIssuableCondition,
} from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import type { User } from '../../../subjects/user.ts'
import type { IssuableReference } from './text-references.ts'

type Place = Pick<Project, 'id' | 'namespace_id' | 'full_path'>

/** Returns the referenced issues and merge requests that the viewer can see. Runs three queries. */
export async function listReferencedIssuables(
  db: Db,
  viewer: Viewer,
  { project, references }: { project: Place; references: readonly IssuableReference[] },
): Promise<Issuable[]> {
  if (references.length === 0) return []
  const namespace = project.full_path.slice(0, project.full_path.lastIndexOf('/'))
  const pathOf = ({ path }: IssuableReference) =>
    (path === undefined
      ? project.full_path
      : path.includes('/')
        ? path
        : `${namespace}/${path}`
    ).toLowerCase()
  const others = [...new Set(references.map(pathOf))].filter(
    (path) => path !== project.full_path.toLowerCase(),
  )
  const ids = new Map([[project.full_path.toLowerCase(), project.id]])
  if (others.length > 0) {
    const rows = await db
      .selectFrom('routes')
      .select(['path', 'project_id'])
      .where(lowerCaseExpression('path'), 'in', others)
      .where('project_id', 'is not', null)
      .execute()
    for (const { path, project_id } of rows) {
      if (project_id !== null) ids.set(path.toLowerCase(), project_id)
    }
  }
  const found: Issuable[] = []
  for (const kind of ['issue', 'merge_request'] as const) {
    const wanted = references
      .filter((reference) => reference.kind === kind)
      .map((reference) => ({ project_id: ids.get(pathOf(reference)), iid: reference.iid }))
      .filter(
        (place): place is { project_id: number; iid: number } => place.project_id !== undefined,
      )
    if (wanted.length > 0) found.push(...(await findVisible(db, viewer, kind, wanted)))
  }
  return found
}

function findVisible(
  db: Db,
  viewer: Viewer,
  kind: IssuableKind,
  wanted: readonly { project_id: number; iid: number }[],
): Promise<Issuable[]> {
  return db
    .selectFrom('issuables')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .selectAll('issuables')
    .where('projects.state', '=', 'ready')
    .where('issuables.kind', '=', kind)
    .where((eb) =>
      eb.or(
        wanted.map(({ project_id, iid }) =>
          eb.and([eb('issuables.project_id', '=', project_id), eb('issuables.iid', '=', iid)]),
        ),
      ),
    )
    .where(visibleIssuableCondition(viewer, kind))
    .orderBy('issuables.id')
    .execute()
}

/** The fields that decide who may see an issuable. */
type Seen = {
  project: Pick<Project, 'id' | 'namespace_id' | 'visibility'>
  isRestricted: boolean
  /** Whether only members can see issuables of this kind, whatever the visibility of the project. */
  isMembersOnly?: boolean
  /** The author and assignees of a confidential issue, who can see it at any access level. */
  concerned_ids?: readonly number[]
}

type Thing = Pick<Issuable, 'id' | 'kind' | 'confidential' | 'author_id'>

/** Loads what decides who can see an issue or a merge request, for `filterUsersWhoCanReadIssuable`. */
export async function findIssuableReaderScope(
  db: Db,
  { project, issuable }: { project: Project; issuable: Thing },
): Promise<Seen> {
  const isIssue = issuable.kind === 'issue'
  const access = isIssue ? project.issues_access_level : project.merge_requests_access_level
  const assignees =
    isIssue && issuable.confidential
      ? await db
          .selectFrom('issuable_assignees')
          .select('user_id')
          .where('issuable_id', '=', issuable.id)
          .execute()
      : []
  return {
    project,
    isRestricted: isRestrictedToReporters(project, issuable),
    isMembersOnly: access === 'private',
    concerned_ids:
      isIssue && issuable.confidential
        ? [issuable.author_id, ...assignees.map(({ user_id }) => user_id)]
        : [],
  }
}

/**
 * Returns the active users, by id or name, who can see an issuable of the project. `isRestricted` requires Reporter, as
 * for confidential issues and merge requests of private projects.
 */
export function filterUsersWhoCanReadIssuable(
  db: Db,
  { project, isRestricted, isMembersOnly = false, concerned_ids = [] }: Seen,
  by: { ids: readonly number[] } | { usernames: readonly string[] },
): Promise<User[]> {
  const level = isRestricted ? Level.reporter : Level.guest
  return db
    .selectFrom('users')
    .selectAll()
    .$if('ids' in by, (query) => query.where('users.id', 'in', 'ids' in by ? [...by.ids, 0] : [0]))
    .$if('usernames' in by, (query) =>
      query.where(
        lowerCaseExpression('users.username'),
        'in',
        'usernames' in by ? [...by.usernames, ''] : [''],
      ),
    )
    .where('users.state', '=', 'active')
    .where((eb) => {
      const ways = [
        eb('users.is_admin', '=', true),
        eb.exists(
          eb
            .selectFrom('namespace_access')
            .select('namespace_access.user_id')
            .whereRef('namespace_access.user_id', '=', 'users.id')
            .where('namespace_access.namespace_id', '=', project.namespace_id)
            .where('namespace_access.access_level', '>=', level),
        ),
        eb.exists(
          eb
            .selectFrom('project_access')
            .select('project_access.user_id')
            .whereRef('project_access.user_id', '=', 'users.id')
            .where('project_access.project_id', '=', project.id)
            .where('project_access.access_level', '>=', level),
        ),
      ]
      if (concerned_ids.length > 0) ways.push(eb('users.id', 'in', [...concerned_ids]))
      const isOpen = !isRestricted && !isMembersOnly
      if (isOpen && project.visibility === 'internal') ways.push(eb('users.external', '=', false))
      return isOpen && project.visibility === 'public' ? eb.lit(true) : eb.or(ways)
    })
    .orderBy('users.id')
    .execute()
}

/** Whether only Reporters, its author and its assignees can see it. */
export function isRestrictedToReporters(
  project: Pick<Project, 'visibility'>,
  { kind, confidential }: Pick<Issuable, 'kind' | 'confidential'>,
): boolean {
  return kind === 'issue' ? confidential : project.visibility === 'private'
}
