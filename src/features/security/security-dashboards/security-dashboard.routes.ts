import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { lockUntilCommit } from '../../../db/dialect.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { mayReadSecurityFindings, projectLoader } from '../../../subjects/project.ts'
import { ShownSimpleProjectJson, showProjects } from '../../projects/projects/show-projects.ts'
import {
  deleteDashboardProject,
  hasDashboardProjectsAtLeast,
  insertDashboardProject,
  listDashboardProjects,
} from './security-dashboard.store.ts'

const endpoint = endpointFactory({ tag: 'Security dashboard', tier: 'ultimate' })

/** Serializes additions to dashboards, so that their limit holds. */
const dashboard_lock = 8

export const securityDashboardEndpoints = [
  endpoint({
    route: 'GET /security/projects',
    summary: 'List the projects on your security dashboard',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(ShownSimpleProjectJson),
    async run(context) {
      const { db, actor, user, range } = context
      const { ids, total } = await listDashboardProjects(
        db,
        { viewer: actor, user_id: user.id },
        range,
      )
      return new Page({ items: await showProjects(context, ids, { isSimple: true }), total })
    },
  }),

  endpoint({
    route: 'POST /security/projects',
    summary: 'Add a project to your security dashboard',
    allow: anyone,
    input: Type.Object({
      project_id: Type.String({ description: 'ID or full path of the project.' }),
    }),
    status: 201,
    answer: ShownSimpleProjectJson,
    load: ({ db, actor, input: { project_id: id } }) =>
      projectLoader.load({ db, actor, method: 'POST', parameters: { id } }),
    authorize: ({ actor, loaded }) => mayReadSecurityFindings({ ...loaded, actor }),
    async run(context) {
      const { db, clock, user } = context
      const project_id = context.loaded.subject.id
      await lockUntilCommit(db, dashboard_lock)
      const maximum = limits.dashboard_projects_max
      if (await hasDashboardProjectsAtLeast(db, user.id, maximum)) {
        throw invalid({ base: [`Maximum number of projects (${maximum}) exceeded`] })
      }
      const chosen = { user_id: user.id, project_id, created_at: timestamp(clock) }
      if (!(await insertDashboardProject(db, chosen)))
        throw invalid({ project: ['has already been added'] })
      const [shown] = await showProjects(context, [project_id], { isSimple: true })
      return shown
    },
  }),

  endpoint({
    route: 'DELETE /security/projects/:project_id',
    summary: 'Remove a project from your security dashboard',
    allow: anyone,
    input: Type.Object({ project_id: Type.Integer({ description: 'ID of the project.' }) }),
    status: 204,
    async run({ db, user, input }) {
      const { project_id } = input
      if (!(await deleteDashboardProject(db, { user_id: user.id, project_id })))
        throw notFound('Project')
    },
  }),
]
