import { Type } from 'typebox'
import { administrators } from '../../access/rule.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pagedAnswer, pageRange } from '../../http/pagination.ts'
import { optionalInteger, optionalText, pageInput } from '../../http/schema.ts'
import { notFound } from '../../kernel/errors.ts'
import { findProject, projectKey } from '../projects/project.ts'
import { transferProject } from '../projects/transfer-project.ts'
import { describeGroup, GroupDetailJson } from './describe-group.ts'
import { adminGroup } from './group.policy.ts'
import { aGroup, type Group, getGroup } from './group.ts'
import { GroupNameJson, presentGroupName } from './group-name.ts'
import { listTransferTargets } from './transfer-group.store.ts'
import { transferGroup } from './transfer-group.ts'

const tag = 'Groups'

const transferInput = Type.Object({ group_id: optionalInteger })
const projectInput = Type.Object({
  project_id: Type.String({ description: 'ID or URL-encoded full path of the project.' }),
})
const listInput = Type.Object({ ...pageInput, search: optionalText })

export const transferGroupEndpoints = [
  endpoint<Group, typeof transferInput>({
    route: 'POST /groups/:id/transfer',
    summary: 'Move a group under another one, or to the top',
    tag,
    on: aGroup,
    allow: adminGroup,
    input: transferInput,
    answer: { 201: GroupDetailJson },
    async run(context) {
      const { db, actor, subject, input } = context
      const group = await transferGroup(context, subject.id, input.group_id)
      return describeGroup(context, await getGroup(db, actor, group.id))
    },
  }),

  endpoint<Group, typeof projectInput>({
    route: 'POST /groups/:id/projects/:project_id',
    summary: 'Move a project into a group',
    tag,
    on: aGroup,
    allow: administrators,
    input: projectInput,
    answer: { 201: GroupDetailJson },
    async run(context) {
      const { db, actor, subject: group, level, input } = context
      const by = projectKey(input.project_id)
      const found = by && (await findProject(db, actor, by))
      if (!found) throw notFound('Project')
      await transferProject(context, found.project, group)
      return describeGroup(context, { group, level }, { includesProjects: true })
    },
  }),

  endpoint<Group, typeof listInput>({
    route: 'GET /groups/:id/transfer_locations',
    summary: 'List the groups a group may be moved under',
    tag,
    signIn: 'always',
    on: aGroup,
    allow: adminGroup,
    input: listInput,
    answer: { 200: Type.Array(GroupNameJson) },
    async run(context) {
      const { db, actor, subject: group, input, baseUrl } = context
      const range = pageRange(input)
      const { rows, total } = await listTransferTargets(db, actor, { group, ...input }, range)
      const items = rows.map((row) => presentGroupName(row, baseUrl))
      return pagedAnswer(context, range, { items, total })
    },
  }),
]
