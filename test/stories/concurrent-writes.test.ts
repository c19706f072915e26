import { beforeAll, describe, expect, it } from 'vitest'
import { type GitWorld, newGitWorld, runRealGit } from '../kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

describe('writes at the same time', () => {
  it('to one branch: exactly one push wins', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copies = await Promise.all(Array.from({ length: 6 }, () => world.clone(project)))
    const tips = await Promise.all(
      copies.map((copy, index) => copy.commit({ [`f${index}`]: `${index}` })),
    )
    const results = await Promise.all(copies.map((copy) => copy.run(['push', 'origin', 'main'])))
    const winners = tips.filter((_, index) => results[index]?.status === 0)
    expect(winners).toHaveLength(1)
    expect(await world.refs(project)).toEqual({ 'refs/heads/main': winners[0] })
    for (const { status, stderr } of results) {
      if (status !== 0) expect(stderr).toMatch(/failed to (update|lock) ref|fetch first|rejected/)
    }
    expect(world.leftovers(project)).toEqual([])
  })

  it('to many branches: all pushes win', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copies = await Promise.all(Array.from({ length: 8 }, () => world.clone(project)))
    const tips = await Promise.all(
      copies.map((copy, index) => copy.commit({ [`f${index}`]: `${index}` })),
    )
    await Promise.all(
      copies.map((copy, index) => copy.must(['push', 'origin', `HEAD:refs/heads/b${index}`])),
    )
    const refs = await world.refs(project)
    expect(tips.map((_, index) => refs[`refs/heads/b${index}`])).toEqual(tips)
  })

  it('of an empty repository: whoever is first, HEAD leads to a branch', async () => {
    const project = await world.newProject({ branch: 'main' })
    const copies = await Promise.all(Array.from({ length: 4 }, () => world.begin(project)))
    await Promise.all(copies.map((copy) => copy.commit()))
    await Promise.all(
      copies.map((copy, index) => copy.must(['push', 'origin', `HEAD:refs/heads/b${index}`])),
    )
    const answer = await world.as('owner').get(`/projects/${project.id}`)
    expect(answer.json().default_branch).toMatch(/^b[0-3]$/)
    const { stdout } = await runRealGit(['ls-remote', world.remote(project), 'HEAD'])
    expect(stdout).toMatch(/^[0-9a-f]{40}\tHEAD/)
  })

  it('by git and by API to one branch: nothing acknowledged is lost', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    const acknowledged: string[] = []
    const byApi = async () => {
      for (let index = 0; index < 15; index++) {
        const answer = await world.as('owner').post(`/projects/${project.id}/repository/commits`, {
          branch: 'main',
          commit_message: 'By API',
          actions: [{ action: 'create', file_path: `api-${index}`, content: 'x' }],
        })
        expect(answer.statusCode).toBe(201)
        acknowledged.push(answer.json().id)
      }
    }
    const byGit = async () => {
      for (let index = 0; index < 6; index++) {
        await copy.must(['fetch', '--quiet', 'origin', 'main'])
        await copy.must(['reset', '--quiet', '--hard', 'FETCH_HEAD'])
        const tip = await copy.commit({ [`git-${index}`]: 'x' })
        if ((await copy.run(['push', 'origin', 'HEAD:main'])).status === 0) acknowledged.push(tip)
      }
    }
    await Promise.all([byApi(), byGit()])
    const path = world.repository(project)
    const history = await runRealGit(['rev-list', 'main'], { env: { GIT_DIR: path } })
    expect(acknowledged.length).toBeGreaterThanOrEqual(15)
    expect(acknowledged.filter((oid) => !history.stdout.includes(oid))).toEqual([])
    const check = await runRealGit(['fsck', '--full', '--strict'], { env: { GIT_DIR: path } })
    expect(check.status).toBe(0)
  })
})
