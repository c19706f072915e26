// A runner that speaks the protocol and does what a test says.
import type { PipelineRequest } from '../../src/features/delivery/pipeline-creation/pipeline-request.ts'
import type { Pipeline } from '../../src/subjects/pipeline.ts'
import type { Project } from '../../src/subjects/project.ts'
import type { Answer } from './app.ts'
import { newPipeline } from './pipelines.ts'
import type { World } from './world.ts'

export type GivenJob = {
  id: number
  token: string
  job_info: { name: string }
  variables: { key: string; value: string; masked: boolean; public: boolean; file?: true }[]
  [key: string]: unknown
}

export type FakeRunner = {
  id: number
  token: string
  /** Requests a job; undefined if none is pending for the runner. */
  take: (more?: object) => Promise<GivenJob | undefined>
  /** Requests a job; throws if none is pending for the runner. */
  takeJob: (more?: object) => Promise<GivenJob>
  ask: (more?: object) => Promise<Answer>
  log: (
    job: GivenJob,
    text: string,
    start?: number,
    options?: { isDebug?: boolean },
  ) => Promise<Answer>
  end: (job: GivenJob, state: 'success' | 'failed', more?: object) => Promise<Answer>
  upload: (job: GivenJob, content: Buffer, query?: string) => Promise<Answer>
}

/** A runner of the project; what follows from its words has happened when they are answered. */
export async function newRunner(
  world: World,
  project_id: number,
  settings: object = {},
): Promise<FakeRunner> {
  const body = { runner_type: 'project_type', project_id, ...settings }
  const made = await world.as('owner').post('/user/runners', body)
  if (made.statusCode !== 201) throw new Error(made.body)
  const { id, token } = made.json()
  const nobody = world.as('anonymous')
  const settle = async (answer: Answer) => {
    await world.app.worker.drain()
    return answer
  }
  const ask = (more: object = {}) => nobody.post('/jobs/request', { token, ...more })
  const take = async (more?: object): Promise<GivenJob | undefined> => {
    const answer = await ask(more)
    if (answer.statusCode === 204) return undefined
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return answer.json()
  }
  return {
    id,
    token,
    ask,
    take,
    async takeJob(more) {
      const job = await take(more)
      if (!job) throw new Error(`Runner ${id} got no job.`)
      return job
    },
    log: (job, text, start = 0, { isDebug = false } = {}) =>
      nobody.patch(`/jobs/${job.id}/trace?debug_trace=${isDebug}`, Buffer.from(text), {
        headers: {
          'job-token': job.token,
          'content-type': 'text/plain',
          'content-range': `${start}-${start + Buffer.byteLength(text) - 1}`,
        },
      }),
    end: async (job, state, more = {}) =>
      settle(await nobody.put(`/jobs/${job.id}`, { token: job.token, state, ...more })),
    upload(job, content, query = '') {
      const boundary = 'fake-runner-boundary'
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="artifacts.zip"\r\nContent-Type: application/octet-stream\r\n\r\n`
      const payload = Buffer.concat([
        Buffer.from(head),
        content,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ])
      return nobody.post(`/jobs/${job.id}/artifacts${query}`, payload, {
        headers: {
          'job-token': job.token,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
      })
    },
  }
}

/** Creates a runner and a pipeline of the project, and has the runner take the first job of the pipeline. */
export async function takeFirstJob(
  world: World,
  project: Project,
  request: Partial<PipelineRequest> = {},
): Promise<{ runner: FakeRunner; pipeline: Pipeline; job: GivenJob }> {
  const runner = await newRunner(world, project.id)
  const pipeline = await newPipeline(world, project, request)
  await world.app.worker.drain()
  return { runner, pipeline, job: await runner.takeJob() }
}
