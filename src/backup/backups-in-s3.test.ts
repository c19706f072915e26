// Backups that are kept in S3: taken, shared with the one before, verified, restored and deleted there.
import { randomBytes } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../../test/kit/app.ts'
import { newPlace, runCommand } from '../../test/kit/command.ts'
import { type GitWorld, newGitWorld } from '../../test/kit/git.ts'
import { type S3Server, startS3 } from '../../test/kit/s3.ts'
import { S3Objects } from '../blobs/s3-objects.ts'
import { limits } from '../kernel/limits.ts'
import type { Project } from '../subjects/project.ts'
import { S3Target } from './s3-target.ts'

const day_ms = 24 * 60 * 60_000
let s3: S3Server
let world: GitWorld
let project: Project

/** In a pack of more than one part of an upload: nothing makes random bytes smaller. */
const large = randomBytes(1.2 * limits.s3.part_bytes).toString('base64')

beforeAll(async () => {
  s3 = await startS3()
  world = await newGitWorld()
  project = await world.newProject({ files: { 'large.txt': large } })
  await world.newProject({ files: { small: 'x' } })
})

/** A folder of the bucket for backups: its URL, the keys of the bucket, and what tests look at it with. */
function newTarget() {
  const folder = `backups-${Math.random().toString(36).slice(2)}`
  const { BLOOMERY_BLOBS: url = '', ...keys } = s3.settings({}, folder)
  const place = s3.place({}, folder)
  const objects = new S3Objects(place)
  return {
    url,
    keys,
    target: new S3Target(place),
    objects,
    listKeys: async () => (await Array.fromAsync(objects.list())).map(({ key }) => key).toSorted(),
    backUp: (...options: string[]) =>
      runCommand(world.app.config, ['backup', '--to', url, ...options], keys),
  }
}

describe('a backup in S3', () => {
  it('is verified, and shares what has not changed with the next one', async () => {
    const { url, keys, target, backUp } = newTarget()
    const first = await backUp()
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout).toContain('Repositories: 5, of which 0 unchanged.')
    const parts = s3.takeCalls().filter(({ path }) => path.includes('partNumber'))
    expect(parts.length).toBeGreaterThan(1)
    const [one = ''] = await target.list()
    expect(first.stdout).toContain(`Backup complete: ${target.locationOf(one)}, `)
    s3.takeCalls()
    const second = await backUp()
    expect(second).toMatchObject({ status: 0, stderr: '' })
    expect(second.stdout).toContain(`Previous backup: ${target.locationOf(one)}.`)
    expect(second.stdout).toContain('Repositories: 5, of which 5 unchanged.')
    // S3 copied the large pack: no part of it was sent again.
    expect(s3.takeCalls().filter(({ path }) => path.includes('partNumber'))).toEqual([])
    for (const given of [url, url.replace('?', `/${one}?`)]) {
      const verified = await runCommand(world.app.config, ['backup', 'verify', given], keys)
      expect(verified).toMatchObject({ status: 0, stderr: '' })
      expect(verified.stdout).toContain('5 repositories, 0 problems.')
    }
  })

  it('is restored: rows, references, objects', { timeout: 60_000 }, async () => {
    const { url, keys, backUp } = newTarget()
    expect(await backUp()).toMatchObject({ status: 0 })
    const place = await newPlace()
    copyFileSync(join(world.app.config.data, 'secret.key'), join(place.data, 'secret.key'))
    const restored = await runCommand(place, ['restore', '--from', url, '--check'], keys)
    expect(restored).toMatchObject({ status: 0, stderr: '' })
    expect(restored.stdout).toContain('git fsck: 5 repositories, 0 broken.')
    const app = await startApp({
      BLOOMERY_DATA: place.data,
      ...(place.databaseUrl === undefined ? {} : { BLOOMERY_DATABASE_URL: place.databaseUrl }),
    })
    onTestFinished(() => app.close())
    const raw = `/projects/${project.id}/repository/files/large.txt/raw?ref=main`
    const answer = await app.client(world.token('owner')).get(raw)
    expect([answer.statusCode, answer.payload === large]).toEqual([200, true])
  })

  it('is deleted when newer ones are enough', async () => {
    const { target, listKeys, backUp } = newTarget()
    await backUp()
    const [old = ''] = await target.list()
    const { stdout } = await backUp('--keep', '1')
    expect(stdout).toContain(`Deleted old backup: ${target.locationOf(old)}.`)
    const [kept = '', ...others] = await target.list()
    expect(others).toEqual([])
    expect((await listKeys()).filter((key) => !key.startsWith(`${kept}/`))).toEqual([])
  })

  it('leaves nothing when S3 refuses an object, and says which call', async () => {
    const { keys, listKeys, backUp } = newTarget()
    s3.breakBy(({ method, path }) =>
      method === 'PUT' && path.includes('files.ndjson') ? 'denied' : undefined,
    )
    const { status, stderr } = await backUp()
    s3.breakBy(() => undefined)
    expect(status).toBe(1)
    expect(stderr).toContain('403 AccessDenied')
    expect(stderr).not.toContain(keys.AWS_SECRET_ACCESS_KEY)
    expect(await listKeys()).toEqual([])
  })

  it('leaves no part of a file that was begun and begun again', async () => {
    const { target, objects, listKeys } = newTarget()
    const name = '2026-01-02T03-04-05-678Z'
    const writer = target.create(name)
    await writer.begin('pack').write(Buffer.alloc(limits.s3.part_bytes + 1))
    const again = writer.begin('pack')
    await again.write(Buffer.from('shorter'))
    await again.end()
    await writer.finish({ path: 'manifest.json', bytes: Buffer.from('{}') })
    expect(await listKeys()).toEqual([`${name}/manifest.json`, `${name}/pack`])
    expect(await objects.abortLeftovers(Date.now() + 2 * day_ms, () => true)).toEqual([])
  })

  it('that was killed counts as none, and is deleted after a day', async () => {
    const { url, keys, target, objects, listKeys } = newTarget()
    const upload = objects.upload('2026-01-02T03-04-05-678Z/files.ndjson')
    await upload.write(Buffer.from('{}'))
    await upload.end()
    await upload.complete()
    expect(await target.list()).toEqual([])
    const verified = await runCommand(world.app.config, ['backup', 'verify', url], keys)
    expect(verified).toMatchObject({ status: 1, stderr: `Backup not found: ${url}\n` })
    await target.deleteUnfinished(Date.now())
    expect(await listKeys()).toHaveLength(1)
    await target.deleteUnfinished(Date.now() + 2 * day_ms)
    expect(await listKeys()).toEqual([])
  })

  it('is refused among the blobs that are backed up, and without a key', async () => {
    const { url, keys } = newTarget()
    const { config } = world.app
    const inside = { ...keys, BLOOMERY_BLOBS: url }
    const refused = await runCommand(config, ['backup', '--to', url.replace('?', '/b?')], inside)
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('is inside s3://blobs/')
    const keyless = await runCommand(config, ['backup', '--to', url])
    expect(keyless).toMatchObject({
      status: 1,
      stderr: 'backup needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.\n',
    })
    const unknown = await runCommand(config, ['backup', '--to', `${url}&new=disk`], keys)
    expect(unknown.status).toBe(1)
    expect(unknown.stderr).toContain('backup does not know new. It takes s3://bucket/folder?')
  })
})
