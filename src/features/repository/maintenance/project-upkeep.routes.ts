// Operations of administrators and Maintainers about the storage of a repository.

import { relative } from 'node:path'
import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { Answer } from '../../../http/answer.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { oneOf } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import {
  findRepositoryPlacement,
  mayAdminProject,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { enqueue } from '../../../tasks/task.ts'
import { maintainProjectTask } from './maintenance.tasks.ts'

const endpoint = endpointFactory({ tag: 'Projects', on: projectLoader })

export const projectUpkeepEndpoints = [
  endpoint({
    route: 'POST /projects/:id/housekeeping',
    summary: 'Start housekeeping of a repository',
    allow: mayAdminProject,
    // The parameter makes no difference, since maintenance includes both tasks.
    input: Type.Object({ task: Type.Optional(oneOf(['eager', 'prune'])) }),
    status: 201,
    answer: Type.Null(),
    async run({ db, clock, subject: project }) {
      const payload = { project_id: project.id }
      await enqueue(db, clock, { task: maintainProjectTask, key: String(project.id), payload })
      return Answer.json(201, null)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/storage',
    summary: "Get the storage of a project's repository",
    signIn: 'always',
    allow: administrators,
    answer: Type.Object({
      project_id: Type.Integer(),
      disk_path: Type.String(),
      created_at: Type.String(),
      repository_storage: Type.String(),
    }),
    async run({ db, config, subject: project }) {
      const placement = await findRepositoryPlacement(db, project.id)
      if (!placement) throw notFound('Project')
      const { created_at, repository_storage } = placement
      const { path } = projectRepository(config, { id: project.id, repository_storage })
      const root = ownValue(config.storages, repository_storage)?.path ?? ''
      const disk_path = relative(root, path).replace(/\.git$/, '')
      return { project_id: project.id, disk_path, created_at, repository_storage }
    },
  }),
]
