// Pipelines without a runner: what one would tell of their jobs, said here.
import { Readable } from 'node:stream'
import type { JobEvent } from '../../src/ci/job-states.ts'
import {
  type NewArtifact,
  storeArtifact,
} from '../../src/features/delivery/artifacts/store-artifact.ts'
import { finishJob } from '../../src/features/delivery/jobs/finish-job.ts'
import {
  transitionJob,
  withLockedPipeline,
} from '../../src/features/delivery/pipeline-changes/change-pipeline.ts'
import { findJob, type Job } from '../../src/features/delivery/pipeline-changes/job.ts'
import { createPipeline } from '../../src/features/delivery/pipeline-creation/create-pipeline.ts'
import type { PipelineRequest } from '../../src/features/delivery/pipeline-creation/pipeline-request.ts'
import { digestToken, newJobToken } from '../../src/kernel/ids.ts'
import type { Pipeline } from '../../src/subjects/pipeline.ts'
import type { Project } from '../../src/subjects/project.ts'
import { actorUserFromUser } from '../../src/subjects/user.ts'
import type { Who, World } from './world.ts'
import { zipOf } from './zip.ts'

const usesOf = ({ app: { db, git, clock, config, secretKey } }: World) => ({
  ...{ db, git, config, secretKey },
  clock: clock.now,
})

/** A project whose file is `config`, of which no push has made a pipeline. */
export async function newCiProject(
  world: World,
  config: object,
  options: Parameters<World['newProject']>[0] = {},
): Promise<Project> {
  const files = { '.gitlab-ci.yml': JSON.stringify(config), ...options.files }
  const project = await world.newProject({ ...options, files })
  await world.app.db
    .deleteFrom('tasks')
    .where('name', '=', 'tell-of-push')
    .where('owner_id', 'is', null)
    .execute()
  return project
}

/** The token of a running job of the user, in a new project that lets its jobs reach all others. */
export async function newRunningToken(
  world: World,
  who: Exclude<Who, 'anonymous' | 'admin'>,
): Promise<string> {
  const project = await newCiProject(world, { build: { script: 'true' } })
  const { id } = await newPipeline(world, project)
  const token = newJobToken()
  await world.app.db
    .updateTable('jobs')
    .set({ status: 'running', token_digest: digestToken(token), user_id: world.users[who].id })
    .where('pipeline_id', '=', id)
    .execute()
  return token
}

/** A pipeline of the project's main branch, made as its Owner. */
export function newPipeline(
  world: World,
  project: Project,
  request: Partial<PipelineRequest> = {},
): Promise<Pipeline> {
  const user = actorUserFromUser(world.users.owner)
  const common = { project, ref: 'main', source: 'api' as const, user, variables: [] }
  return createPipeline(usesOf(world), { ...common, ...request })
}

/** The job of that name that counts. */
export async function jobOf(world: World, pipeline_id: number, name: string): Promise<Job> {
  const { id } = await world.app.db
    .selectFrom('jobs')
    .select('id')
    .where('pipeline_id', '=', pipeline_id)
    .where('name', '=', name)
    .where('retried', '=', false)
    .executeTakeFirstOrThrow()
  const job = await findJob(world.app.db, id)
  if (!job) throw new Error('The job is gone.')
  return job
}

/** What happens to a job; what follows by itself has happened when this ends. */
export async function tellJob(
  world: World,
  { id, pipeline_id }: Job,
  event: JobEvent,
): Promise<void> {
  const uses = usesOf(world)
  await withLockedPipeline(uses, pipeline_id, async (locked) => {
    const job = await findJob(locked.tx, id)
    if (!job) throw new Error('The job is gone.')
    const isEnd = event === 'succeed' || event === 'drop' || event === 'cancel'
    const isDone = isEnd
      ? await finishJob(locked, job, { event })
      : await transitionJob(locked, { job, event })
    if (!isDone) throw new Error(`A job that is ${job.status} cannot ${event}.`)
  })
  await world.app.worker.drain()
}

/** What a running job has made: an archive unless said otherwise. */
export async function storeFile(
  world: World,
  job: Job,
  content: Buffer,
  file: Partial<Omit<NewArtifact, 'job' | 'stream'>> = {},
): Promise<void> {
  await storeArtifact(usesOf(world), {
    file_type: 'archive',
    file_format: 'zip',
    filename: 'artifacts.zip',
    expire_in: undefined,
    ...file,
    job,
    stream: Readable.from([content]),
  })
}

/** A job of a new pipeline that has run and made an archive of these files. */
export async function runJobWith(
  world: World,
  project: Project,
  files: Parameters<typeof zipOf>[0],
  {
    name = 'build',
    event = 'succeed',
    request,
    ...file
  }: Partial<Omit<NewArtifact, 'job' | 'stream'>> & {
    name?: string
    event?: JobEvent
    request?: Partial<PipelineRequest>
  } = {},
): Promise<Job> {
  const pipeline = await newPipeline(world, project, request)
  // It may have to be given a resource first.
  await world.app.worker.drain()
  const job = await jobOf(world, pipeline.id, name)
  await tellJob(world, job, 'run')
  await storeFile(world, await jobOf(world, pipeline.id, name), zipOf(files), file)
  await tellJob(world, job, event)
  return jobOf(world, pipeline.id, name)
}
