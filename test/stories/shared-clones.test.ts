import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Project } from '../../src/subjects/project.ts'
import { startApp } from '../kit/app.ts'
import { type GitWorld, newGitWorld } from '../kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

/** Kept processes among them, which read objects. */
const running = () => world.app.git.git.spawner.running
const kept = () => {
  const folder = join(world.app.config.data, 'cache', 'fetches')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && entry.name !== 'alive')
}

/** Until something is so, which it is to be soon. */
async function until(isSo: () => boolean): Promise<void> {
  for (let look = 0; look < 1000 && !isSo(); look++) await wait(10)
  expect(isSo()).toBe(true)
}

const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text

/** gitprotocol-v2: a fetch of one commit by a client that has nothing. */
function post(project: Project, oid: string, agent = 'test') {
  const url = new URL(`${world.remote(project)}/git-upload-pack`)
  const outgoing = request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      'git-protocol': 'version=2',
    },
  })
  const head = line('command=fetch\n') + line(`agent=${agent}\n`) + line('object-format=sha1\n')
  outgoing.end(`${head}0001${line(`want ${oid}\n`)}${line('done\n')}0000`)
  return outgoing
}

function answerTo(outgoing: ReturnType<typeof post>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject).on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => resolve(Buffer.concat(chunks))).on('error', reject)
    })
  })
}

describe('clones of the same at about the same time', () => {
  it('share one pack, and are each whole', async () => {
    const project = await world.newProject({ files: { big: randomBytes(3_000_000) } })
    const copies = await Promise.all(Array.from({ length: 5 }, () => world.clone(project)))
    for (const copy of copies) await copy.must(['fsck', '--full', '--strict'])
    // A clone asks for references and then for the pack: only the latter is the same for all.
    const again = await world.app.count(() => world.clone(project))
    expect(again.processes).toBe(1)
    const alone = await world.app.count(() => world.clone(project, { args: ['--depth=1'] }))
    expect(alone.processes).toBe(2)
  })

  it('go on being shared while another server begins and ends on the same data', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.clone(project)
    const before = kept().length
    const other = await startApp({ BLOOMERY_DATA: world.app.config.data })
    expect((await world.app.count(() => world.clone(project))).processes).toBe(1)
    await other.close()
    expect((await world.app.count(() => world.clone(project))).processes).toBe(1)
    expect(kept()).toHaveLength(before)
  })

  it('are made anew once anything has been pushed', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.clone(project)
    const tip = await world.commit(project, { b: 'b' })
    const copy = await world.clone(project)
    expect(await copy.must(['rev-parse', 'HEAD'])).toBe(tip)
  })

  it('are not shared by those who have something already', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const [one, two] = [await world.clone(project), await world.clone(project)]
    await world.commit(project, { b: 'b' })
    const before = kept().length
    await one.must(['fetch', 'origin'])
    await two.must(['fetch', 'origin'])
    expect(kept().length).toBe(before)
  })

  it('tell a client what is wrong, and the next one again', async () => {
    const project = await world.newProject({
      group: world.groups.open,
      files: { a: 'a' },
    })
    const before = running()
    for (const _ of [1, 2]) {
      const answer = await answerTo(post(project, '1'.repeat(40)))
      expect(answer.toString()).toContain(`ERR upload-pack: not our ref ${'1'.repeat(40)}`)
    }
    await until(() => running() <= before)
  })

  it('end with the last client who waits for them', async () => {
    const files = { big: randomBytes(30_000_000) }
    const project = await world.newProject({ group: world.groups.open, files })
    const oid = await world.commit(project, { b: 'b' })
    const before = { kept: kept().length, running: running() }
    const [stays, goes] = [post(project, oid, 'x'), post(project, oid, 'x')]
    const whole = answerTo(stays)
    goes.on('error', () => {})
    goes.on('response', (incoming) => incoming.once('data', () => goes.destroy()))
    expect((await whole).length).toBeGreaterThan(30_000_000)
    const left = post(project, oid, 'y')
    left.on('error', () => {})
    left.on('response', (incoming) => incoming.once('data', () => left.destroy()))
    await until(() => running() <= before.running)
    // That of the first two is there for whoever comes next.
    await until(() => kept().length <= before.kept + 1)
  })
})
