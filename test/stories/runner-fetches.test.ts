// How the stock runner fetches the commit of a job: git sends the token in the URL only after a 401, which a public
// repository never answers (docs/api/runners.md, "A job").
import { beforeAll, describe, expect, it } from 'vitest'
import { deletePipelineRef } from '../../src/features/delivery/pipelines/pipeline-ref.ts'
import { takeFirstJob } from '../kit/fake-runner.ts'
import { type GitWorld, newGitWorld, WorkingCopy } from '../kit/git.ts'
import { newCiProject } from '../kit/pipelines.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

const isSigned = /authorization: basic/i

async function runningJob(place: 'open' | 'inside' | 'shut') {
  const config = { job: { script: 'true' } }
  const project = await newCiProject(world, config, { group: world.groups[place] })
  const { runner, pipeline, job } = await takeFirstJob(world, project)
  const { repo_url, refspecs } = job.git_info as { repo_url: string; refspecs: string[] }
  const url = new URL(repo_url)
  const address = new URL(world.url)
  url.protocol = address.protocol
  url.host = address.host
  return { project, pipeline, runner, job, url, refspecs }
}

describe('a runner', () => {
  it.each([
    ['public', 'open', false],
    ['internal', 'inside', true],
    ['private', 'shut', true],
  ] as const)(
    'fetches the commit of a job of a %s project by the reference of its pipeline',
    async (_visibility, place, isAsked) => {
      const { pipeline, runner, job, url, refspecs } = await runningJob(place)
      const copy = new WorkingCopy()
      await copy.must(['init', '--quiet'])
      const { status, stderr } = await copy.run(
        ['fetch', url.href, ...refspecs, '--depth', '20', '--prune', '--force'],
        { env: { GIT_TRACE_CURL: '1', GIT_TRACE_REDACT: '0' } },
      )
      expect(status, stderr).toBe(0)
      expect(url.username).toBe('gitlab-ci-token')
      expect(isSigned.test(stderr)).toBe(isAsked)
      expect(await copy.must(['rev-parse', `refs/pipelines/${pipeline.id}`])).toBe(pipeline.sha)
      await copy.must(['checkout', '--quiet', pipeline.sha])
      await runner.end(job, 'success')
    },
  )

  it('finds the commit after its branch has moved on, until the pipeline has ended', async () => {
    const { project, pipeline, runner, job, url } = await runningJob('open')
    await world.commit(project, { later: 'later' })
    const name = `refs/pipelines/${pipeline.id}`
    const copy = new WorkingCopy()
    await copy.must(['init', '--quiet'])
    await copy.must(['fetch', '--quiet', url.href, `+${name}:${name}`])
    expect(await copy.must(['rev-parse', name])).toBe(pipeline.sha)
    await runner.end(job, 'success')
    expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/main'])
  })

  it('leaves no reference behind when its pipeline is deleted while it runs', async () => {
    const { project, pipeline } = await runningJob('open')
    expect(await world.refs(project)).toHaveProperty(`refs/pipelines/${pipeline.id}`)
    const url = `/projects/${project.id}/pipelines/${pipeline.id}`
    expect((await world.as('owner').delete(url)).statusCode).toBe(204)
    await world.app.worker.drain()
    expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/main'])
  })

  it('has its reference removed by several at once', async () => {
    const { project, pipeline } = await runningJob('open')
    const remove = () => deletePipelineRef(world.app, project, pipeline.id)
    await Promise.all(Array.from({ length: 8 }, remove))
    expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/main'])
  })
})
