import { Type } from 'typebox'
import { isAdmin } from '../../access/actor.ts'
import { memberLevels } from '../../access/level.ts'
import { anyone } from '../../access/rule.ts'
import { Answer } from '../../http/answer.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pagedAnswer, pageRange } from '../../http/pagination.ts'
import {
  oneOf,
  oneOfNumbers,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../http/schema.ts'
import { timestamp } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/errors.ts'
import {
  countProjects,
  listProjectIds,
  type ProjectFilter,
  projectOrders,
} from '../projects/list-projects.ts'
import { aProject, readProject } from '../projects/project.ts'
import {
  ShownProjectJson,
  ShownProjectsJson,
  showProject,
  showProjects,
} from '../projects/show-projects.ts'
import { BasicUserJson, findUserByIdOrName, presentBasicUser } from '../users/user.ts'
import { deleteStar, insertStar, listStarrers } from './star.store.ts'

const tag = 'Stars'

export const starEndpoints = [
  endpoint({
    route: 'POST /projects/:id/star',
    summary: 'Star a project',
    tag,
    on: aProject,
    allow: readProject,
    answer: { 201: ShownProjectJson, 304: undefined },
    async run(context) {
      const { db, clock, subject: project, user } = context
      const star = { project_id: project.id, user_id: user.id, starred_since: timestamp(clock) }
      if (!(await insertStar(db, star))) return Answer.empty(304)
      return showProject(context, project.id)
    },
  }),

  endpoint({
    route: 'POST /projects/:id/unstar',
    summary: 'Take a star back',
    tag,
    on: aProject,
    allow: readProject,
    answer: { 201: ShownProjectJson, 304: undefined },
    async run(context) {
      const { db, subject: project, user } = context
      const isGone = await deleteStar(db, { project_id: project.id, user_id: user.id })
      if (!isGone) return Answer.empty(304)
      return showProject(context, project.id)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/starrers',
    summary: 'List the users who starred a project',
    tag,
    on: aProject,
    allow: readProject,
    input: Type.Object({ ...pageInput, search: optionalText }),
    answer: {
      200: Type.Array(Type.Object({ starred_since: Type.String(), user: BasicUserJson })),
    },
    async run(context) {
      const { db, actor, subject: project, input, baseUrl } = context
      const range = pageRange(input)
      const wanted = { actor, project_id: project.id, search: input.search }
      const { rows, total } = await listStarrers(db, wanted, range)
      const items = rows.map(({ starred_since, ...user }) => ({
        starred_since,
        user: presentBasicUser(user, baseUrl),
      }))
      return pagedAnswer(context, range, { items, total })
    },
  }),

  endpoint({
    route: 'GET /users/:user_id/starred_projects',
    summary: 'List the projects a user starred',
    tag,
    signIn: 'never',
    allow: anyone,
    input: Type.Object({
      user_id: Type.String(),
      ...pageInput,
      archived: optionalBoolean,
      id_after: optionalInteger,
      id_before: optionalInteger,
      membership: optionalBoolean,
      min_access_level: Type.Optional(oneOfNumbers(memberLevels)),
      order_by: Type.Optional(oneOf(projectOrders, { default: 'created_at' })),
      owned: optionalBoolean,
      search: optionalText,
      simple: optionalBoolean,
      sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
      starred: optionalBoolean,
      statistics: optionalBoolean,
      visibility: Type.Optional(oneOf(['public', 'internal', 'private'])),
      with_issues_enabled: optionalBoolean,
      with_merge_requests_enabled: optionalBoolean,
    }),
    answer: { 200: ShownProjectsJson },
    async run(context) {
      const { db, actor, input } = context
      const { order_by: by = 'created_at', sort = 'desc' } = input
      const user = await findUserByIdOrName(db, input.user_id)
      if (!user) throw notFound('User')
      const range = pageRange(input)
      const isHidden = user.private_profile && !isAdmin(actor) && actor.user?.id !== user.id
      if (isHidden) return pagedAnswer(context, range, { items: [], total: 0 })
      const filter: ProjectFilter = { ...input, starred_by_id: user.id }
      const ids = await listProjectIds(db, actor, { filter, order: { by, sort }, ...range })
      const total = await countProjects(db, actor, filter)
      const { simple: isSimple, statistics: includesStatistics } = input
      const items = await showProjects(context, ids, { isSimple, includesStatistics })
      return pagedAnswer(context, range, { items, total })
    },
  }),
]
