// Backups of a server whose blobs are in S3, and restores to S3 and to the disk.
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../../test/kit/app.ts'
import { newPlace, runCommand } from '../../test/kit/command.ts'
import { atFileEnd } from '../../test/kit/file-end.ts'
import { multipart } from '../../test/kit/form.ts'
import { newFolder } from '../../test/kit/git.ts'
import { type S3Server, startS3 } from '../../test/kit/s3.ts'
import { newWorld, type World } from '../../test/kit/world.ts'
import { limits } from '../kernel/limits.ts'

const contents = [randomBytes(limits.s3.part_bytes + 1), randomBytes(10), Buffer.alloc(0)]
const backups = newFolder()
let s3: S3Server
let settings: Record<string, string>
let world: World
let urls: string[] = []

beforeAll(async () => {
  s3 = await startS3()
  settings = s3.settings()
  const app = await startApp(settings)
  atFileEnd(() => app.close())
  world = await newWorld(app)
  const project = await world.newProject()
  for (const content of contents) {
    const { body, options } = multipart({ file: { filename: 'a.bin', content } })
    const answer = await world.as('owner').post(`/projects/${project.id}/uploads`, body, options)
    expect(answer.statusCode).toBe(201)
    urls = [...urls, `/projects/${project.id}${answer.json().url}`]
  }
})

const backUp = () => runCommand(world.app.config, ['backup', '--to', backups], settings)

describe('a backup of blobs in S3', () => {
  it('has all of them, and the next one shares them', async () => {
    const first = await backUp()
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout).toContain(`Blobs: ${contents.length}, of which 0 unchanged.`)
    const second = await backUp()
    expect(second.stdout).toContain(
      `Blobs: ${contents.length}, of which ${contents.length} unchanged.`,
    )
    const verified = await runCommand(world.app.config, ['backup', 'verify', backups])
    expect(verified.stdout).toContain(', 0 problems.')
  })

  it.each(['S3', 'the disk'])('is restored to %s', async (goal) => {
    const place = await newPlace()
    copyFileSync(join(world.app.config.data, 'secret.key'), join(place.data, 'secret.key'))
    const own = goal === 'S3' ? s3.settings() : {}
    const restored = await runCommand(place, ['restore', '--from', backups], own)
    expect(restored).toMatchObject({ status: 0, stderr: '' })
    expect(restored.stdout).toContain(`Blobs: ${contents.length}.`)
    expect(existsSync(join(place.data, 'blobs'))).toBe(goal === 'the disk')
    const checked = await runCommand(place, ['admin', 'check'], own)
    expect(checked.stdout).toContain(`${contents.length} blobs: 0 problems.`)
    const app = await startApp({
      ...own,
      BLOOMERY_DATA: place.data,
      ...(place.databaseUrl === undefined ? {} : { BLOOMERY_DATABASE_URL: place.databaseUrl }),
    })
    onTestFinished(() => app.close())
    for (const [nth, url] of urls.entries()) {
      const answer = await app.client(world.token('owner')).get(url)
      expect(answer.rawPayload.equals(contents[nth] ?? Buffer.of(1))).toBe(true)
    }
  })

  it('is not restored to where there are blobs already', async () => {
    const place = await newPlace()
    copyFileSync(join(world.app.config.data, 'secret.key'), join(place.data, 'secret.key'))
    const args = ['restore', '--from', backups, '--overwrite']
    const { status, stderr } = await runCommand(place, args, settings)
    expect(status).toBe(1)
    expect(stderr).toContain('Give BLOOMERY_BLOBS another folder of the bucket.')
  })

  it('fails while S3 is away, and leaves nothing half', async () => {
    s3.breakBy(({ path }) => (path.includes('uploads/') ? 'denied' : undefined))
    const folder = newFolder()
    const { status, stderr } = await runCommand(
      world.app.config,
      ['backup', '--to', folder],
      settings,
    )
    s3.breakBy(() => undefined)
    expect(status).toBe(1)
    expect(stderr).toContain('The object storage refuses the requests of this server.')
    expect(stderr).toContain('403 AccessDenied')
    expect(stderr).not.toContain(settings.AWS_SECRET_ACCESS_KEY)
  })
})
