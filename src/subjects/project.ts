// Public functions of projects: the type that others use, lookups by path, and access rules.

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
import type { Rule } from '../access/rule.ts'
import { type BuilderWith, canSeeProject, hasProjectLevelCondition } from '../access/visibility.ts'
import type { Config } from '../config.ts'
import { defineRowLoader } from '../db/compiled-query.ts'
import type { Db, ProjectTable, Schema } from '../db/db.ts'
import { lowerCaseExpression, pairSetQuery } from '../db/dialect.ts'
import type { Repository } from '../git/repository.ts'
import { MovedError } from '../http/answer.ts'
import type { SubjectLoader } from '../http/endpoint.ts'
import { notFound } from '../kernel/errors.ts'
import { findRepository } from './storage.ts'

/** The fields of a project that operations inside it need; the whole record is `ProjectRecord` of the projects noun. */
export type Project = Pick<
  Selectable<ProjectTable>,
  | 'id'
  | 'namespace_id'
  | 'name'
  | 'path'
  | 'visibility'
  | 'archived'
  | 'default_branch'
  | 'fork_network_id'
  | 'repository_storage'
  | 'repository_access_level'
  | 'forking_access_level'
  | 'builds_access_level'
  | 'public_jobs'
  | 'lfs_enabled'
  | 'uses_lfs'
  | 'issues_access_level'
  | 'merge_requests_access_level'
  | 'repository_size_limit'
  | 'wiki_access_level'
  | 'security_and_compliance_access_level'
> & { full_path: string; full_name: string; namespace_default_branch_protection: number }

type Found = { project: Project; namespaceLevel: number; projectLevel: number }

function projectQuery(db: Db, userId: number) {
  return db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .leftJoin('namespace_access as on_namespace', (join) =>
      join
        .onRef('on_namespace.namespace_id', '=', 'projects.namespace_id')
        .on('on_namespace.user_id', '=', userId),
    )
    .leftJoin('project_access as on_project', (join) =>
      join.onRef('on_project.project_id', '=', 'projects.id').on('on_project.user_id', '=', userId),
    )
    .select([
      'projects.id',
      'projects.namespace_id',
      'projects.name',
      'projects.path',
      'projects.visibility',
      'projects.archived',
      'projects.default_branch',
      'projects.fork_network_id',
      'projects.repository_storage',
      'projects.repository_access_level',
      'projects.forking_access_level',
      'projects.builds_access_level',
      'projects.public_jobs',
      'projects.lfs_enabled',
      'projects.uses_lfs',
      'projects.issues_access_level',
      'projects.merge_requests_access_level',
      'projects.repository_size_limit',
      'projects.wiki_access_level',
      'projects.security_and_compliance_access_level',
      'namespaces.full_path as namespace_full_path',
      'namespaces.full_name as namespace_full_name',
      'namespaces.default_branch_protection as namespace_default_branch_protection',
      'on_namespace.access_level as namespace_level',
      'on_project.access_level as project_level',
    ])
    .where('projects.state', '=', 'ready')
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof projectQuery>['executeTakeFirst']>>>

function foundOf(row: Row): Found {
  const { namespace_full_path, namespace_full_name, namespace_level, project_level, ...project } =
    row
  return {
    project: {
      ...project,
      full_path: `${namespace_full_path}/${row.path}`,
      full_name: `${namespace_full_name} / ${row.name}`,
    },
    namespaceLevel: namespace_level ?? 0,
    projectLevel: project_level ?? 0,
  }
}

type Key = { id: number } | { path: string }

const projectById = defineRowLoader((db, { userId, id }: { userId: number; id: number }) =>
  projectQuery(db, userId).where('projects.id', '=', id),
)
const projectByPath = defineRowLoader((db, { userId, path }: { userId: number; path: string }) =>
  projectQuery(db, userId).where('projects.id', '=', (eb) =>
    eb
      .selectFrom('routes')
      .select(sql<number>`project_id`.as('project_id'))
      .where(lowerCaseExpression('routes.path'), '=', path),
  ),
)

/** Returns a project and the caller's level on it, even if they cannot see it; one query. */
export async function findProject(
  db: Db,
  actor: Actor,
  by: Key,
): Promise<{ project: Project; level: number } | undefined> {
  const userId = actor.user?.id ?? 0
  const row =
    'id' in by
      ? await projectById(db, { userId, id: by.id })
      : await projectByPath(db, { userId, path: by.path.toLowerCase() })
  if (!row) return undefined
  const found = foundOf(row)
  const { job } = actor
  if (job && job.project_id !== found.project.id) {
    if (job.isLimited) return undefined
    const { id, visibility } = found.project
    if (!(await admitsJobsOf(db, id, job.project_id))) {
      // Strangers read public and internal projects, and the job reads no more than they do.
      return visibility === 'private' ? undefined : { project: found.project, level: Level.none }
    }
  }
  const own_level = job?.project_id === found.project.id ? job.own_level : Level.none
  return { project: found.project, level: Math.max(levelOf(actor, found), own_level) }
}

/**
 * Returns a project and the caller's level on it, if the caller can see it. Undefined otherwise, as for a missing project.
 * Access rules of projects assume that the caller can see it.
 */
export async function findVisibleProject(
  db: Db,
  actor: Actor,
  by: Key,
): Promise<{ project: Project; level: number } | undefined> {
  const found = await findProject(db, actor, by)
  return found && canSeeProject(actor, found) ? found : undefined
}

/** Whether a project lets in the jobs of another one (docs/api/job-token-scope.md). */
async function admitsJobsOf(db: Db, id: number, jobProjectId: number): Promise<boolean> {
  const row = await db
    .selectFrom('projects')
    .select('projects.id')
    .where('projects.id', '=', id)
    .where((eb) =>
      eb.or([
        eb('projects.ci_inbound_job_token_scope_enabled', '=', false),
        eb.exists(
          eb
            .selectFrom('job_token_allowlist as entry')
            .select('entry.id')
            .where('entry.project_id', '=', id)
            .where('entry.target_project_id', '=', jobProjectId),
        ),
        eb.exists(
          eb
            .selectFrom('job_token_allowlist as entry')
            .innerJoin('namespace_ancestors as above', 'above.ancestor_id', 'entry.target_group_id')
            .innerJoin('projects as caller', 'caller.namespace_id', 'above.namespace_id')
            .select('entry.id')
            .where('entry.project_id', '=', id)
            .where('caller.id', '=', jobProjectId),
        ),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** The id of a user, 0 for an anonymous visitor, and the id of a project. */
export type UserProjectPair = readonly [userId: number, projectId: number]

/**
 * Loads projects and the levels of several users on them, with two queries. `find` returns what `findProject` does, except
 * for job tokens.
 */
export async function loadProjectsForUsers(
  db: Db,
  pairs: readonly UserProjectPair[],
): Promise<{
  find: (actor: Viewer, id: number) => { project: Project; level: number } | undefined
}> {
  const ids = [...new Set(pairs.map(([, id]) => id))]
  if (ids.length === 0) return { find: () => undefined }
  const rows = await projectQuery(db, 0).where('projects.id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, foundOf(row).project]))
  const levels = await levelsOf(db, pairs)
  return {
    find(actor, id) {
      const project = byId.get(id)
      const level = levels.get(`${actor.user?.id ?? 0}:${id}`) ?? 0
      return project && { project, level: isAdmin(actor) ? Level.owner : level }
    },
  }
}

/** Returns levels by user and project (`7:3`), without users who are not members. */
async function levelsOf(db: Db, pairs: readonly UserProjectPair[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom(sql<{ a: number; b: number }>`(${pairSetQuery(db, pairs)})`.as('pair'))
    .innerJoin('projects', 'projects.id', 'pair.b')
    .leftJoin('namespace_access as on_namespace', (join) =>
      join
        .onRef('on_namespace.namespace_id', '=', 'projects.namespace_id')
        .onRef('on_namespace.user_id', '=', 'pair.a'),
    )
    .leftJoin('project_access as on_project', (join) =>
      join
        .onRef('on_project.project_id', '=', 'projects.id')
        .onRef('on_project.user_id', '=', 'pair.a'),
    )
    .select([
      'pair.a as user_id',
      'pair.b as project_id',
      'on_namespace.access_level as namespace_level',
      'on_project.access_level as project_level',
    ])
    .execute()
  return new Map(
    rows.map(({ user_id, project_id, namespace_level, project_level }) => [
      `${user_id}:${project_id}`,
      Math.max(namespace_level ?? 0, project_level ?? 0),
    ]),
  )
}

/** The maximum number of parts of a project path that are looked at, far above the limit of nested groups. */
const path_parts_max = 30

/**
 * Returns the project whose full path the parts begin with. There is at most one: no project is located below
 * another.
 */
export async function findProjectByPathPrefix(
  db: Db,
  actor: Actor,
  parts: readonly string[],
): Promise<{ project: Project; level: number } | undefined> {
  const paths = pathsAlong(parts)
  if (paths.length === 0) return undefined
  const row = await db
    .selectFrom('routes')
    .select('project_id')
    .where(lowerCaseExpression('routes.path'), 'in', paths)
    .where('project_id', 'is not', null)
    .executeTakeFirst()
  return row?.project_id ? findProject(db, actor, { id: row.project_id }) : undefined
}

/** Returns the longest former path of a project that the parts begin with. */
export async function findFormerProjectPathByPrefix(
  db: Db,
  parts: readonly string[],
): Promise<{ path: string; project_id: number } | undefined> {
  const paths = pathsAlong(parts)
  if (paths.length === 0) return undefined
  const rows = await db
    .selectFrom('redirects')
    .select(['path', 'project_id'])
    .where(lowerCaseExpression('path'), 'in', paths)
    .where('project_id', 'is not', null)
    .execute()
  const [longest] = rows.toSorted((a, b) => b.path.length - a.path.length)
  const { path, project_id } = longest ?? {}
  return path !== undefined && project_id ? { path, project_id } : undefined
}

/** Returns all beginnings of a path that may be the full path of a project, in lower case. */
function pathsAlong(parts: readonly string[]): string[] {
  const known = parts.slice(0, path_parts_max).map((part) => part.toLowerCase())
  return known.map((_part, at) => known.slice(0, at + 1).join('/')).slice(1)
}

function levelOf(actor: Actor, { namespaceLevel, projectLevel }: Found): number {
  return isAdmin(actor) ? Level.owner : Math.max(namespaceLevel, projectLevel)
}

/** Loads `:id` of a project path: digits are an id, a text with a slash is a full path, and any other text finds nothing. */
export const projectLoader: SubjectLoader<Project> = {
  parameters: { id: Type.String({ description: 'ID or URL-encoded full path of the project.' }) },
  async load({ db, actor, parameters }) {
    const id = parameters.id ?? ''
    const by = parseProjectId(id)
    const found = by && (await findVisibleProject(db, actor, by))
    if (found) return { subject: found.project, level: found.level }
    if (!found && by && 'path' in by) await followRedirect(db, actor, by.path)
    throw notFound('Project')
  },
}

export function parseProjectId(id: string): { id: number } | { path: string } | undefined {
  if (/^-?\d{1,15}$/.test(id)) return { id: Number(id) }
  return id.includes('/') ? { path: id } : undefined
}

/** Sends a caller who sees the project on from a path it no longer has. */
async function followRedirect(db: Db, actor: Actor, path: string): Promise<void> {
  const projectId = await findProjectIdByFormerPath(db, path)
  const found = projectId !== undefined && (await findVisibleProject(db, actor, { id: projectId }))
  if (found) throw new MovedError('id', found.project.id)
}

/** Returns the id of the project that had a former full path. */
export async function findProjectIdByFormerPath(db: Db, path: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('redirects')
    .select('project_id')
    .where(lowerCaseExpression('path'), '=', path.toLowerCase())
    .executeTakeFirst()
  return row?.project_id ?? undefined
}

/** Returns where the repository of a project is stored, in any state of the project; undefined for a missing project. */
export function findRepositoryPlacement(
  db: Db,
  id: number,
): Promise<
  | {
      id: number
      state: string
      repository_storage: string
      default_branch: string | null
      created_at: string
    }
  | undefined
> {
  return db
    .selectFrom('projects')
    .select(['id', 'state', 'repository_storage', 'default_branch', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the repository of a project. Throws as `findRepository` does if its storage is on another server. */
export function projectRepository(
  config: Config,
  { id, repository_storage }: Pick<Project, 'id' | 'repository_storage'>,
): Repository {
  return findRepository(config, { storage: repository_storage, kind: 'project', id })
}

export function projectUrl(baseUrl: string, project: Pick<Project, 'full_path'>): string {
  return `${baseUrl}/${project.full_path}`
}

/** Code can be read by Reporters and above; in a project that is not private, by everyone who sees the project. */
export const mayDownloadCode: Rule<Pick<Project, 'visibility' | 'repository_access_level'>> = ({
  subject,
  level,
}) => {
  if (subject.repository_access_level === 'disabled') return false
  if (level >= Level.reporter) return true
  return subject.visibility !== 'private' && subject.repository_access_level === 'enabled'
}

/** `mayDownloadCode` as SQL, for a row of `projects` that the viewer can see. */
export function downloadableCodeCondition(viewer: Viewer) {
  return <B>(_: B & BuilderWith<'projects', B>): Expression<SqlBool> => {
    const eb = expressionBuilder<Schema, 'projects'>()
    const isOn = eb('projects.repository_access_level', '<>', 'disabled')
    if (isAdmin(viewer)) return isOn
    return eb.and([
      isOn,
      eb.or([
        eb.and([
          eb('projects.visibility', '<>', 'private'),
          eb('projects.repository_access_level', '=', 'enabled'),
        ]),
        hasProjectLevelCondition(eb, viewer, Level.reporter),
      ]),
    ])
  }
}

/**
 * Whether the project is not archived. Contents of an archived project are read-only; its settings and members are
 * not.
 */
export const isUnarchived = ({ archived }: Pick<Project, 'archived'>): boolean => !archived

/** Whether the caller may change code at all. Branch protection may refuse further. */
export const mayPushCode: Rule<Project> = ({ subject, level }) =>
  subject.repository_access_level !== 'disabled' &&
  level >= Level.developer &&
  isUnarchived(subject)

/**
 * Whether the caller may fork the project. Whether they may create projects in the chosen namespace is checked
 * separately.
 */
export const mayFork: Rule<Project> = (facts) => {
  const { forking_access_level: access } = facts.subject
  if (!facts.actor.user || access === 'disabled') return false
  return mayDownloadCode(facts) && (access === 'enabled' || facts.level >= Level.guest)
}

/** Whether two projects have the same root of forks: one was forked from the other, directly or not, or both from a third. */
export function areInSameForkNetwork(
  a: Pick<Project, 'id' | 'fork_network_id'>,
  b: Pick<Project, 'id' | 'fork_network_id'>,
): boolean {
  return a.id === b.id || (a.fork_network_id !== null && a.fork_network_id === b.fork_network_id)
}

/** Security findings are for Developers and above, who also change their state. */
export const mayReadSecurityFindings: Rule<
  Pick<Project, 'security_and_compliance_access_level'>
> = ({ subject, level }) =>
  subject.security_and_compliance_access_level !== 'disabled' && level >= Level.developer

/** `mayReadSecurityFindings` as SQL, for a row of `projects`; false for a project that is being created or deleted. */
export function readableSecurityFindingsCondition(viewer: Viewer) {
  return (eb: ExpressionBuilder<Schema, 'projects'>): Expression<SqlBool> => {
    const isOpen = eb.and([
      eb('projects.state', '=', 'ready'),
      eb('projects.security_and_compliance_access_level', '<>', 'disabled'),
    ])
    return isAdmin(viewer)
      ? isOpen
      : isOpen.and(hasProjectLevelCondition(eb, viewer, Level.developer))
  }
}

export const mayReadProject: Rule<Project> = () => true
export const mayAdminProject: Rule<Project> = ({ level }) => level >= Level.maintainer
export const mayAdminBranches: Rule<Project> = (facts) =>
  mayAdminProject(facts) && isUnarchived(facts.subject)
export const mayArchiveProject: Rule<Project> = ({ level }) => level >= Level.owner
export const mayMoveProject: Rule<Project> = ({ level }) => level >= Level.owner
export const mayRemoveProject: Rule<Project> = ({ level }) => level >= Level.owner
