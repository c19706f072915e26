// Texts of a configuration that grow when their variables are expanded: what is made of them is bounded, and names
// are checked as they are then.
import { beforeAll, expect, it } from 'vitest'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { jobOf, newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const variables = {
  NESTED: '$GIVEN'.repeat(10),
  LONG: 'l'.repeat(60_000),
  ODD: 'a?b',
  FINE: 'fine',
}
const given = { key: 'GIVEN', value: 'g'.repeat(50), variable_type: 'env_var' as const }
const grown = '$LONG'.repeat(40)

async function open(jobs: object) {
  const project = await newCiProject(world, { variables, ...jobs })
  const runner = await newRunner(world, project.id)
  const pipeline = await newPipeline(world, project, { variables: [given] })
  await world.app.worker.drain()
  return { project, runner, pipeline }
}

it('a job whose environment would have no good name fails before it begins', async () => {
  const names = {
    grown: grown.slice(0, 250),
    odd: 'review/$ODD',
    slash: '$FINE/$NONE',
    nested: '$NESTED',
  }
  const job = (name: string) => ({ script: 'x', environment: { name, url: 'http://x.test/$LONG' } })
  const { project, pipeline } = await open({
    ...Object.fromEntries(Object.entries(names).map(([key, name]) => [key, job(name)])),
    good: job('review/$FINE'),
  })
  for (const name of Object.keys(names)) {
    const { id } = await jobOf(world, pipeline.id, name)
    const shown = (await world.as('owner').get(`/projects/${project.id}/jobs/${id}`)).json()
    expect([name, shown.status, shown.failure_reason]).toEqual([
      ...[name, 'failed', 'environment_creation_failure'],
    ])
  }
  const list = (await world.as('owner').get(`/projects/${project.id}/environments`)).json()
  expect(list.map(({ name }: { name: string }) => name)).toEqual(['review/fine'])
  expect((await jobOf(world, pipeline.id, 'good')).status).toBe('pending')
})

it('a resource group without a good name is left out', async () => {
  const { project, pipeline } = await open({
    long: { script: 'x', resource_group: grown },
    odd: { script: 'x', resource_group: '$ODD' },
    good: { script: 'x', resource_group: 'deploy/$FINE' },
  })
  const list = (await world.as('owner').get(`/projects/${project.id}/resource_groups`)).json()
  expect(list.map(({ key }: { key: string }) => key)).toEqual(['deploy/fine'])
  for (const name of ['long', 'odd', 'good']) {
    expect((await jobOf(world, pipeline.id, name)).status).toBe('pending')
  }
})

it('a runner is given no key or token that a text has grown into, and git no argument', async () => {
  const { runner } = await open({
    build: {
      script: 'x',
      id_tokens: {
        LARGE: { aud: grown },
        SOME: { aud: [grown, 'for-$FINE'] },
      },
      cache: [
        { key: { files: [grown, '$LONG/../x'] }, paths: ['x'] },
        { key: { files: ['.gitlab-ci.yml', grown] }, paths: ['x'] },
      ],
    },
  })
  const { spawned } = world.app.git.git.spawner
  const job = await runner.take()
  const names = job?.variables.map(({ key }) => key)
  expect(names).toContain('SOME')
  expect(names).not.toContain('LARGE')
  expect(job?.cache).toMatchObject([
    { key: 'default-protected' },
    { key: expect.stringMatching(/^[0-9a-f]{40}-protected$/) },
  ])
  expect(world.app.git.git.spawner.spawned - spawned).toBeLessThan(5)
  expect(JSON.stringify(job).length).toBeLessThan(500_000)
})

it('a trigger goes nowhere with a project or branch that a text has grown into', async () => {
  const { project, pipeline } = await open({
    far: { trigger: { project: grown } },
    branch: { trigger: { project: 'PATH', branch: grown } },
  })
  for (const name of ['far', 'branch']) {
    const { id } = await jobOf(world, pipeline.id, name)
    const bridges = (
      await world.as('owner').get(`/projects/${project.id}/pipelines/${pipeline.id}/bridges`)
    ).json()
    const shown = bridges.find((bridge: { id: number }) => bridge.id === id)
    expect([name, shown.status]).toEqual([name, 'failed'])
  }
})
