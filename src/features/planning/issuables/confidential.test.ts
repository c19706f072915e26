import { beforeAll, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

it('A confidential issue is not in what milestones, boards’ labels, merge requests and users tell others', async () => {
  const { project, url } = await newBranches(world, { options: { group: world.groups.open } })
  const issues = `/projects/${project.id}/issues`
  const at = `/projects/${project.id}/milestones`
  const milestone = (await world.as('developer').post(at, { title: 'm' })).json()
  await world.as('reporter').post(issues, {
    title: 'Hidden',
    confidential: true,
    milestone_id: milestone.id,
    description: 'See !1',
  })
  const request = await newRequest(world, { url }, { description: 'Closes #1' })
  await world.as('reporter').post(`${issues}/1/notes`, { body: 'Also !1' })
  await world.as('reporter').put(`${issues}/1`, { description: 'See !1, please' })
  await world.app.worker.drain()
  const seen = [
    `${at}/${milestone.id}/issues`,
    `${url}/${request.iid}/closes_issues`,
    `${url}/${request.iid}/notes`,
    `/users/${world.users.reporter.id}/events`,
    `/groups/${world.groups.open.id}/issues`,
  ]
  for (const path of seen) {
    const own = JSON.stringify((await world.as('reporter').get(path)).json())
    expect([path, /Hidden|issue #1/.test(own)]).toEqual([path, true])
    const text = JSON.stringify((await world.as('outsider').get(path)).json())
    expect([path, /Hidden|issue #1/.test(text)]).toEqual([path, false])
  }
  const counts = await world.as('outsider').get(`/groups/${world.groups.open.id}/issues_statistics`)
  expect(counts.json().statistics.counts.all).toBe(0)
})
