import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Oid, RefName } from '../../../git/names.ts'
import {
  enqueueAfterPushSteps,
  unconfirmed_delays_ms,
} from '../../repository/pushes/push-landed.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const issue = async (project: { id: number }, iid: number) =>
  (await world.as('owner').get(`/projects/${project.id}/issues/${iid}`)).json()
const notes = async (project: { id: number }, iid: number) =>
  (await world.as('owner').get(`/projects/${project.id}/issues/${iid}/notes?sort=asc`))
    .json()
    .map(({ body }: { body: string }) => body)

describe('A commit', () => {
  it('on the default branch closes the issues it says it does, and is noted on them', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const url = `/projects/${project.id}/issues`
    for (const title of ['one', 'two', 'three']) await world.as('reporter').post(url, { title })
    const message = 'Change\n\nFixes #1, closes: #2 and see #3'
    const sha = await world.commit(project, { b: 'b' }, { message })
    await world.app.worker.drain()
    const states = [1, 2, 3].map(async (iid) => (await issue(project, iid)).state)
    expect(await Promise.all(states)).toEqual(['closed', 'closed', 'opened'])
    expect((await issue(project, 1)).closed_by.id).toBe(world.users.owner.id)
    expect(await notes(project, 3)).toEqual([`mentioned in commit ${sha}`])
    const shown = await world.as('owner').get(`/projects/${project.id}`)
    expect(shown.json().open_issues_count).toBe(1)
  })

  it('on another branch is noted and closes nothing', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.as('reporter').post(`/projects/${project.id}/issues`, { title: 'one' })
    const at = { branch: 'topic', start_branch: 'main', message: 'Closes #1' }
    const sha = await world.commit(project, { b: 'b' }, at)
    await world.app.worker.drain()
    expect((await issue(project, 1)).state).toBe('opened')
    expect(await notes(project, 1)).toEqual([`mentioned in commit ${sha}`])
  })

  it('of another project is noted for those who see that project', async () => {
    const seen = await world.newProject({ group: world.groups.open })
    const hidden = await world.newProject({ files: { a: 'a' } })
    const url = `/projects/${seen.id}/issues`
    await world.as('reporter').post(url, { title: 'one' })
    const sha = await world.commit(hidden, { b: 'b' }, { message: `See ${seen.full_path}#1` })
    await world.app.worker.drain()
    const isTold = async (who: Who) =>
      (await world.as(who).get(`${url}/1/notes`)).body.includes(sha)
    expect([await isTold('reporter'), await isTold('outsider')]).toEqual([true, false])
  })

  it('closes nothing where the project says so', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.as('reporter').post(`/projects/${project.id}/issues`, { title: 'one' })
    const setting = { autoclose_referenced_issues: false }
    expect((await world.as('owner').put(`/projects/${project.id}`, setting)).statusCode).toBe(200)
    await world.commit(project, { b: 'b' }, { message: 'Closes #1' })
    await world.app.worker.drain()
    expect((await issue(project, 1)).state).toBe('opened')
  })

  it('of a push that lost to another one closes nothing', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.as('reporter').post(`/projects/${project.id}/issues`, { title: 'one' })
    const at = { branch: 'topic', start_branch: 'main', message: 'Closes #1' }
    const newOid = (await world.commit(project, { b: 'b' }, at)) as Oid
    const oldOid = '1'.repeat(40) as Oid
    const moves = [{ name: 'refs/heads/main' as RefName, oldOid, newOid }]
    const { db, clock, worker } = world.app
    await enqueueAfterPushSteps(db, clock.now, {
      project_id: project.id,
      user_id: world.users.owner.id,
      moves,
    })
    clock.advance(unconfirmed_delays_ms[0])
    await worker.drain()
    expect((await issue(project, 1)).state).toBe('opened')
  })
})

it('Merge requests of an issue are those that close or mention it, as far as the reader sees them', async () => {
  const { project, url } = await newBranches(world, { options: { group: world.groups.open } })
  const { project: hidden, url: hiddenUrl } = await newBranches(world)
  const issues = `/projects/${project.id}/issues`
  for (const description of ['', '#1']) {
    await world.as('reporter').post(issues, { title: 'an issue', description })
  }
  const closes = (iid: number) => ({ description: `Closes ${project.full_path}#${iid}` })
  await world.commit(project, { other: 'o' }, { branch: 'other', start_branch: 'main' })
  const { id, iid } = await newRequest(world, { url }, { title: 'first', ...closes(1) })
  await newRequest(world, { url }, { title: 'second', source_branch: 'other', ...closes(2) })
  await newRequest(world, { url: hiddenUrl }, { title: 'hidden', ...closes(1) })
  await world.app.worker.drain()
  const listed = async (which: 'closed_by' | 'related_merge_requests', who: Who) =>
    (await world.as(who).get(`${issues}/1/${which}`))
      .json()
      .map(({ title }: { title: string }) => title)
  // A number names an issue or a merge request, never both.
  await world.as('reporter').post(`${issues}/2/notes`, { body: 'See #1' })
  const said = (await world.as('reporter').get(`${url}/${iid}/notes`)).json()
  expect(JSON.stringify(said)).not.toContain('mentioned in issue')
  const moved = await world.as('reporter').put(`${issues}/1/reorder`, { move_after_id: id })
  expect(moved.statusCode).toBe(422)
  expect(await listed('closed_by', 'reporter')).toEqual(['first'])
  expect(await listed('related_merge_requests', 'reporter')).toEqual(['first', 'hidden'])
  expect(await listed('related_merge_requests', 'outsider')).toEqual(['first'])
  const related = await world.as('reporter').get(`${issues}/1/related_merge_requests`)
  expect(related.headers['x-total']).toBe('2')
  await world.as('owner').delete(`/projects/${hidden.id}`)
  expect(await listed('related_merge_requests', 'reporter')).toEqual(['first'])
})
