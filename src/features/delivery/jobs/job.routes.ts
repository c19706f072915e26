import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import type { CiStatus, Db } from '../../../db/db.ts'
import {
  type Context,
  endpoint as endpointAnywhere,
  endpointFactory,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  namedObject,
  nonBlankText,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  optionalBoolean,
  pageInput,
  plainTextBody,
} from '../../../http/schema.ts'
import { ciStatuses } from '../../../kernel/ci-status.ts'
import { badRequest, forbidden, notFound, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { findProject, type Project, projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { findJob, type Job } from '../pipeline-changes/job.ts'
import { findProjectPipeline } from '../pipelines/pipeline.ts'
import { retryJob } from '../pipelines/retry-pipeline.ts'
import { mayRunJob } from '../pipelines/run-right.ts'
import { cancelJob } from './cancel-job.ts'
import { eraseJob, isJobErasable } from './erase-job.ts'
import { findJobIsolationProblem } from './isolation-problem.ts'
import { mayEraseJob, mayReadJobLog, mayReadJobs, mayUpdateJobs } from './job.policy.ts'
import { findProjectJob, listInstanceJobs, listJobs, listJobsWithArtifacts } from './job.store.ts'
import { serveJobLog } from './job-log-answer.ts'
import { buildJobLogIndex } from './log-index.ts'
import { playJob } from './play-job.ts'
import {
  ShownBridgeJson,
  ShownJobJson,
  showBridges,
  showJob,
  showJobs,
  showJobsOfProjects,
} from './show-jobs.ts'

/**
 * `offsets` has the byte offsets of the first line and of every 1,000th line after it. The `offset` of a
 * section is that of its first line.
 */
const LogIndexJson = namedObject('LogIndex', {
  bytes: Type.Integer(),
  lines: Type.Integer(),
  offsets: Type.Array(Type.Integer()),
  sections: Type.Array(
    Type.Object({
      name: Type.String(),
      header: Type.String(),
      start: Type.String(),
      end: nullableText,
      offset: Type.Integer(),
      first_line: Type.Integer(),
      last_line: nullableInteger,
      collapsed: Type.Boolean(),
    }),
  ),
})

const endpoint = endpointFactory({ tag: 'Jobs', on: projectLoader })

const jobInput = { job_id: Type.Integer() }
const scopeInput = {
  scope: Type.Optional(Type.Array(oneOf(ciStatuses))),
  include_retried: optionalBoolean,
}

const pipelineJobsInput = {
  pipeline_id: Type.Integer(),
  ...scopeInput,
  with_needs: optionalBoolean,
  ...pageInput,
}

/** The names of the jobs that a job needs. Null means that the job waits for all earlier stages. */
const Needs = namedObject('JobNeeds', {
  needs: Type.Optional(nullable(Type.Array(Type.String()))),
})

/** What the caller may do with a job, considering protected branches (docs/api/conventions.md, "Abilities"). */
const JobAbilities = namedObject('JobAbilities', {
  abilities: Type.Optional(
    Type.Object({
      run_job: Type.Boolean(),
      erase_job: Type.Boolean(),
      allow_jobs_without_isolation: Type.Boolean(),
    }),
  ),
  isolation_problem: Type.Optional(
    nullable(
      Type.String({
        description:
          'Why the job waits: the built-in runner cannot isolate it, and nobody has allowed it yet.',
      }),
    ),
  ),
})

type PipelineJobsInput = {
  pipeline_id: number
  with_needs?: boolean
  scope?: CiStatus[]
  include_retried?: boolean
}

/**
 * Returns a page of the pipeline's jobs of one kind. Throws 404 if the pipeline does not exist or belongs to
 * another project.
 */
async function listJobsOf<T extends object>(
  context: Context<Project, PipelineJobsInput>,
  kind: 'build' | 'bridge',
  show: (viewer: typeof context, project: Project, jobs: readonly Job[]) => Promise<T[]>,
): Promise<Page> {
  const { db, subject: project, input, range } = context
  const pipeline = await findProjectPipeline(db, { project_id: project.id, id: input.pipeline_id })
  if (!pipeline) throw recordNotFound()
  const filter = {
    project_id: project.id,
    pipeline_id: pipeline.id,
    kind,
    statuses: input.scope,
    withRetried: input.include_retried ?? false,
  }
  const { rows, total } = await listJobs(db, filter, range)
  const shown = await show(context, project, rows)
  const needsOf = (at: number) => ({ needs: rows[at]?.needs?.map(({ name }) => name) ?? null })
  const items = shown.map((one, at) => (input.with_needs ? { ...one, ...needsOf(at) } : one))
  return new Page({ items, total })
}

/** Returns the job with that id. Throws 404 also for a job of another project. */
export async function getProjectJob(db: Db, project: Project, id: number): Promise<Job> {
  const job = await findProjectJob(db, { project_id: project.id, id })
  if (!job) throw recordNotFound()
  return job
}

function loadJob({ db, subject, input }: Context<Project, { job_id: number }>): Promise<Job> {
  return getProjectJob(db, subject, input.job_id)
}

export const jobEndpoints = [
  endpointAnywhere({
    route: 'GET /admin/jobs',
    summary: 'List the jobs of all projects, the newest first',
    tag: 'Jobs',
    allow: administrators,
    input: Type.Object({ scope: Type.Optional(Type.Array(oneOf(ciStatuses))), ...pageInput }),
    answer: Type.Array(ShownJobJson),
    async run(context) {
      const { db, input, range } = context
      const rows = await listInstanceJobs(db, { statuses: input.scope }, range)
      return new Page({ items: await showJobsOfProjects(context, rows), total: undefined })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/jobs',
    summary: 'List the jobs of a project',
    allow: mayReadJobs,
    input: Type.Object({ ...scopeInput, with_artifacts: optionalBoolean, ...pageInput }),
    answer: Type.Array(ShownJobJson),
    async run(context) {
      const { db, subject: project, input, range } = context
      const filter = {
        project_id: project.id,
        statuses: input.scope,
        withRetried: input.include_retried ?? true,
      }
      const rows = input.with_artifacts
        ? await listJobsWithArtifacts(db, filter, range)
        : (await listJobs(db, filter, range)).rows
      return new Page({ items: await showJobs(context, project, rows), total: undefined })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id/jobs',
    summary: 'List the jobs of a pipeline',
    allow: mayReadJobs,
    input: Type.Object(pipelineJobsInput),
    answer: Type.Array(Type.Intersect([ShownJobJson, Needs])),
    async run(context) {
      return listJobsOf(context, 'build', showJobs)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id/bridges',
    summary: 'List the trigger jobs of a pipeline',
    allow: mayReadJobs,
    input: Type.Object(pipelineJobsInput),
    answer: Type.Array(Type.Intersect([ShownBridgeJson, Needs])),
    async run(context) {
      return listJobsOf(context, 'bridge', showBridges)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/jobs/:job_id',
    summary: 'Get a job',
    allow: mayReadJobs,
    input: Type.Object({ ...jobInput, with_abilities: optionalBoolean }),
    answer: Type.Intersect([ShownJobJson, JobAbilities]),
    async run(context) {
      const { db, subject: project, input } = context
      const job = await getProjectJob(db, project, input.job_id)
      const shown = await showJob(context, project, job)
      if (!input.with_abilities) return shown
      const isolation_problem = job.status === 'pending' ? await findJobIsolationProblem(db) : null
      const abilities = {
        run_job: await mayRunJob(db, context, job),
        erase_job: mayUpdateJobs(context) && mayEraseJob(context, job),
        allow_jobs_without_isolation: isolation_problem !== null && administrators(context),
      }
      return { ...shown, abilities, isolation_problem }
    },
  }),

  endpoint({
    route: 'GET /projects/:id/jobs/:job_id/trace',
    summary: 'Get the log of a job',
    allow: mayReadJobs,
    input: Type.Object({
      ...jobInput,
      index: Type.Optional(
        Type.Boolean({ description: 'Where its lines and sections are, instead of the log.' }),
      ),
    }),
    answer: Type.Union([plainTextBody(), LogIndexJson]),
    otherAnswers: { 206: plainTextBody() },
    load: loadJob,
    authorize: (context) => mayReadJobLog(context, context.loaded),
    async run(context) {
      const { input, loaded: job } = context
      if (input.index) return buildJobLogIndex(context, job)
      return serveJobLog(context, job)
    },
  }),

  endpoint({
    route: 'POST /projects/:id/jobs/:job_id/cancel',
    summary: 'Cancel a job',
    allow: mayUpdateJobs,
    transaction: 'none',
    input: Type.Object(jobInput),
    status: 201,
    answer: ShownJobJson,
    load: loadJob,
    authorize: (context) => mayRunJob(context.db, context, context.loaded),
    async run(context) {
      const { db, subject: project, loaded: job } = context
      await cancelJob(context, job)
      return showJob(context, project, await getProjectJob(db, project, job.id))
    },
  }),

  endpoint({
    route: 'POST /projects/:id/jobs/:job_id/retry',
    summary: 'Retry a job',
    allow: mayUpdateJobs,
    transaction: 'none',
    input: Type.Object(jobInput),
    status: 201,
    answer: ShownJobJson,
    async run(context) {
      const { db, subject: project, input } = context
      const job = await getProjectJob(db, project, input.job_id)
      const id = await retryJob(context, context, job)
      return showJob(context, project, await getProjectJob(db, project, id))
    },
  }),

  endpoint({
    route: 'POST /projects/:id/jobs/:job_id/erase',
    summary: 'Erase the log and the artifacts of a job',
    allow: mayUpdateJobs,
    input: Type.Object(jobInput),
    status: 201,
    answer: ShownJobJson,
    load: loadJob,
    async authorize(context) {
      const { db, loaded: job } = context
      if (!mayEraseJob(context, job)) return false
      return (await isJobErasable(db, job)) || forbidden('Job is not erasable!')
    },
    async run(context) {
      const { db, subject: project, user, loaded: job } = context
      await eraseJob(context, job, user.id)
      await recordAuditEvent(context, {
        action: 'job_erased',
        entity: { kind: 'project', id: project.id },
        target: { kind: 'job', id: job.id, name: job.name },
      })
      return showJob(context, project, await getProjectJob(db, project, job.id))
    },
  }),

  endpoint({
    route: 'POST /projects/:id/jobs/:job_id/play',
    summary: 'Run a manual or delayed job',
    allow: mayUpdateJobs,
    transaction: 'none',
    input: Type.Object({
      ...jobInput,
      job_variables_attributes: Type.Optional(
        Type.Array(namedObject('JobVariableInput', { key: nonBlankText(), value: Type.String() }), {
          maxItems: limits.pipelines.pipeline_variables_max,
        }),
      ),
    }),
    answer: Type.Union([ShownJobJson, ShownBridgeJson]),
    async run(context) {
      const { db, input, subject: project } = context
      const job = await getProjectJob(db, project, input.job_id)
      const isPlayed = await playJob(context, context, job, input.job_variables_attributes)
      if (!isPlayed) throw badRequest('Unplayable Job')
      const played = await getProjectJob(db, project, job.id)
      if (played.kind !== 'bridge') return showJob(context, project, played)
      const [bridge] = await showBridges(context, project, [played])
      return bridge
    },
  }),

  endpointAnywhere({
    route: 'GET /job',
    summary: 'Get the job of a job token',
    tag: 'Jobs',
    jobToken: 'free',
    allow: () => true,
    answer: ShownJobJson,
    async run(context) {
      const { db, actor } = context
      const job = actor.job && (await findJob(db, actor.job.id))
      const found = job && (await findProject(db, actor, { id: job.project_id }))
      if (!found) throw notFound('Job')
      return showJob(context, found.project, job)
    },
  }),
]
