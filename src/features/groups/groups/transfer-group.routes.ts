import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { optionalInteger } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { getVisibleGroup, groupLoader } from '../../../subjects/group.ts'
import { GroupSummaryJson } from '../../../subjects/group-summary.ts'
import { findVisibleProject, parseProjectId } from '../../../subjects/project.ts'
import { groupAndDescendantIdsQuery } from '../../../subjects/subtree.ts'
import {
  answerTransferLocations,
  transferLocationsInput,
} from '../../basics/namespaces/transfer-locations.ts'
import { transferProject } from '../../projects/projects/transfer-project.ts'
import { describeGroup, GroupDetailJson } from './describe-group.ts'
import { mayAdminGroup } from './group.policy.ts'
import { transferGroup } from './transfer-group.ts'

const endpoint = endpointFactory({ tag: 'Groups', on: groupLoader })

const transferInput = Type.Object({ group_id: optionalInteger })
const projectInput = Type.Object({
  project_id: Type.String({ description: 'ID or URL-encoded full path of the project.' }),
})

export const transferGroupEndpoints = [
  endpoint<typeof transferInput>({
    route: 'POST /groups/:id/transfer',
    summary: 'Transfer a group to another group or to the top level',
    allow: mayAdminGroup,
    input: transferInput,
    status: 201,
    answer: GroupDetailJson,
    async run(context) {
      const { db, actor, subject, input } = context
      const group = await transferGroup(context, subject.id, input.group_id)
      return describeGroup(context, await getVisibleGroup(db, actor, group.id))
    },
  }),

  endpoint<typeof projectInput>({
    route: 'POST /groups/:id/projects/:project_id',
    summary: 'Transfer a project to a group',
    allow: administrators,
    input: projectInput,
    status: 201,
    answer: GroupDetailJson,
    async run(context) {
      const { db, actor, subject: group, level, input } = context
      const by = parseProjectId(input.project_id)
      const found = by && (await findVisibleProject(db, actor, by))
      if (!found) throw notFound('Project')
      await transferProject(context, found.project, group)
      return describeGroup(context, { group, level }, { includesProjects: true })
    },
  }),

  endpoint<typeof transferLocationsInput>({
    route: 'GET /groups/:id/transfer_locations',
    summary: 'List the groups to which a group can be transferred',
    signIn: 'always',
    allow: mayAdminGroup,
    input: transferLocationsInput,
    answer: Type.Array(GroupSummaryJson),
    run(context) {
      const { db, subject: group } = context
      return answerTransferLocations(context, {
        creationLevel: 'subgroup_creation_level',
        narrow: (groups) =>
          groups
            .where('namespaces.id', 'not in', groupAndDescendantIdsQuery(db, group.id))
            .where('namespaces.id', '!=', group.parent_id ?? 0),
      })
    },
  }),
]
