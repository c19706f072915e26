// A server with one project whose pipelines have jobs, and a runner that takes them.
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Bench } from './bench.ts'
import { callWell } from './client.ts'
import { type Server, startServer } from './server.ts'

export type RunningJob = { id: number; token: string }

export type CiServer = {
  server: Server
  data: string
  project_id: number
  headers: Record<string, string>
  /** Calls the API as an administrator; throws where it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds.
  post: (path: string, body: object) => Promise<{ status: number; json: any }>
  /** Makes a project with that configuration; answers its id. */
  makeProject: (name: string, config: object) => Promise<number>
  /** The next job that waits, which runs from then on. */
  takeJob: () => Promise<RunningJob>
}

/** Starts a server of its own on new data; `config` is the project's file. */
export async function startCiServer(
  bench: Bench,
  { config, env = {} }: { config: object; env?: Record<string, string> },
): Promise<CiServer> {
  const data = bench.newFolder('ci')
  await mkdir(data)
  const token = 'bench-root-token-of-its-own'
  const server = await startServer({
    data,
    profile: bench.profile,
    env: { BLOOMERY_ROOT_TOKEN: token, ...env },
  })
  bench.whenClosed(server.stop)
  const headers = { 'private-token': token }
  const post = async (path: string, body: object) => {
    const answer = await callWell(`${server.url}/api/v4${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, json: JSON.parse(answer.body.toString() || 'null') }
  }
  const makeProject = async (name: string, config: object) => {
    const { id } = (await post('/projects', { name })).json
    await post(`/projects/${id}/repository/commits`, {
      branch: 'main',
      commit_message: 'Light the furnace',
      actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: JSON.stringify(config) }],
    })
    return id as number
  }
  const project_id = await makeProject('furnace', config)
  const runner = (await post('/user/runners', { runner_type: 'instance_type' })).json
  return {
    server,
    data,
    project_id,
    headers,
    post,
    makeProject,
    async takeJob() {
      for (let tries = 0; tries < 100; tries++) {
        const { status, json } = await post('/jobs/request', { token: runner.token })
        if (status === 201) return { id: json.id, token: json.token }
      }
      throw new Error('No pending job for the runner.')
    },
  }
}

export const databaseOf = ({ data }: CiServer): string => join(data, 'bloomery.sqlite')

const boundary = 'bench-boundary'

/** Sends a file that a job has made, as a runner does. */
export async function uploadArtifact(
  { server }: CiServer,
  job: RunningJob,
  file: { path: string; bytes: number; type: string; format: 'zip' | 'gzip' | 'raw' },
): Promise<void> {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="artifact"'
  const head = `--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const query = new URLSearchParams({ artifact_type: file.type, artifact_format: file.format })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const outgoing = request(`${server.url}/api/v4/jobs/${job.id}/artifacts?${query}`, {
    method: 'POST',
    headers: {
      'job-token': job.token,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': file.bytes + head.length + tail.length,
    },
  })
  outgoing.on('error', reject)
  outgoing.on('response', (incoming) => resolve(incoming.resume().statusCode ?? 0))
  outgoing.write(head)
  await pipeline(createReadStream(file.path), outgoing, { end: false })
  outgoing.end(tail)
  const status = await promise
  if (status !== 201) throw new Error(`Upload of the artifact failed: HTTP ${status}`)
}
