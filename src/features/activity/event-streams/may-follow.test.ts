// Who may follow what (docs/api/event-streams.md, "Rights"), one row a rule, and who may not any more.
import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { jobOf, newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { anonymous } from '../../../access/actor.ts'
import type { Project } from '../../../subjects/project.ts'
import type { ChangeTopic } from '../../basics/changes/change.ts'
import { authenticateByToken } from '../../people/credentials/credential.ts'
import { findProjectIdsByTopic } from './event-stream.store.ts'
import { findFollowersWithoutAccess, type TopicFollower } from './may-follow.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** Asks to follow all these topics, and returns the status of the answer. */
async function follow(who: Who, ...topics: string[]): Promise<number> {
  const query = topics.map((topic) => `topics[]=${topic}`).join('&')
  const answer = await world.as(who).get(`/events/stream?follow=false&${query}`)
  return answer.statusCode
}

/** Expects each caller to get that status for that topic. */
async function expectStatuses(rows: readonly (readonly [Who, string, number])[]): Promise<void> {
  const found: [Who, string, number][] = []
  for (const [who, topic] of rows) found.push([who, topic, await follow(who, topic)])
  expect(found).toEqual(rows)
}

async function newJob(options: Parameters<typeof newCiProject>[2]) {
  const project = await newCiProject(world, { job: { script: 'true' } }, options)
  const pipeline = await newPipeline(world, project)
  const { id } = await jobOf(world, pipeline.id, 'job')
  return { project, pipeline: `pipeline:${pipeline.id}`, job: `job:${id}` }
}

const change = (project: Project, settings: object) =>
  world.as('owner').put(`/projects/${project.id}`, settings)

describe('a topic may be followed', () => {
  it('in a private project by its members, as far as they read what it is about', async () => {
    const { shut } = world.groups
    const { project, pipeline, job } = await newJob({ group: shut })
    const own = `project:${project.id}`
    const issues = `project_issues:${project.id}`
    const requests = `project_merge_requests:${project.id}`
    for (const topic of [own, issues, requests, pipeline, job]) {
      await expectStatuses([
        ['anonymous', topic, 404],
        ['outsider', topic, 404],
        ['reporter', topic, 200],
        ['admin', topic, 200],
      ])
    }
    await expectStatuses([
      ['guest', own, 200],
      ['guest', issues, 200],
      ['guest', requests, 403],
      ['guest', pipeline, 403],
      ['guest', job, 403],
      ['admin', 'project:999999999', 404],
      ['admin', 'project_issues:999999999', 404],
      ['admin', 'job:999999999', 404],
    ])
  })

  it('in a group by whoever sees the group', async () => {
    for (const kind of ['group_issues', 'group_merge_requests']) {
      const [open, shut] = [world.groups.open, world.groups.shut].map(({ id }) => `${kind}:${id}`)
      await expectStatuses([
        ['anonymous', `${open}`, 200],
        ['outsider', `${open}`, 200],
        ['anonymous', `${shut}`, 404],
        ['outsider', `${shut}`, 404],
        ['guest', `${shut}`, 200],
        ['admin', `${shut}`, 200],
        ['admin', `${kind}:999999999`, 404],
      ])
    }
  })

  it('by the user it is about', async () => {
    await expectStatuses([
      ['outsider', 'user', 200],
      ['anonymous', 'user', 401],
    ])
  })

  it('together with others that may be followed', async () => {
    const { project, pipeline, job } = await newJob({ group: world.groups.shut })
    const readable = ['user', `group_issues:${world.groups.shut.id}`, `project:${project.id}`]
    expect(await follow('guest', ...readable)).toBe(200)
    expect(await follow('guest', job, ...readable)).toBe(403)
    expect(await follow('guest', ...readable, job)).toBe(403)
    expect(await follow('guest', job, pipeline)).toBe(403)
    // A hidden topic is a 404 even where another one is a 403.
    expect(await follow('guest', job, 'project:999999999')).toBe(404)
    expect(await follow('guest', `project_merge_requests:${project.id}`, 'issue:999999999')).toBe(
      404,
    )
    expect(await follow('guest', job, 'group_issues:999999999')).toBe(404)
    expect(await follow('reporter', ...readable, job, pipeline)).toBe(200)
  })

  it('while the project has what it is about', async () => {
    const { project, pipeline, job } = await newJob({ group: world.groups.open })
    const own = `project:${project.id}`
    const issues = `project_issues:${project.id}`
    const requests = `project_merge_requests:${project.id}`
    const all = [own, issues, requests, pipeline, job]
    const statuses = async () => {
      const found: number[] = []
      for (const topic of all) found.push(await follow('reporter', topic))
      return found
    }
    expect(await statuses()).toEqual([200, 200, 200, 200, 200])
    for (const [setting, expected] of [
      ['issues_access_level', [200, 403, 200, 200, 200]],
      ['merge_requests_access_level', [200, 200, 403, 200, 200]],
      ['builds_access_level', [200, 200, 200, 403, 403]],
    ] as const) {
      await change(project, { [setting]: 'disabled' })
      expect([setting, await statuses()]).toEqual([setting, expected])
      await change(project, { [setting]: 'enabled' })
    }
  })

  it('of a confidential issue by Reporters and its assignees', async () => {
    const { open } = world.projects
    const url = `/projects/${open.id}/issues`
    const owner = world.as('owner')
    const { id, iid } = (await owner.post(url, { title: 'Keys are out' })).json()
    const issue = `issue:${id}`
    await expectStatuses([
      ['anonymous', issue, 200],
      ['guest', issue, 200],
    ])
    await owner.put(`${url}/${iid}`, { assignee_ids: [world.users.guest.id] })
    await owner.put(`${url}/${iid}`, { confidential: true })
    await expectStatuses([
      ['anonymous', issue, 404],
      ['outsider', issue, 404],
      ['guest', issue, 200],
      ['reporter', issue, 200],
      ['owner', `merge_request:${id}`, 404],
      ['owner', 'issue:999999999', 404],
    ])
    await owner.put(`${url}/${iid}`, { assignee_ids: [] })
    await expectStatuses([
      ['guest', issue, 404],
      ['reporter', issue, 200],
    ])
  })

  it('of a merge request by whoever reads merge requests', async () => {
    const { project, url } = await newBranches(world, { options: { group: world.groups.open } })
    const { id } = await newRequest(world, { url })
    const request = `merge_request:${id}`
    expect(await follow('outsider', request)).toBe(200)
    await change(project, { merge_requests_access_level: 'private' })
    await expectStatuses([
      ['anonymous', request, 404],
      ['outsider', request, 404],
      ['guest', request, 200],
      ['outsider', `project_merge_requests:${project.id}`, 403],
      ['guest', `project_merge_requests:${project.id}`, 200],
    ])
  })
})

describe('followers whose right has ended', () => {
  const uses = () => ({ db: world.app.db, clock: world.app.clock.now })

  /** A follower of these topics who signed in with the token, or is anonymous. */
  async function newFollower(
    token: string | undefined,
    ...topics: string[]
  ): Promise<TopicFollower> {
    const { db, clock } = uses()
    const actor = token === undefined ? anonymous : await authenticateByToken(db, clock, token)
    const followed = topics as ChangeTopic[]
    return { actor, topics: followed, projects: await findProjectIdsByTopic(db, followed) }
  }

  it('are found among the others, in their order', async () => {
    const owner = world.as('owner')
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group })
    const open = `project:${world.projects.open.id}`
    const members = `/projects/${project.id}/members`
    const [revoked, idle, removed, member] = [
      await world.newUser(),
      await world.newUser(),
      await world.newUser(),
      await world.newUser(),
    ]
    for (const { user } of [removed, member]) {
      await owner.post(members, { user_id: user.id, access_level: 20 })
    }
    const own = `project:${project.id}`
    const followers = [
      await newFollower(member.token, own, `user:${member.user.id}`),
      await newFollower(revoked.token, open),
      await newFollower(undefined, open, `group_issues:${world.groups.open.id}`),
      await newFollower(removed.token, own),
      await newFollower(idle.token, `user:${idle.user.id}`),
      await newFollower(world.token('guest'), `group_issues:${group.id}`),
      await newFollower(removed.token, open, `group_merge_requests:${group.id}`),
      await newFollower(removed.token, open),
    ]
    expect(await findFollowersWithoutAccess(uses(), followers)).toEqual([])
    for (const { client } of [revoked, idle]) await client.delete('/personal_access_tokens/self')
    await owner.delete(`${members}/${removed.user.id}`)
    const lapsed = await findFollowersWithoutAccess(uses(), followers)
    expect(lapsed.map((one) => followers.indexOf(one))).toEqual([1, 3, 4, 6])
  })

  it('are found with the queries that their topics need, however many follow', async () => {
    const people = [await world.newUser(), await world.newUser()]
    const count = async (...topics: string[]) => {
      const { id } = world.groups.open
      const named = topics.map((topic) => `${topic}:${topic.startsWith('group_') ? id : open}`)
      const followers: TopicFollower[] = []
      for (const { token } of people) followers.push(await newFollower(token, ...named))
      const asked = () => findFollowersWithoutAccess(uses(), followers)
      return (await world.app.count(async () => expect(await asked()).toEqual([]))).queries
    }
    const open = world.projects.open.id
    // One query for tokens, two for projects and levels in them, one for groups.
    expect(await count('project', 'project_issues')).toBe(3)
    expect(await count('group_issues', 'group_merge_requests')).toBe(2)
    expect(await count('project', 'group_issues')).toBe(4)
  })
})
