// Who sees what: the only definition, as functions for loaded records and as SQL for queries.
import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Schema, Visibility } from '../db/db.ts'
import { isAdmin, type Viewer } from './actor.ts'
import { Level } from './level.ts'

/**
 * The type of the expression builder of a query that has these tables, under their own names; `never` for any other
 * query. A predicate takes such a builder only so that TypeScript refuses it where a table is missing: it names the
 * tables itself.
 */
export type BuilderWith<Table extends keyof Schema, Builder> =
  Builder extends ExpressionBuilder<infer _All, infer Tables>
    ? [Table] extends [Tables]
      ? Builder
      : never
    : never

/** The visibility levels open to a caller without any membership. */
export function visibilitiesOpenTo({ user }: Viewer): Visibility[] {
  return user && !user.external ? ['public', 'internal'] : ['public']
}

/**
 * Whether a caller of that level knows that the project exists. An administrator has the level of an Owner.
 */
export function canSeeProject(
  viewer: Viewer,
  { project, level }: { project: { visibility: Visibility }; level: number },
): boolean {
  return level > Level.minimal || visibilitiesOpenTo(viewer).includes(project.visibility)
}

/** `canSeeProject` as SQL, for a row of `projects`. */
export function visibleProjectCondition(viewer: Viewer) {
  return <B>(_: B & BuilderWith<'projects', B>): Expression<SqlBool> => {
    if (isAdmin(viewer)) return sql<SqlBool>`1 = 1`
    const eb = expressionBuilder<Schema, 'projects'>()
    const open = eb('projects.visibility', 'in', visibilitiesOpenTo(viewer))
    if (!viewer.user) return open
    return eb.or([
      open,
      eb.exists(
        eb
          .selectFrom('namespace_access')
          .select(sql.lit(1).as('one'))
          .where('user_id', '=', viewer.user.id)
          .whereRef('namespace_id', '=', 'projects.namespace_id')
          .where('access_level', '>', Level.minimal),
      ),
      eb.exists(
        eb
          .selectFrom('project_access')
          .select(sql.lit(1).as('one'))
          .where('user_id', '=', viewer.user.id)
          .whereRef('project_id', '=', 'projects.id'),
      ),
    ])
  }
}

/** Whether the caller has at least that level on the row of `projects`, as SQL. */
export function hasProjectLevelCondition<B>(
  _: B & BuilderWith<'projects', B>,
  { user }: Viewer,
  level: number,
): Expression<SqlBool> {
  if (!user) return sql<SqlBool>`1 = 0`
  return hasUserProjectLevelCondition(expressionBuilder<Schema, 'projects'>(), user.id, level)
}

/** `hasProjectLevelCondition` for any user. `userId` may be a column of the surrounding query. */
export function hasUserProjectLevelCondition<B>(
  _: B & BuilderWith<'projects', B>,
  userId: number | Expression<number>,
  level: number,
): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'projects'>()
  return eb.or([
    eb.exists(
      eb
        .selectFrom('namespace_access')
        .select(sql.lit(1).as('one'))
        .where('user_id', '=', userId)
        .whereRef('namespace_id', '=', 'projects.namespace_id')
        .where('access_level', '>=', level),
    ),
    eb.exists(
      eb
        .selectFrom('project_access')
        .select(sql.lit(1).as('one'))
        .where('user_id', '=', userId)
        .whereRef('project_id', '=', 'projects.id')
        .where('access_level', '>=', level),
    ),
  ])
}

/** Whether a caller sees a group; `hasBelow` says whether they have access to anything in it. */
export function canSeeGroup(
  viewer: Viewer,
  { visibility, hasBelow }: { visibility: Visibility; hasBelow: boolean },
): boolean {
  return isAdmin(viewer) || hasBelow || visibilitiesOpenTo(viewer).includes(visibility)
}

/**
 * Whether the caller sees a row of `namespaces`. Members of a subgroup or project also see the private groups above it,
 * since their names are part of its path.
 */
export function visibleNamespaceCondition(viewer: Viewer) {
  return <B>(_: B & BuilderWith<'namespaces', B>): Expression<SqlBool> => {
    if (isAdmin(viewer)) return sql<SqlBool>`1 = 1`
    const eb = expressionBuilder<Schema, 'namespaces'>()
    const open = eb('namespaces.visibility', 'in', visibilitiesOpenTo(viewer))
    if (!viewer.user) return open
    return eb.or([open, hasAccessToOrBelowNamespaceCondition(eb, viewer.user.id)])
  }
}

/**
 * Whether the user has access to the row of `namespaces`, a group below it or a project below it. `userId` may be a column
 * of the query around it.
 */
export function hasAccessToOrBelowNamespaceCondition(
  eb: ExpressionBuilder<Schema, 'namespaces'>,
  userId: number | Expression<number>,
): Expression<SqlBool> {
  return eb.or([
    eb.exists(
      eb
        .selectFrom('namespace_access')
        .innerJoin(
          'namespace_ancestors as below',
          'below.namespace_id',
          'namespace_access.namespace_id',
        )
        .select(sql.lit(1).as('one'))
        .where('namespace_access.user_id', '=', userId)
        .whereRef('below.ancestor_id', '=', 'namespaces.id'),
    ),
    eb.exists(
      eb
        .selectFrom('project_access')
        .innerJoin('projects as held', 'held.id', 'project_access.project_id')
        .innerJoin('namespace_ancestors as above', 'above.namespace_id', 'held.namespace_id')
        .select(sql.lit(1).as('one'))
        .where('project_access.user_id', '=', userId)
        .whereRef('above.ancestor_id', '=', 'namespaces.id'),
    ),
  ])
}
