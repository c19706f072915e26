// Public functions of milestones: which milestones a project has, and how others find and show them.
import { type Expression, expressionBuilder, type Selectable, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Viewer } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { type BuilderWith, hasProjectLevelCondition } from '../../../access/visibility.ts'
import type { Db, MilestoneTable, Schema } from '../../../db/db.ts'
import { namedObject, nullableText, oneOf, optionalInteger } from '../../../http/schema.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'
import type { Project } from '../../../subjects/project.ts'

/** A milestone with the full path of its project or group. */
export type Milestone = Selectable<MilestoneTable> & { owner_path: string }

/** Selects milestones with the paths of their owners. */
export function milestonesWithOwnersQuery(db: Db) {
  return db
    .selectFrom('milestones')
    .leftJoin('projects as milestone_project', 'milestone_project.id', 'milestones.project_id')
    .innerJoin('namespaces as milestone_namespace', (join) =>
      join.on((eb) =>
        eb(
          'milestone_namespace.id',
          '=',
          eb.fn.coalesce('milestones.namespace_id', 'milestone_project.namespace_id'),
        ),
      ),
    )
    .selectAll('milestones')
    .select(['milestone_namespace.full_path as namespace_path', 'milestone_project.path'])
}

/** Converts a row of `milestonesWithOwnersQuery`. */
export function milestoneFromRow({
  namespace_path,
  path,
  ...row
}: Selectable<MilestoneTable> & { namespace_path: string; path: string | null }): Milestone {
  return { ...row, owner_path: path === null ? namespace_path : `${namespace_path}/${path}` }
}

/** Returns the milestones with these ids, by id. */
export async function findMilestones(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, Milestone>> {
  if (ids.length === 0) return new Map()
  const rows = await milestonesWithOwnersQuery(db)
    .where('milestones.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, milestoneFromRow(row)]))
}

function milestonesServing(db: Db, project: Pick<Project, 'id' | 'namespace_id'>) {
  return milestonesWithOwnersQuery(db).where((eb) =>
    eb.or([
      eb('milestones.project_id', '=', project.id),
      eb(
        'milestones.namespace_id',
        'in',
        eb
          .selectFrom('namespace_ancestors')
          .select('ancestor_id')
          .where('namespace_ancestors.namespace_id', '=', project.namespace_id),
      ),
    ]),
  )
}

/** Returns a milestone of the project or of a group above it, by id. */
export async function findMilestoneOfProjectOrAncestors(
  db: Db,
  project: Pick<Project, 'id' | 'namespace_id'>,
  id: number,
): Promise<Milestone | undefined> {
  const row = await milestonesServing(db, project)
    .where('milestones.id', '=', id)
    .executeTakeFirst()
  return row && milestoneFromRow(row)
}

/** Returns milestones of the project or of groups above it by title; the project's own come first. */
export async function findMilestonesByTitle(
  db: Db,
  project: Pick<Project, 'id' | 'namespace_id'>,
  titles: readonly string[],
): Promise<Milestone[]> {
  if (titles.length === 0) return []
  const rows = await milestonesServing(db, project)
    .where('milestones.title', 'in', [...titles])
    .orderBy('milestones.id')
    .execute()
  return rows
    .map(milestoneFromRow)
    .sort((a, b) => Number(b.project_id !== null) - Number(a.project_id !== null))
}

/** Returns a milestone of exactly this project or group, by id. */
export async function findMilestoneOfOwner(
  db: Db,
  owner: Pick<OwningProjectOrGroup, 'kind' | 'id'>,
  id: number,
): Promise<Milestone | undefined> {
  const isOwn = owner.kind === 'project' ? 'milestones.project_id' : 'milestones.namespace_id'
  const row = await milestonesWithOwnersQuery(db)
    .where('milestones.id', '=', id)
    .where(isOwn, '=', owner.id)
    .executeTakeFirst()
  return row && milestoneFromRow(row)
}

/** Milestones can be read by signed-in callers who see the group, or the project while it has issues or merge requests. */
export const mayReadMilestones: Rule<OwningProjectOrGroup> = ({ subject: owner, actor, level }) => {
  if (!actor.user) return false
  return owner.kind === 'group' || projectHasMilestones(owner.project, level)
}

/** Whether users with that level can use issues or merge requests in the project, and with them milestones. */
export function projectHasMilestones(
  project: Pick<Project, 'issues_access_level' | 'merge_requests_access_level'>,
  level: number,
): boolean {
  return [project.issues_access_level, project.merge_requests_access_level].some(
    (access) => access === 'enabled' || (access === 'private' && level >= Level.guest),
  )
}

/** `mayReadMilestones` as SQL, for a row of `projects` that the viewer can see. */
export function hasMilestonesExpression<B>(
  _: B & BuilderWith<'projects', B>,
  viewer: Viewer,
): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'projects'>()
  const isMember = hasProjectLevelCondition(eb, viewer, Level.guest)
  return eb.or(
    (['projects.issues_access_level', 'projects.merge_requests_access_level'] as const).flatMap(
      (access) => [eb(access, '=', 'enabled'), eb.and([eb(access, '=', 'private'), isMember])],
    ),
  )
}

export const MilestoneJson = namedObject('Milestone', {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: optionalInteger,
  group_id: optionalInteger,
  title: Type.String(),
  description: nullableText,
  state: oneOf(['active', 'closed']),
  created_at: Type.String(),
  updated_at: Type.String(),
  due_date: nullableText,
  start_date: nullableText,
  expired: Type.Boolean(),
  web_url: Type.String(),
})

/**
 * Presents a milestone (docs/api/milestones.md, "Record"). `today` is the UTC day: a milestone that was due before it is
 * expired, whatever its state.
 */
export function presentMilestone(
  milestone: Milestone,
  { baseUrl, today }: { baseUrl: string; today: string },
): Static<typeof MilestoneJson> {
  const { id, iid, project_id, namespace_id, title, description, state, owner_path } = milestone
  const { created_at, updated_at, due_date, start_date } = milestone
  const place = project_id === null ? `groups/${owner_path}` : owner_path
  return {
    id,
    iid,
    ...(project_id !== null && { project_id }),
    ...(namespace_id !== null && { group_id: namespace_id }),
    title,
    description,
    state,
    created_at,
    updated_at,
    due_date,
    start_date,
    expired: due_date !== null && due_date < today,
    web_url: `${baseUrl}/${place}/-/milestones/${iid}`,
  }
}
