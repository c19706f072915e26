import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { Answer } from '../../../http/answer.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { optionalText, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { mayReadProject, projectLoader } from '../../../subjects/project.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { listUserProjects, UserProjectsInput } from '../projects/list-user-projects.ts'
import { ShownProjectJson, ShownProjectsJson, showProject } from '../projects/show-projects.ts'
import { deleteStar, insertStar, listUsersWhoStarred } from './star.store.ts'

const tag = 'Stars'

export const starEndpoints = [
  endpoint({
    route: 'POST /projects/:id/star',
    summary: 'Star a project',
    tag,
    on: projectLoader,
    allow: mayReadProject,
    status: 201,
    answer: ShownProjectJson,
    otherAnswers: { 304: undefined },
    async run(context) {
      const { db, clock, subject: project, user } = context
      const star = { project_id: project.id, user_id: user.id, starred_since: timestamp(clock) }
      if (!(await insertStar(db, star))) return Answer.empty(304)
      return showProject(context, project.id)
    },
  }),

  endpoint({
    route: 'POST /projects/:id/unstar',
    summary: 'Unstar a project',
    tag,
    on: projectLoader,
    allow: mayReadProject,
    status: 201,
    answer: ShownProjectJson,
    otherAnswers: { 304: undefined },
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
    on: projectLoader,
    allow: mayReadProject,
    input: Type.Object({ ...pageInput, search: optionalText }),
    answer: Type.Array(Type.Object({ starred_since: Type.String(), user: BasicUserJson })),
    async run(context) {
      const { db, actor, subject: project, input, baseUrl, range } = context
      const wanted = { actor, project_id: project.id, search: input.search }
      const { rows, total } = await listUsersWhoStarred(db, wanted, range)
      const items = rows.map(({ starred_since, ...user }) => ({
        starred_since,
        user: presentBasicUser(user, baseUrl),
      }))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /users/:user_id/starred_projects',
    summary: 'List the projects a user starred',
    tag,
    signIn: 'never',
    allow: anyone,
    input: UserProjectsInput,
    answer: ShownProjectsJson,
    run: (context) => listUserProjects(context, ({ id }) => ({ starred_by_id: id })),
  }),
]
