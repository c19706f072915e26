import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import {
  nullable,
  oneOf,
  optionalBoolean,
  optionalInteger,
  optionalText,
} from '../../../http/schema.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import {
  findNamespace,
  findNamespaceByPath,
  findPersonalNamespace,
  type Namespace,
} from '../../../subjects/namespace.ts'
import {
  areInSameForkNetwork,
  findVisibleProject,
  mayFork,
  mayReadProject,
  mayRemoveProject,
  projectLoader,
} from '../../../subjects/project.ts'
import { actorUserFromUser, findUser } from '../../../subjects/user.ts'
import { isFork, linkForkToSource, unlinkForkFromSource } from '../projects/project.ts'

import { ShownProjectJson, showProject } from '../projects/show-projects.ts'
import { mayCreateProjectIn } from '../projects/target-namespace.ts'
import { forkProject } from './fork-project.ts'

const endpoint = endpointFactory({ tag: 'Projects', on: projectLoader })

type Target = { namespace?: string; namespace_id?: number; namespace_path?: string }

/**
 * Returns the target namespace. `namespace` is an id or a path; if missing or empty, the caller's own
 * namespace is used.
 */
function findTarget(
  { db, user }: Context<unknown, unknown>,
  { namespace, namespace_id, namespace_path }: Target,
): Promise<Namespace | undefined> {
  const id = namespace_id ?? (/^\d{1,15}$/.test(namespace ?? '') ? Number(namespace) : undefined)
  if (id !== undefined) return findNamespace(db, id)
  const path = namespace_path || namespace
  return !path ? findPersonalNamespace(db, user.id) : findNamespaceByPath(db, path)
}

export const forkEndpoints = [
  endpoint({
    route: 'POST /projects/:id/fork',
    summary: 'Fork a project',
    allow: mayReadProject,
    transaction: 'none',
    input: Type.Object({
      namespace: optionalText,
      namespace_id: optionalInteger,
      namespace_path: optionalText,
      name: optionalText,
      path: optionalText,
      description: Type.Optional(nullable(Type.String())),
      visibility: Type.Optional(oneOf(['private', 'internal', 'public'])),
      mr_default_target_self: optionalBoolean,
    }),
    status: 201,
    answer: ShownProjectJson,
    async run(context) {
      const { db, subject: source, level, actor, input, user } = context
      // 404 instead of 403, so that the response does not reveal that the project exists.
      if (!mayFork({ subject: source, level, actor })) throw notFound()
      const namespace = await findTarget(context, input)
      if (!namespace || !(await mayCreateProjectIn(context, namespace))) {
        throw notFound('Target Namespace')
      }
      const creator = await findUser(db, user.id)
      if (!creator) throw notFound('User')
      const { description, visibility } = input
      const name = input.name || undefined
      const path = input.path || undefined
      const id = await forkProject(context, {
        ...{ source, namespace, name, path, description, visibility },
        creator: actorUserFromUser(creator),
        projects_limit: creator.projects_limit,
      })
      return showProject(context, id)
    },
  }),

  endpoint({
    route: 'POST /projects/:id/fork/:forked_from_id',
    summary: 'Create a fork relation between projects',
    allow: administrators,
    input: Type.Object({ forked_from_id: Type.Integer() }),
    status: 201,
    answer: ShownProjectJson,
    async run(context) {
      const { db, actor, subject: project, input } = context
      const source = await findVisibleProject(db, actor, { id: input.forked_from_id })
      if (!source || source.project.id === project.id) throw notFound('Source Project')
      const isBelow = areInSameForkNetwork(project, source.project)
      if (isBelow || (await isFork(db, project.id))) throw conflict('Project already forked')
      await linkForkToSource(db, project.id, source.project.id)
      return showProject(context, project.id)
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/fork',
    summary: 'Remove the fork relation of a project',
    allow: mayRemoveProject,
    status: 204,
    otherAnswers: { 304: undefined },
    async run({ db, subject: project }) {
      if (!(await isFork(db, project.id))) return Answer.empty(304)
      await unlinkForkFromSource(db, project.id)
      return undefined
    },
  }),
]
