// Every way to the archive of a job asks the same rule: whoever may not read it gets it by none of them.
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { newRunner, takeFirstJob } from '../../../../test/kit/fake-runner.ts'
import { newCiProject, newPipeline, newRunningToken } from '../../../../test/kit/pipelines.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { zipOf } from '../../../../test/kit/zip.ts'
import type { Project } from '../../../subjects/project.ts'
import { endpoints } from '../../families.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Caller = Exclude<Who, 'anonymous' | 'admin'>

/** A finished job of a public project, with an archive that is not public. */
async function newHidden() {
  const artifacts = { paths: ['out/'], reports: { dotenv: 'a.env' }, public: false }
  const config = { build: { script: 'true', artifacts } }
  const project = await newCiProject(world, config, { group: world.groups.open })
  const { runner, job } = await takeFirstJob(world, project)
  const uploaded = [
    await runner.upload(job, zipOf({ 'out/a.txt': 'secret' })),
    await runner.upload(
      job,
      gzipSync('HIDDEN=secret'),
      '?artifact_type=dotenv&artifact_format=gzip',
    ),
  ]
  expect(uploaded.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  await runner.end(job, 'success')
  return { project, job }
}

/** The address of each operation that answers something of an archive. */
function addressesOf({ project, job }: Awaited<ReturnType<typeof newHidden>>): string[] {
  const reading = endpoints.filter(
    ({ method, path }) => method === 'GET' && /\/jobs\/.*artifacts/.test(path),
  )
  expect(reading.length).toBeGreaterThan(4)
  return reading.map(
    ({ path }) =>
      `${path
        .replace(':id', String(project.id))
        .replace(':job_id', String(job.id))
        .replace(':ref_name', 'main')
        .replace(':artifact_path', 'out/a.txt')}?job=build`,
  )
}

/** What a job of the user is told of the archive it needs from the project. */
async function readByNeed(who: Caller, from: Project) {
  const needs = [{ project: from.full_path, job: 'build', ref: 'main', artifacts: true }]
  const project = await newCiProject(world, { use: { script: 'true', needs } })
  await newPipeline(world, project)
  await world.app.db
    .updateTable('jobs')
    .set({ user_id: world.users[who].id })
    .where('project_id', '=', project.id)
    .execute()
  const runner = await newRunner(world, project.id)
  const job = await runner.takeJob()
  const [dependency] = job.dependencies as { id: number; artifacts_file?: object }[]
  return {
    isNamed: dependency?.artifacts_file !== undefined,
    hasVariable: job.variables.some(({ key }) => key === 'HIDDEN'),
    token: job.token,
  }
}

describe('An archive that is not public', () => {
  it.each([
    ['outsider', 403],
    ['guest', 403],
    ['reporter', 200],
  ] as const)('is read by no operation by whoever may not: %s', async (who, status) => {
    const hidden = await newHidden()
    const headers = { 'job-token': await newRunningToken(world, who) }
    for (const url of addressesOf(hidden)) {
      const answers = [
        await world.as(who).get(url),
        await world.as('anonymous').get(url, { headers }),
      ]
      expect([url, ...answers.map(({ statusCode }) => statusCode)]).toEqual([url, status, status])
    }
  })

  it.each([
    ['outsider', 404],
    ['guest', 404],
    ['reporter', 200],
  ] as const)('is not handed to a job of another project: %s', async (who, status) => {
    const { project, job } = await newHidden()
    const fetchBy = (token: string) =>
      world.as('anonymous').get(`/jobs/${job.id}/artifacts`, { headers: { 'job-token': token } })
    expect((await fetchBy(await newRunningToken(world, who))).statusCode).toBe(status)
    const { token, ...read } = await readByNeed(who, project)
    const isReadable = status === 200
    expect(read).toEqual({ isNamed: isReadable, hasVariable: isReadable })
    expect((await fetchBy(token)).statusCode).toBe(status)
  })
})
