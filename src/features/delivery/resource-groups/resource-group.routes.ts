import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, oneOf, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { isUnarchived, type Project, projectLoader } from '../../../subjects/project.ts'
import { enqueue } from '../../../tasks/task.ts'
import { ShownJobJson, showJob, showJobs } from '../jobs/show-jobs.ts'
import { findJob } from '../pipeline-changes/job.ts'
import { assignResourceTask } from './assign-resource.ts'
import {
  findResourceGroupByKey,
  jobNeedsResource,
  listResourceGroups,
  listUpcomingResourceJobs,
  type ResourceGroup,
  updateResourceGroup,
} from './resource-group.store.ts'

const tag = 'Resource groups'
const endpoint = endpointFactory({ tag, on: projectLoader, signIn: 'always' })
const url = '/projects/:id/resource_groups' as const
const keyInput = { key: Type.String({ description: 'URL-encoded key of the group.' }) }
const modes = ['unordered', 'oldest_first', 'newest_first', 'newest_ready_first'] as const

/** Developers and above may read resource groups, unless pipelines are disabled. */
const readResourceGroups: Rule<Project> = ({ subject, level }) =>
  subject.builds_access_level !== 'disabled' && level >= Level.developer
const writeResourceGroups: Rule<Project> = (facts) =>
  readResourceGroups(facts) && isUnarchived(facts.subject)

const ResourceGroupJson = namedObject('ResourceGroup', {
  id: Type.Integer(),
  key: Type.String(),
  process_mode: oneOf(modes),
  created_at: Type.String(),
  updated_at: Type.String(),
})

function presentGroup(group: ResourceGroup): Static<typeof ResourceGroupJson> {
  const { id, key, process_mode, created_at, updated_at } = group
  return { id, key, process_mode, created_at, updated_at }
}

async function getGroup({
  db,
  subject: project,
  input,
}: Context<Project, { key: string }>): Promise<ResourceGroup> {
  const found = await findResourceGroupByKey(db, { project_id: project.id, key: input.key })
  if (!found) throw recordNotFound()
  return found
}

export const resourceGroupEndpoints = [
  endpoint({
    route: `GET ${url}`,
    summary: 'List the resource groups of a project',
    allow: readResourceGroups,
    input: Type.Object(pageInput),
    answer: Type.Array(ResourceGroupJson),
    async run({ db, subject: project, range }) {
      const { rows, total } = await listResourceGroups(db, project.id, range)
      return new Page({ items: rows.map(presentGroup), total })
    },
  }),

  endpoint({
    route: `GET ${url}/:key`,
    summary: 'Get a resource group',
    allow: readResourceGroups,
    input: Type.Object(keyInput),
    answer: ResourceGroupJson,
    run: async (context) => presentGroup(await getGroup(context)),
  }),

  endpoint({
    route: `GET ${url}/:key/current_job`,
    summary: 'Get the current job of a resource group',
    allow: readResourceGroups,
    input: Type.Object(keyInput),
    answer: ShownJobJson,
    async run(context) {
      const { db, subject: project } = context
      const { job_id } = await getGroup(context)
      const job = job_id === null ? undefined : await findJob(db, job_id)
      if (!job || !jobNeedsResource(job)) throw recordNotFound()
      return showJob(context, project, job)
    },
  }),

  endpoint({
    route: `GET ${url}/:key/upcoming_jobs`,
    summary: 'List the upcoming jobs of a resource group',
    allow: readResourceGroups,
    input: Type.Object({ ...keyInput, ...pageInput }),
    answer: Type.Array(ShownJobJson),
    async run(context) {
      const { db, subject: project, range } = context
      const { rows, total } = await listUpcomingResourceJobs(db, await getGroup(context), range)
      return new Page({ items: await showJobs(context, project, rows), total })
    },
  }),

  endpoint({
    route: `PUT ${url}/:key`,
    summary: 'Update a resource group',
    allow: writeResourceGroups,
    input: Type.Object({ ...keyInput, process_mode: Type.Optional(oneOf(modes)) }),
    answer: ResourceGroupJson,
    async run(context) {
      const { db, clock, input } = context
      const { id, ...before } = await getGroup(context)
      const { process_mode = before.process_mode } = input
      const changed = await updateResourceGroup(db, id, {
        process_mode,
        updated_at: timestamp(clock),
      })
      // After the change another job may be next.
      const payload = { resource_group_id: id }
      await enqueue(db, clock, { task: assignResourceTask, key: String(id), payload })
      return presentGroup(changed)
    },
  }),
]
