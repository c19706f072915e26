import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const git = async (project: Project, ...args: string[]) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args })).toString().trim()
}
const set = (project: Project, settings: object) =>
  world.as('owner').put(`/projects/${project.id}`, settings)
const merge = (url: string, iid: number, body: object = {}) =>
  world.as('maintainer').put(`${url}/${iid}/merge`, body)

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge', () => {
  it('makes the merge commit that git makes', async () => {
    const { project, url, head } = await newBranches(world)
    const onMain = await world.commit(project, { more: 'm\n' })
    const { iid, title } = await newRequest(world, { url })
    const answer = await merge(url, iid)
    expect(answer.statusCode).toBe(200)
    const tip = await git(project, 'rev-parse', 'main')
    expect(answer.json()).toMatchObject({
      state: 'merged',
      merge_commit_sha: tip,
      squash_commit_sha: null,
      sha: head,
      merge_error: null,
      merge_status: 'can_be_merged',
      merged_by: { username: world.users.maintainer.username },
    })
    const tree = await git(project, 'merge-tree', '--write-tree', onMain, head)
    const name = `${world.users.maintainer.name} <${world.users.maintainer.email}>`
    expect(await git(project, 'log', '-1', '--format=%T %P|%an <%ae>|%cn <%ce>|%B', 'main')).toBe(
      `${tree} ${onMain} ${head}|${name}|${name}|Merge branch 'topic' into 'main'\n\n${title}\n\nSee merge request ${project.full_path}!${iid}`,
    )
    const again = await merge(url, iid)
    expect([again.statusCode, again.json()]).toEqual([405, { message: '405 Method Not Allowed' }])
  })

  it('moves the target to the source by fast-forward, where nothing lies between', async () => {
    const { project, url, head } = await newBranches(world)
    await set(project, { merge_method: 'ff' })
    const { iid } = await newRequest(world, { url })
    const answer = await merge(url, iid)
    expect(answer.json()).toMatchObject({ state: 'merged', merge_commit_sha: null })
    expect(await git(project, 'rev-parse', 'main')).toBe(head)
  })

  it.each(['ff', 'rebase_merge'])('refuses %s where the target has gone on', async (method) => {
    const { project, url } = await newBranches(world)
    await world.commit(project, { more: 'm\n' })
    await set(project, { merge_method: method })
    const { iid } = await newRequest(world, { url })
    const answer = await merge(url, iid)
    expect([answer.statusCode, answer.json()]).toEqual([
      406,
      { message: 'Branch cannot be merged' },
    ])
  })
})
