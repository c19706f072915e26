import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { pagedAnswer, pageRange } from '../../http/pagination.ts'
import { optionalText, pageInput } from '../../http/schema.ts'
import { notFound } from '../../kernel/errors.ts'
import { GroupNameJson, presentGroupName } from '../groups/group-name.ts'
import { ProjectJson } from './project.present.ts'
import { aProject, moveProject } from './project.ts'
import { showProject } from './show-projects.ts'
import { findSeenTarget } from './target-namespace.ts'
import { listTransferLocations } from './transfer.store.ts'
import { transferProject } from './transfer-project.ts'

const tag = 'Projects'

export const transferEndpoints = [
  endpoint({
    route: 'PUT /projects/:id/transfer',
    summary: 'Move a project into another namespace',
    tag,
    on: aProject,
    allow: moveProject,
    input: Type.Object({ namespace: Type.String({ description: 'ID or full path.' }) }),
    answer: { 200: ProjectJson },
    async run(context) {
      const { subject: project, input } = context
      const target = await findSeenTarget(context, input.namespace)
      if (!target) throw notFound('Namespace')
      await transferProject(context, project, target)
      return showProject(context, project.id)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/transfer_locations',
    summary: 'List the groups a project may be moved into',
    tag,
    signIn: 'always',
    on: aProject,
    allow: moveProject,
    input: Type.Object({ ...pageInput, search: optionalText }),
    answer: { 200: Type.Array(GroupNameJson) },
    async run(context) {
      const { db, actor, subject, input, baseUrl } = context
      const { namespace_id } = subject
      const range = pageRange(input)
      const wanted = { namespace_id, search: input.search }
      const { rows, total } = await listTransferLocations(db, actor, wanted, range)
      const items = rows.map((row) => presentGroupName(row, baseUrl))
      return pagedAnswer(context, range, { items, total })
    },
  }),
]
