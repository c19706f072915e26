// Everything that is kept as a blob, by a server whose blobs are in S3: its own disk has none of them.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { blobStoreOf, listBlobs } from '../../src/blobs/blob-store.ts'
import { appendJobLog } from '../../src/features/delivery/jobs/append-log.ts'
import { limits } from '../../src/kernel/limits.ts'
import { startApp } from '../kit/app.ts'
import { atFileEnd } from '../kit/file-end.ts'
import { multipart, png } from '../kit/form.ts'
import { lfsClient, objectOf } from '../kit/lfs.ts'
import {
  jobOf,
  newCiProject,
  newPipeline,
  newRunningToken,
  runJobWith,
  storeFile,
  tellJob,
} from '../kit/pipelines.ts'
import { type S3Server, startS3 } from '../kit/s3.ts'
import { browse, newSite } from '../kit/sites.ts'
import { newWorld, type World } from '../kit/world.ts'
import { zipOf } from '../kit/zip.ts'

let s3: S3Server
let world: World
beforeAll(async () => {
  s3 = await startS3()
  const app = await startApp({
    ...s3.settings({ timeout: '2' }),
    BLOOMERY_PAGES_HOST: 'pages.test',
    BLOOMERY_PAGES_PORT: '0',
  })
  atFileEnd(() => app.close())
  world = await newWorld(app)
})

/** A content of that many bytes that no test has had. */
let made = 0
const newContent = (bytes = 1000) => Buffer.alloc(bytes, `content ${++made} ${Math.random()} `)

describe('an LFS object', () => {
  it.each([
    ['small', 1000],
    ['large', limits.s3.part_bytes + 1000],
  ])(
    'that is %s is sent by the server, and downloaded from S3 without credentials',
    async (_, bytes) => {
      const project = await world.newProject()
      const content = newContent(bytes)
      const { oid, size } = objectOf(content)
      const developer = lfsClient(world, project, 'developer')
      const asked = await developer.batch('upload', [{ oid, size }])
      expect(asked.json().objects[0].actions.upload.href).toContain('http://bloomery.test/')
      expect((await developer.upload(content)).statusCode).toBe(200)
      const answer = await lfsClient(world, project, 'reporter').batch('download', [{ oid, size }])
      const [object] = answer.json().objects
      expect(object).toMatchObject({ oid, size, authenticated: true })
      const { href, header, expires_in } = object.actions.download
      expect({ header, expires_in }).toEqual({ header: {}, expires_in: 300 })
      const download = await fetch(href)
      expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
    },
  )

  it('is sent by the server too, whole and in part', async () => {
    const project = await world.newProject()
    const content = newContent(limits.s3.part_bytes + 1000)
    const { oid } = objectOf(content)
    const developer = lfsClient(world, project, 'developer')
    await developer.upload(content)
    expect((await developer.download(oid)).rawPayload.equals(content)).toBe(true)
    const part = await developer.download(oid, { range: 'bytes=8388600-8388615' })
    expect(part.statusCode).toBe(206)
    expect(part.rawPayload.equals(content.subarray(8_388_600, 8_388_616))).toBe(true)
  })

  it('of other bytes than announced is refused and not stored', async () => {
    const project = await world.newProject()
    const developer = lfsClient(world, project, 'developer')
    const announced = objectOf(newContent(limits.s3.part_bytes + 1000))
    const answer = await developer.upload(newContent(limits.s3.part_bytes + 1000), announced)
    expect(answer.statusCode).toBe(422)
    expect((await developer.download(announced.oid)).statusCode).toBe(404)
  })

  it('is refused in clear words while S3 is away, and other requests are answered', async () => {
    const project = await world.newProject()
    const content = newContent(limits.s3.part_bytes + 1000)
    const developer = lfsClient(world, project, 'developer')
    s3.breakBy(() => 'stall')
    try {
      const sending = developer.upload(content)
      expect((await world.as('owner').get(`/projects/${project.id}`)).statusCode).toBe(200)
      const answer = await sending
      expect(answer.statusCode).toBe(503)
      expect(answer.headers['retry-after']).toBe('5')
      const lines = world.app.log.filter(({ msg }) => msg === 'object storage call failed')
      expect(JSON.stringify(lines)).toMatch(/S3 (PUT|POST) lfs\/[0-9a-f/]+: timed out/)
      const { secretAccessKey, accessKeyId } = s3.place()
      for (const secret of [secretAccessKey, accessKeyId]) {
        expect(JSON.stringify(world.app.log)).not.toContain(secret)
      }
      expect(answer.json().message).toBe(
        '503 Service Unavailable - The object storage does not answer. Please try again later.',
      )
    } finally {
      s3.breakBy(() => undefined)
    }
    expect((await developer.upload(content)).statusCode).toBe(200)
  })
})

const builds = { build: { script: 'true', artifacts: { paths: ['out'] } } }

describe('while S3 fails', () => {
  const text = /^503 Service Unavailable - The object storage (does not answer|refuses)/

  it.each(['error', 'reset', 'denied'] as const)('by %s, nothing is half done', async (fault) => {
    const project = await world.newProject()
    const developer = lfsClient(world, project, 'developer')
    const content = newContent()
    const { oid } = objectOf(content)
    await developer.upload(content)
    const { body, options } = multipart({ file: { filename: 'a.bin', content } })
    const uploads = `/projects/${project.id}/uploads`
    const before = await countBlobs()
    // No connection that brings the answer of a GET gets further than its headers otherwise.
    s3.breakBy(({ method }) => (fault === 'reset' && method === 'GET' ? 'error' : fault))
    try {
      const refused = await world.as('developer').post(uploads, body, options)
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
      expect(refused.json().message).toMatch(text)
      const missed = await developer.download(oid)
      expect([missed.statusCode, missed.headers['retry-after']]).toEqual([503, '5'])
      expect(missed.json().message).toMatch(text)
      expect(missed.headers['content-disposition']).toBeUndefined()
      expect((await developer.upload(newContent())).statusCode).toBe(503)
      expect((await world.as('owner').get(`/projects/${project.id}`)).statusCode).toBe(200)
    } finally {
      s3.breakBy(() => undefined)
    }
    expect(await countBlobs()).toBe(before)
    expect((await world.as('owner').get(uploads)).json()).toEqual([])
    expect((await developer.download(oid)).rawPayload.equals(content)).toBe(true)
    expect((await world.as('developer').post(uploads, body, options)).statusCode).toBe(201)
  })

  it('by damaged bytes, a download ends before its end', async () => {
    const project = await world.newProject()
    const developer = lfsClient(world, project, 'developer')
    const content = newContent(limits.s3.part_bytes + 1000)
    const { oid } = objectOf(content)
    await developer.upload(content)
    s3.breakBy(({ method }) => (method === 'GET' ? 'corrupt' : undefined))
    const outcome = await developer.download(oid).then(
      ({ rawPayload }) => rawPayload.length,
      () => 'broken',
    )
    s3.breakBy(() => undefined)
    expect(outcome).toBe('broken')
  })
})

describe('what a job makes', () => {
  it('is an archive that runners fetch from S3, and people from the server, whole or a file of it', async () => {
    const project = await newCiProject(world, builds)
    const content = randomBytes(limits.s3.part_bytes + 1000)
    const job = await runJobWith(world, project, { 'out/a.txt': 'text', 'out/b.bin': content })
    const reporter = world.as('reporter')
    const url = `/projects/${project.id}/jobs/${job.id}/artifacts`
    const whole = await reporter.get(url)
    expect(whole.statusCode).toBe(200)
    const headers = { 'job-token': await newRunningToken(world, 'developer') }
    const redirect = await world
      .as('anonymous')
      .get(`/jobs/${job.id}/artifacts?direct_download=true`, { headers })
    expect(redirect.statusCode).toBe(302)
    const download = await fetch(String(redirect.headers.location))
    expect(download.headers.get('content-disposition')).toContain('filename="artifacts.zip"')
    expect(Buffer.from(await download.arrayBuffer()).equals(whole.rawPayload)).toBe(true)
    const own = await world.as('anonymous').get(`/jobs/${job.id}/artifacts`, { headers })
    expect(own.rawPayload.equals(whole.rawPayload)).toBe(true)
    expect((await reporter.get(`${url}/out/a.txt`)).payload).toBe('text')
    expect((await reporter.get(`${url}/out/b.bin`)).rawPayload.equals(content)).toBe(true)
    expect((await reporter.get(`${url}/tree?path=out`)).json()).toHaveLength(2)
  })

  it('is no archive that would unpack to too much, and nothing of that stays', async () => {
    const project = await newCiProject(world, builds)
    const pipeline = await newPipeline(world, project)
    const job = await jobOf(world, pipeline.id, 'build')
    await tellJob(world, job, 'run')
    // Each says that it unpacks to 4 GB.
    const size = 4_000_000_000
    const bomb = zipOf([
      { name: 'out/a', content: randomBytes(limits.s3.part_bytes), size },
      { name: 'out/b', content: 'b', size },
    ])
    const before = await countBlobs()
    await expect(storeFile(world, { ...job, status: 'running' }, bomb)).rejects.toThrow(
      'archive holds more',
    )
    await world.app.worker.drain()
    expect(await countBlobs()).toBe(before)
  })

  it('is a log', async () => {
    const project = await newCiProject(world, builds)
    const pipeline = await newPipeline(world, project)
    const job = await jobOf(world, pipeline.id, 'build')
    await tellJob(world, job, 'run')
    const bytes = Buffer.from('first line\nsecond line\n')
    const { db, clock } = world.app
    const running = await jobOf(world, pipeline.id, 'build')
    await appendJobLog({ db, clock: clock.now }, running, { start: 0, bytes, isDebug: false })
    await tellJob(world, running, 'succeed')
    expect((await jobOf(world, pipeline.id, 'build')).log_blob).not.toBeNull()
    const url = `/projects/${project.id}/jobs/${job.id}/trace`
    expect((await world.as('reporter').get(url)).rawPayload.equals(bytes)).toBe(true)
    const part = await world.as('reporter').get(url, { headers: { range: 'bytes=6-9' } })
    expect(part.payload).toBe('line')
  })
})

describe('files that people bring', () => {
  it('are uploads of a project, read whole and in part', async () => {
    const project = await world.newProject()
    const { body, options } = multipart({
      file: { filename: 'a.bin', content: Buffer.from('0123456789') },
    })
    const developer = world.as('developer')
    const made = await developer.post(`/projects/${project.id}/uploads`, body, options)
    expect(made.statusCode).toBe(201)
    const url = `/projects/${project.id}${made.json().url}`
    const maintainer = world.as('maintainer')
    expect((await maintainer.get(url)).payload).toBe('0123456789')
    expect((await maintainer.get(url, { headers: { range: 'bytes=3-5' } })).payload).toBe('345')
    expect((await maintainer.delete(url)).statusCode).toBe(204)
    const before = await countBlobs()
    await world.app.worker.drain()
    expect(await countBlobs()).toBe(before - 1)
  })

  it('are pictures of projects', async () => {
    const project = await world.newProject()
    const { body, options } = multipart({ avatar: { filename: 'a.png', content: png() } })
    const owner = world.as('owner')
    expect((await owner.put(`/projects/${project.id}`, body, options)).statusCode).toBe(200)
    const answer = await owner.get(`/projects/${project.id}/avatar`)
    expect(answer.rawPayload.equals(png())).toBe(true)
  })
})

describe('a site', () => {
  it('is read out of its archive, after the artifact it came of is gone', async () => {
    const large = randomBytes(3_000_000)
    const site = await newSite(world, [
      { name: 'public/index.html', content: 'a page' },
      { name: 'public/a.bin', content: large, isStored: true },
    ])
    await world.as('owner').delete(`/projects/${site.project.id}/jobs/${site.job.id}/artifacts`)
    await world.app.worker.drain()
    const port = (await world.app.listenForPages('127.0.0.1')).port ?? 0
    expect((await browse(`${site.url}/`, { port })).text).toBe('a page')
    expect((await browse(`${site.url}/a.bin`, { port })).body.equals(large)).toBe(true)
    const headers = { range: 'bytes=1000-1999' }
    const part = await browse(`${site.url}/a.bin`, { port, headers })
    expect(part.body.equals(large.subarray(1000, 2000))).toBe(true)
    s3.breakBy(() => 'error')
    const refused = await browse(`${site.url}/a.bin`, { port })
    s3.breakBy(() => undefined)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(refused.text).toBe('This site is temporarily unavailable. Please try again later.')
  })
})

describe('an export of vulnerabilities', () => {
  it('is made and downloaded', async () => {
    const project = await world.newProject()
    const owner = world.as('owner')
    const made = await owner.post(`/security/projects/${project.id}/vulnerability_exports`)
    await world.app.worker.drain()
    const file = await owner.get(`/security/vulnerability_exports/${made.json().id}/download`)
    expect(file.payload).toContain('Group Name,Project Name')
  })
})

it('the data folder has no blobs', () => {
  expect(existsSync(join(world.app.config.data, 'blobs'))).toBe(false)
})

async function countBlobs(): Promise<number> {
  let count = 0
  for await (const _ of listBlobs(blobStoreOf(world.app.config))) count++
  return count
}
