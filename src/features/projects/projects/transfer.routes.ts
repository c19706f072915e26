import { Type } from 'typebox'
import { endpointFactory } from '../../../http/endpoint.ts'
import { notFound } from '../../../kernel/errors.ts'
import { GroupSummaryJson } from '../../../subjects/group-summary.ts'
import { mayMoveProject, projectLoader } from '../../../subjects/project.ts'
import {
  answerTransferLocations,
  transferLocationsInput,
} from '../../basics/namespaces/transfer-locations.ts'
import { ProjectJson } from './project.present.ts'
import { showProject } from './show-projects.ts'
import { findTargetNamespace } from './target-namespace.ts'
import { transferProject } from './transfer-project.ts'

const endpoint = endpointFactory({ tag: 'Projects', on: projectLoader })

export const transferEndpoints = [
  endpoint({
    route: 'PUT /projects/:id/transfer',
    summary: 'Transfer a project to another namespace',
    allow: mayMoveProject,
    input: Type.Object({ namespace: Type.String({ description: 'ID or full path.' }) }),
    answer: ProjectJson,
    async run(context) {
      const { subject: project, input } = context
      const target = await findTargetNamespace(context, input.namespace)
      if (!target) throw notFound('Namespace')
      await transferProject(context, project, target)
      return showProject(context, project.id)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/transfer_locations',
    summary: 'List the groups to which a project can be transferred',
    signIn: 'always',
    allow: mayMoveProject,
    input: transferLocationsInput,
    answer: Type.Array(GroupSummaryJson),
    run(context) {
      const { namespace_id } = context.subject
      return answerTransferLocations(context, {
        creationLevel: 'project_creation_level',
        narrow: (groups) =>
          groups
            .where('namespaces.project_creation_level', '!=', 'noone')
            .where('namespaces.id', '!=', namespace_id),
      })
    },
  }),
]
