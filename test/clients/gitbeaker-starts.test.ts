// What starts pipelines and what they leave, by a published client library against the listening server.
import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anonymous } from '../../src/access/actor.ts'
import { findProject, type Project } from '../../src/subjects/project.ts'
import { startApp, type TestApp } from '../kit/app.ts'
import { jobOf, runJobWith } from '../kit/pipelines.ts'
import { newWorld, type World } from '../kit/world.ts'

let app: TestApp
let world: World
let api: InstanceType<typeof Gitlab>
beforeAll(async () => {
  app = await startApp()
  world = await newWorld(app)
  const host = await app.server.listen({ host: '127.0.0.1', port: 0 })
  api = new Gitlab({ host, token: world.token('owner') })
})
afterAll(() => app.close())

const config = { build: { script: 'true', resource_group: 'eu/1', artifacts: { paths: ['out'] } } }

async function newProject(): Promise<Project> {
  const files = { '.gitlab-ci.yml': JSON.stringify(config) }
  const { id } = await world.newProject({ files })
  await app.worker.drain()
  const found = await findProject(app.db, anonymous, { id })
  if (!found) throw new Error('The project is gone.')
  return found.project
}

it('keeps pipeline schedules and plays them', async () => {
  const { id } = await newProject()
  const made = await api.PipelineSchedules.create(id, 'Nightly', 'main', '0 1 * * *', {
    cronTimezone: 'Berlin',
  })
  expect(made).toMatchObject({ description: 'Nightly', cron_timezone: 'Berlin', active: true })
  const variable = await api.PipelineScheduleVariables.create(id, made.id, 'K', 'v', {
    variableType: 'file',
  })
  expect(variable).toMatchObject({ key: 'K', variable_type: 'file', value: 'v' })
  await api.PipelineScheduleVariables.edit(id, made.id, 'K', 'w')
  expect(await api.PipelineSchedules.show(id, made.id)).toMatchObject({
    variables: [{ key: 'K', variable_type: 'file', value: 'w' }],
    last_pipeline: null,
  })
  await api.PipelineScheduleVariables.remove(id, made.id, 'K')
  expect(await api.PipelineSchedules.run(id, made.id)).toEqual({ message: '201 Created' })
  await app.worker.drain()
  const [pipeline] = await api.PipelineSchedules.allTriggeredPipelines(id, made.id)
  expect(pipeline).toMatchObject({ source: 'schedule', ref: 'main' })
  await api.PipelineSchedules.edit(id, made.id, { active: false })
  expect(await api.PipelineSchedules.all(id, { scope: 'inactive' })).toHaveLength(1)
  await api.PipelineSchedules.takeOwnership(id, made.id)
  await api.PipelineSchedules.remove(id, made.id)
  await expect(api.PipelineSchedules.show(id, made.id)).rejects.toThrow('404')
})

it('starts pipelines with the token of a trigger', async () => {
  const { id } = await newProject()
  const trigger = await api.PipelineTriggerTokens.create(id, 'from elsewhere')
  await api.PipelineTriggerTokens.edit(id, trigger.id, { description: 'from here' })
  expect(await api.PipelineTriggerTokens.all(id)).toMatchObject([{ description: 'from here' }])
  const started = await api.PipelineTriggerTokens.trigger(id, 'main', trigger.token, {
    variables: { A: 'x' },
  })
  expect(started).toMatchObject({ source: 'trigger', ref: 'main', status: expect.any(String) })
  expect(await api.PipelineTriggerTokens.show(id, trigger.id)).toMatchObject({
    last_used: started.created_at,
  })
  await api.PipelineTriggerTokens.remove(id, trigger.id)
  expect(await api.PipelineTriggerTokens.all(id)).toEqual([])
})

it('changes resource groups, and sees who waits', async () => {
  const { id } = await newProject()
  for (let made = 0; made < 2; made++) await api.Pipelines.create(id, 'main')
  await app.worker.drain()
  expect(await api.ResourceGroups.all(id)).toMatchObject([{ key: 'eu/1' }])
  await api.ResourceGroups.edit(id, 'eu/1', { processMode: 'oldest_first' })
  expect(await api.ResourceGroups.show(id, 'eu/1')).toMatchObject({ process_mode: 'oldest_first' })
  const waiting = await api.ResourceGroups.allUpcomingJobs(id, 'eu/1')
  expect(waiting.map(({ status }) => status)).toContain('waiting_for_resource')
})

it('reads, keeps and removes artifacts', async () => {
  const project = await newProject()
  const { id } = project
  // The one of the push gives the resource back first.
  const [pushed] = await api.Pipelines.all(id)
  const first = await jobOf(world, pushed?.id ?? 0, 'build')
  await api.Jobs.cancel(id, first.id)
  await app.worker.drain()
  const job = await runJobWith(world, project, { 'out/a b.txt': 'slag' })
  // It hands out texts as texts and everything else as bytes.
  const textOf = async (from: Parameters<typeof api.JobArtifacts.downloadArchive>[1]) => {
    const got: unknown = await api.JobArtifacts.downloadArchive(id, from)
    return typeof got === 'string' ? got : (got as Blob).text()
  }
  expect(await textOf({ jobId: job.id, artifactPath: 'out/a b.txt' })).toBe('slag')
  const latest = { ref: 'main', job: 'build' }
  expect(await textOf({ ...latest, artifactPath: 'out/a b.txt' })).toBe('slag')
  expect((await textOf({ jobId: job.id })).slice(0, 2)).toBe('PK')
  expect((await textOf(latest)).slice(0, 2)).toBe('PK')
  expect(await api.JobArtifacts.keep(id, job.id)).toMatchObject({ id: job.id, status: 'success' })
  await api.JobArtifacts.remove(id, { jobId: job.id })
  await expect(api.JobArtifacts.downloadArchive(id, latest)).rejects.toThrow('404')
  await api.JobArtifacts.remove(id)
})

it('keeps domains of sites', async () => {
  const { id } = await newProject()
  const domain = `site-${id}.example.com`
  const made = await api.PagesDomains.create(id, domain, { autoSslEnabled: 'true' })
  expect(made).toMatchObject({ domain, url: `http://${domain}`, auto_ssl_enabled: true })
  const changed = await api.PagesDomains.edit(id, domain, { autoSslEnabled: 'false' })
  expect(changed).toMatchObject({ domain, auto_ssl_enabled: false })
  expect(await api.PagesDomains.show(id, domain)).toEqual(changed)
  expect(await api.PagesDomains.all({ projectId: id })).toEqual([changed])
  await api.PagesDomains.remove(id, domain)
  expect(await api.PagesDomains.all({ projectId: id })).toEqual([])
})
