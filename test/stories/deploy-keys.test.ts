// Deploy keys over SSH: what they read and push, and who answers for it.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Project } from '../../src/subjects/project.ts'
import { runRealGit } from '../kit/git.ts'
import { newSshWorld, type SshWorld, speak } from '../kit/ssh.ts'
import { type KeyPair, newKeyPair } from '../kit/ssh-key.ts'
import type { Who } from '../kit/world.ts'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})

const hidden =
  "The project you were looking for could not be found or you don't have permission to view it."
const readOnly = 'This deploy key does not have write access to this project.'
const noPush = 'You are not allowed to push code to this project.'
const noProtected = 'You are not allowed to push code to protected branches on this project.'

async function addKey(project: Project, can_push: boolean, who: Who = 'maintainer') {
  const pair = newKeyPair()
  const body = { title: 'server', key: pair.public, can_push }
  const answer = await world.as(who).post(`/projects/${project.id}/deploy_keys`, body)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return { ...pair, id: answer.json().id as number }
}

const read = (project: Project, key: KeyPair) =>
  runRealGit(['ls-remote', world.sshUrl(project)], { env: world.env(key) })

async function push(project: Project, key: KeyPair, refspec = 'HEAD:new') {
  const copy = await world.beginOverSsh(project, key)
  const { status } = await copy.run(['pull', '--quiet', 'origin', 'main'])
  if (status !== 0) throw new Error('The key does not even read.')
  await copy.commit()
  return copy.run(['push', 'origin', refspec])
}

describe('a deploy key', () => {
  it('reads the projects it is enabled for, and what everybody reads', async () => {
    const key = await addKey(world.projects.shut, false)
    expect(await read(world.projects.shut, key)).toMatchObject({ status: 0 })
    expect(await read(world.projects.open, key)).toMatchObject({ status: 0 })
    const others = await world.newProject({ files: { a: 'a' } })
    await addKey(others, true)
    for (const project of [world.projects.inside, others]) {
      const { status, stderr } = await read(project, key)
      expect([status, stderr]).toEqual([128, expect.stringContaining(`ERROR: ${hidden}`)])
    }
  })

  it('is welcomed as nobody in particular', async () => {
    const client = await world.connect(await addKey(world.projects.shut, false))
    const spoken = await speak(client, undefined)
    expect(spoken).toEqual({ status: 0, stdout: 'Welcome to GitLab, Anonymous!\n', stderr: '' })
    client.end()
  })

  it('pushes nothing without being told that it may', async () => {
    const key = await addKey(world.projects.shut, false)
    for (const project of [world.projects.shut, world.projects.open]) {
      const { status, stderr } = await push(project, key)
      expect([status, stderr]).toEqual([128, expect.stringContaining(`ERROR: ${readOnly}`)])
    }
  })

  it('pushes what its maker may push, and no more', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const maintainers = await addKey(project, true)
    expect(await push(project, maintainers, 'HEAD:main')).toMatchObject({ status: 0 })
    // Made by a Maintainer who is a Developer by now.
    const { user, client } = await world.newUser()
    const member = { user_id: user.id, access_level: 40 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    const pair = newKeyPair()
    const body = { title: 't', key: pair.public, can_push: true }
    await client.post(`/projects/${project.id}/deploy_keys`, body)
    const setLevel = (access_level: number) =>
      world.as('owner').put(`/projects/${project.id}/members/${user.id}`, { access_level })
    await setLevel(30)
    const refused = await push(project, pair, 'HEAD:main')
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(noProtected)])
    expect(await push(project, pair, 'HEAD:topic')).toMatchObject({ status: 0 })
    await setLevel(20)
    const reporter = await push(project, pair, 'HEAD:topic-2')
    expect(reporter.stderr).toContain(`ERROR: ${noPush}`)
    await setLevel(30)
    await world.app.db
      .updateTable('users')
      .set({ state: 'blocked' })
      .where('id', '=', user.id)
      .execute()
    // Neither does it read, not even what everybody reads.
    for (const found of [project, world.projects.open]) {
      const blocked = await read(found, pair)
      expect(blocked.stderr).toContain('ERROR: Your account has been blocked.')
    }
    expect(Object.keys(await world.refs(project)).sort()).toEqual([
      'refs/heads/main',
      'refs/heads/topic',
    ])
  })

  it('opens nothing once its maker is removed', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const { user, client } = await world.newUser()
    const member = { user_id: user.id, access_level: 40 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    const pair = newKeyPair()
    const body = { title: 't', key: pair.public, can_push: false }
    await client.post(`/projects/${project.id}/deploy_keys`, body)
    expect((await read(project, pair)).status).toBe(0)
    await world.as('admin').delete(`/users/${user.id}`)
    await world.app.worker.drain()
    expect((await read(project, pair)).stderr).toContain('Permission denied (publickey).')
  })

  it('is nobody any more once it is taken from the project', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const key = await addKey(project, true)
    const client = await world.connect(key)
    const url = `/projects/${project.id}/deploy_keys/${key.id}`
    expect((await world.as('maintainer').delete(url)).statusCode).toBe(204)
    const { stderr } = await read(project, key)
    expect(stderr).toContain('Permission denied (publickey).')
    // Not even on a connection that is open.
    const spoken = await speak(client, `git-upload-pack '${project.full_path}'`)
    expect(spoken).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('ERROR: Your SSH key has expired or was deleted.'),
    })
    client.end()
  })
})
