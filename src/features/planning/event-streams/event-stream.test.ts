import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { follow as followAt } from '../../../../test/kit/event-stream.ts'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { jobOf, newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
let url: string
beforeAll(async () => {
  world = await newWorld()
  url = await world.app.server.listen({ host: '127.0.0.1', port: 0 })
})

const asToken = (token: string) => ({ 'private-token': token })
const as = (who: Parameters<World['token']>[0]) => asToken(world.token(who))

async function follow(topics: string[], headers: Record<string, string> = {}, more = '') {
  const reader = await followAt(url, topics, headers, more)
  onTestFinished(() => reader.close())
  return reader
}

const path = (...topics: string[]) =>
  `/events/stream?follow=false&${topics.map((topic) => `topics[]=${topic}`).join('&')}`

async function newJob(config: object = { script: 'true' }) {
  const project = await newCiProject(world, { job: config })
  const pipeline = await newPipeline(world, project)
  const job = await jobOf(world, pipeline.id, 'job')
  return { project, pipeline, job }
}

describe('what is told', () => {
  it('tells the present versions first, and nothing else', async () => {
    const { project, pipeline, job } = await newJob()
    const topics = [`job:${job.id}`, `pipeline:${pipeline.id}`, `project:${project.id}`, 'user']
    const answer = await world.as('owner').get(path(...topics))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(answer.headers.etag).toBeUndefined()
    const [retry, ...events] = answer.body.split('\n\n').slice(0, -1)
    expect(retry).toBe('retry: 3000')
    const told = events.map((event) => JSON.parse(event.split('data: ')[1] ?? ''))
    expect(told.map(({ topic }) => topic).toSorted()).toEqual(topics.toSorted())
    for (const one of told) {
      expect(one).toEqual({ topic: one.topic, version: expect.stringMatching(/^[\w-]{10}$/) })
    }
  })

  it('tells a job from the queue to its end, its log included', async () => {
    const { project, pipeline, job } = await newJob()
    const runner = await newRunner(world, project.id)
    const reader = await follow(
      [`job:${job.id}`, `pipeline:${pipeline.id}`, `project:${project.id}`],
      as('owner'),
    )
    expect(reader.status).toBe(200)
    await expect.poll(() => reader.told.length).toBe(3)

    const running = ['job', 'pipeline', 'project'].map((kind) =>
      reader.next(`${kind}:${{ job, pipeline, project }[kind as 'job'].id}`),
    )
    const given = await runner.take()
    expect(await Promise.all(running)).toHaveLength(3)

    const logged = reader.next(`job:${job.id}`)
    if (given) await runner.log(given, 'first line\n')
    const { version } = await logged

    const ended = reader.next(`job:${job.id}`)
    if (given) await runner.end(given, 'success')
    expect((await ended).version).not.toBe(version)
  })
})
