// Which pipelines let a merge request in where the project asks for one that passed.
import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'
import { findRequiredApprovalsOfProject, getMergeSettings } from './merge-settings.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** A merge request from a protected branch, by somebody who may merge but not push there. */
async function open() {
  const { project, url, head } = await newBranches(world)
  const owner = world.as('owner')
  const settings = { only_allow_merge_if_pipeline_succeeds: true }
  await owner.put(`/projects/${project.id}`, settings)
  await owner.delete(`/projects/${project.id}/protected_branches/main`)
  for (const name of ['main', 'topic']) {
    const rule = { name, push_access_level: 40, merge_access_level: 30 }
    expect((await owner.post(`/projects/${project.id}/protected_branches`, rule)).statusCode).toBe(
      201,
    )
  }
  const { iid } = await newRequest(world, { url })
  return { project, head, one: `${url}/${iid}`, iid }
}

const report = (project: Project, sha: string, who: Who, body: object) =>
  world.as(who).post(`/projects/${project.id}/statuses/${sha}`, { state: 'success', ...body })

it('a project that has just been deleted has no settings of merging, and asks for no approvals', async () => {
  const { db } = world.app
  await expect(getMergeSettings(db, 0)).rejects.toThrow('Project 0 was deleted')
  expect(await findRequiredApprovalsOfProject(db, 0)).toBe(0)
})

describe('a merge request that needs a passed pipeline', () => {
  it('is let in by none that somebody who may not push to its source has reported', async () => {
    const { project, head, one, iid } = await open()
    const developer = world.as('developer')
    await world
      .as('owner')
      .post(`/projects/${project.id}/repository/branches`, { branch: 'free', ref: 'topic' })
    await world
      .as('owner')
      .post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'topic' })
    const refs = ['free', 'none', 'v1', `refs/merge-requests/${iid}/head`, 'refs/heads/topic']
    const answers = []
    for (const ref of ['topic', ...refs]) {
      answers.push(
        (await report(project, head, 'developer', { ref, name: `of ${ref}` })).statusCode,
      )
      const shown = (await developer.get(one)).json()
      expect([ref, shown.head_pipeline, shown.detailed_merge_status]).toEqual([
        ref,
        null,
        'ci_must_pass',
      ])
      expect([ref, (await developer.put(`${one}/merge`)).statusCode]).toEqual([ref, 405])
    }
    // Some are taken, of the branches that are not protected.
    expect(answers.slice(0, 2)).toEqual([403, 201])
    expect((await report(project, head, 'maintainer', { ref: 'topic' })).statusCode).toBe(201)
    expect((await developer.get(one)).json().head_pipeline).toMatchObject({ ref: 'topic' })
    expect((await developer.put(`${one}/merge`)).json()).toMatchObject({ state: 'merged' })
  })

  it.each([
    ['success', false, 200],
    ['skipped', false, 405],
    ['skipped', true, 200],
    ['failed', true, 405],
    ['running', true, 405],
    ['manual', true, 405],
  ] as const)('where that is %s, and skipped ones count: %s, is answered %i', async (...row) => {
    const [status, allow_merge_on_skipped_pipeline, expected] = row
    const { project, head, one } = await open()
    const settings = { allow_merge_on_skipped_pipeline }
    await world.as('owner').put(`/projects/${project.id}`, settings)
    await report(project, head, 'maintainer', { ref: 'topic' })
    const { db } = world.app
    await db.updateTable('pipelines').set({ status }).where('project_id', '=', project.id).execute()
    expect((await world.as('maintainer').put(`${one}/merge`)).statusCode).toBe(expected)
  })

  it('asks for one of its head and source branch that is no part of another', async () => {
    const { project, head, one } = await open()
    const { db } = world.app
    await report(project, head, 'maintainer', { ref: 'topic' })
    const pipelines = () => db.updateTable('pipelines').where('project_id', '=', project.id)
    const { id } = await db
      .selectFrom('pipelines')
      .select('id')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    const like = { sha: head, ref: 'topic', tag: false, parent_id: null }
    for (const other of [
      { sha: 'f'.repeat(40) },
      { ref: 'free' },
      { tag: true },
      { parent_id: id },
    ]) {
      await pipelines()
        .set({ ...like, ...other })
        .execute()
      const shown = (await world.as('developer').get(one)).json()
      expect([other, shown.head_pipeline]).toEqual([other, null])
    }
    await pipelines().set(like).execute()
    const shown = (await world.as('developer').get(one)).json()
    expect(shown.head_pipeline).toMatchObject({ id })
  })

  it('is not let in by a newer one that failed elsewhere, nor kept out', async () => {
    const { project, head, one } = await open()
    await report(project, head, 'maintainer', { ref: 'topic' })
    await report(project, head, 'developer', { ref: 'free', state: 'failed' })
    expect((await world.as('developer').put(`${one}/merge`)).json()).toMatchObject({
      state: 'merged',
    })
  })
})
