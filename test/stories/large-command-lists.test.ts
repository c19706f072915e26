// Pushes of very many references: what they cost git does not grow with their number.
import { beforeAll, describe, expect, it } from 'vitest'
import { zeroOid } from '../../src/git/names.ts'
import { encodePacket, flushPacket } from '../../src/git/pkt-line.ts'
import { limits } from '../../src/kernel/limits.ts'
import type { Project } from '../../src/subjects/project.ts'
import { type GitWorld, newGitWorld, type WorkingCopy } from '../kit/git.ts'

let world: GitWorld
let project: Project
let copy: WorkingCopy
let first: string
let second: string
beforeAll(async () => {
  world = await newGitWorld()
  project = await world.newProject()
  copy = await world.begin(project)
  first = await copy.commit({ a: 'a\n' })
  second = await copy.commit({ b: 'b\n' })
  await copy.must(['push', '--quiet', 'origin', 'HEAD:refs/heads/main'])
})

async function push(commands: readonly string[], capabilities = 'report-status') {
  const lines = commands.map((command, at) =>
    encodePacket(at === 0 ? `${command}\0${capabilities}` : command),
  )
  const answer = await fetch(`${world.url}/${project.full_path}.git/git-receive-pack`, {
    method: 'POST',
    body: new Uint8Array(Buffer.concat([...lines, flushPacket])),
    headers: {
      authorization: `Basic ${Buffer.from(`x:${world.token('owner')}`).toString('base64')}`,
      'content-type': 'application/x-git-receive-pack-request',
    },
  })
  return { status: answer.status, text: await answer.text() }
}

describe('a push', () => {
  it('of a thousand false deletions costs no more git than one of one', async () => {
    const commands = Array.from(
      { length: 1000 },
      (_, at) => `${first} ${zeroOid} refs/heads/no-such-${at}`,
    )
    let text = ''
    const { processes } = await world.app.count(async () => {
      text = (await push(commands)).text
    })
    expect(text.match(/ng refs\/heads\/no-such-\d+ failed to update ref/g)).toHaveLength(1000)
    expect(processes).toBeLessThan(5)
  })

  it('deletes what is there among much that is not', async () => {
    await copy.must(['push', '--quiet', 'origin', `${first}:refs/heads/there`])
    const commands = Array.from(
      { length: 300 },
      (_, at) => `${first} ${zeroOid} refs/heads/${at === 150 ? 'there' : `not-${at}`}`,
    )
    const { text } = await push(commands)
    expect(text).toContain('ok refs/heads/there')
    expect(text.match(/ng /g)).toHaveLength(299)
    expect(await world.refs(project)).not.toHaveProperty('refs/heads/there')
  })

  it('moves nothing where all or none was asked for and one is not as it says', async () => {
    await copy.must(['push', '--quiet', 'origin', `${first}:refs/heads/kept`])
    const commands = [
      `${first} ${zeroOid} refs/heads/kept`,
      `${first} ${zeroOid} refs/heads/never-was`,
    ]
    const { text } = await push(commands, 'report-status atomic')
    expect(text.match(/ng /g)).toHaveLength(2)
    expect(await world.refs(project)).toHaveProperty('refs/heads/kept')
  })

  it('asks git a bounded number of times to move what stands in each other’s way', async () => {
    // Each pair cannot be there at once, which is known to git alone.
    const lines = Array.from({ length: 200 }, (_, at) => [
      `${first}:refs/heads/way-${at}`,
      `${first}:refs/heads/way-${at}/below`,
    ]).flat()
    const { processes } = await world.app.count(() =>
      copy.run(['push', '--quiet', 'origin', ...lines]),
    )
    expect(processes).toBeLessThan(limits.push_attempts_max + 10)
  })

  it('of more commands than there may be is refused at once', async () => {
    const commands = Array.from(
      { length: limits.push_commands_max + 1 },
      (_, at) => `${first} ${zeroOid} refs/heads/n${at}`,
    )
    const { processes } = await world.app.count(async () => {
      expect(await push(commands)).toEqual({
        status: 400,
        text: `A push moves at most ${limits.push_commands_max} references.\n`,
      })
    })
    expect(processes).toBe(0)
  })

  it('of many protected branches walks each history once', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `safe/${at}`)
    await copy.must([
      'push',
      '--quiet',
      'origin',
      ...names.map((name) => `${first}:refs/heads/${name}`),
    ])
    const body = { name: 'safe/*', push_access_level: 30, allow_force_push: false }
    const made = await world.as('owner').post(`/projects/${project.id}/protected_branches`, body)
    expect(made.statusCode).toBe(201)
    const { processes } = await world.app.count(() =>
      copy.must([
        'push',
        '--quiet',
        'origin',
        ...names.map((name) => `${second}:refs/heads/${name}`),
      ]),
    )
    expect(processes).toBeLessThan(20)
    expect((await world.refs(project))['refs/heads/safe/299']).toBe(second)
  })

  it('is refused in a repository that has grown too large', async () => {
    const full = await world.newProject({ files: { a: 'a' } })
    const { db } = world.app
    const size = { repository_size: world.app.config.sizeLimits.repository + 1 }
    await db
      .insertInto('project_statistics')
      .values({ project_id: full.id, updated_at: '2026-01-01T00:00:00.000Z', ...size })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(size))
      .execute()
    const clone = await world.clone(full)
    await clone.commit({ b: 'b' })
    const { status, stderr } = await clone.run(['push', 'origin', 'HEAD:main'])
    expect(status).not.toBe(0)
    expect(stderr).toContain('because this repository has exceeded its size limit')
  })
})
