import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import {
  jobOf,
  newCiProject,
  newPipeline,
  newRunningToken,
  runJobWith,
  storeFile,
  tellJob,
} from '../../../../test/kit/pipelines.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { zipOf } from '../../../../test/kit/zip.ts'
import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, findBlobSize } from '../../../blobs/blob-store.ts'
import { expireProjectArtifactsTask, removeExpiredArtifacts } from './artifact.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const config = { build: { script: 'true', artifacts: { paths: ['out/'] } } }
const files = {
  'out/': '',
  'out/report.html': '<h1>Report</h1>',
  'out/ü b.txt': 'text\n',
  'out/deep/data.bin': Buffer.from([0, 1, 2, 255]),
  'a.unknown': 'x',
}
const day_ms = 24 * 60 * 60_000

async function newArchive(
  options: Parameters<typeof newCiProject>[2] = {},
  file: Parameters<typeof runJobWith>[3] = {},
) {
  const project = await newCiProject(world, config, options)
  const job = await runJobWith(world, project, files, file)
  return { project, job, url: `/projects/${project.id}/jobs/${job.id}/artifacts` }
}

const passTime = async (duration_ms: number) => {
  const { db, clock, worker } = world.app
  clock.advance(duration_ms)
  await removeExpiredArtifacts({ db, clock: clock.now })
  await worker.drain()
}

const sizeOf = async (id: number): Promise<number> => {
  const shown = await world.as('owner').get(`/projects/${id}?statistics=true`)
  const { job_artifacts_size, storage_size, repository_size, lfs_objects_size } =
    shown.json().statistics
  expect(storage_size).toBe(repository_size + lfs_objects_size + job_artifacts_size)
  return job_artifacts_size
}

describe('GET /projects/:id/jobs/:job_id/artifacts', () => {
  it('answers the archive as it came', async () => {
    const { url } = await newArchive({}, { filename: 'out "ü".zip' })
    const answer = await world.as('reporter').get(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(zipOf(files))).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(zipOf(files).length),
      'content-disposition': `attachment; filename="out ___.zip"; filename*=UTF-8''out%20%22%C3%BC%22.zip`,
      'content-transfer-encoding': 'binary',
    })
    const head = await world.as('reporter').head(url)
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
      200,
      String(zipOf(files).length),
      '',
    ])
  })

  it('answers 404 without an archive, without a job, and for the job of another project', async () => {
    const { url, project } = await newArchive()
    const pipeline = await newPipeline(world, project)
    const without = await jobOf(world, pipeline.id, 'build')
    const other = await newArchive()
    for (const [path, message] of [
      [url.replace(/\d+\/artifacts/, `${without.id}/artifacts`), '404 Not Found'],
      [url.replace(/\d+\/artifacts/, '999999/artifacts'), '404 Not Found'],
      [url.replace(/\d+\/artifacts/, `${other.job.id}/artifacts`), '404 Not Found'],
    ] as const) {
      const missing = await world.as('reporter').get(path)
      expect([missing.statusCode, missing.json()]).toEqual([404, { message }])
    }
  })
})

describe('A file of an archive', () => {
  it.each([
    ['out/report.html', 'text/html; charset=utf-8', 'report.html'],
    ['out%2Freport.html', 'text/html; charset=utf-8', 'report.html'],
    ['out/%C3%BC%20b.txt', 'text/plain; charset=utf-8', '_ b.txt'],
    ['out/deep/data.bin', 'application/octet-stream', 'data.bin'],
    ['a.unknown', 'application/octet-stream', 'a.unknown'],
  ])('is answered by its path: %s', async (path, type, name) => {
    const { url, project } = await newArchive()
    const content = Buffer.from(files[decodeURIComponent(path) as keyof typeof files])
    for (const at of [
      `${url}/${path}`,
      `/projects/${project.id}/jobs/artifacts/main/raw/${path}?job=build`,
    ]) {
      const answer = await world.as('reporter').get(at)
      expect([answer.statusCode, answer.rawPayload.equals(content)]).toEqual([200, true])
      expect(answer.headers).toMatchObject({
        'content-type': type,
        'content-length': String(content.length),
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      expect(answer.headers['content-disposition']).toContain(`attachment; filename="${name}"`)
      const head = await world.as('reporter').head(at)
      expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
        200,
        String(content.length),
        '',
      ])
    }
  })

  it.each([
    ['out', 404, '404 Not Found'],
    ['out/', 404, '404 Not Found'],
    ['out/none.txt', 404, '404 Not Found'],
    ['OUT/report.html', 404, '404 Not Found'],
    ['out/..%2Fa.unknown', 400, '400 Bad request'],
    ['out%5C..%5Ca', 400, '400 Bad request'],
    ['a%00.unknown', 400, '400 Bad request'],
  ])('is not at %s: %i', async (path, status, message) => {
    const { url, project } = await newArchive()
    for (const at of [
      `${url}/${path}`,
      `/projects/${project.id}/jobs/artifacts/main/raw/${path}?job=build`,
    ]) {
      const answer = await world.as('reporter').get(at)
      expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
    }
  })

  it.each(['keep', 'tree'])('may have the name of an operation: %s', async (name) => {
    const project = await newCiProject(world, config)
    const job = await runJobWith(world, project, { [name]: 'a file' })
    const url = `/projects/${project.id}/jobs/${job.id}/artifacts`
    expect((await world.as('reporter').get(`${url}/${name}`)).body).toBe('a file')
    expect((await world.as('reporter').put(`${url}/keep`)).statusCode).toBe(405)
  })

  it('is in no archive that is none, and not what cannot be read', async () => {
    const project = await newCiProject(world, config)
    const pipeline = await newPipeline(world, project)
    const job = await jobOf(world, pipeline.id, 'build')
    await tellJob(world, job, 'run')
    await storeFile(world, await jobOf(world, pipeline.id, 'build'), Buffer.from('no zip at all'))
    const url = `/projects/${project.id}/jobs/${job.id}/artifacts`
    expect((await world.as('reporter').get(`${url}/a`)).statusCode).toBe(404)
    expect((await world.as('reporter').get(url)).body).toBe('no zip at all')
    const odd = await runJobWith(world, project, [{ name: 'a', content: 'x', flags: 1 }])
    const at = `/projects/${project.id}/jobs/${odd.id}/artifacts/a`
    expect((await world.as('reporter').get(at)).statusCode).toBe(404)
  })

  it('takes as many queries, however many files there are', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [`node_modules/file-${n}.js`, 'x']),
    )
    const { url, project } = await newArchive()
    const large = await runJobWith(world, project, many)
    const few = await world.app.count(() => world.as('reporter').get(`${url}/a.unknown`))
    const last = `/projects/${project.id}/jobs/${large.id}/artifacts/node_modules/file-4999.js`
    expect(await world.app.count(() => world.as('reporter').get(last))).toEqual(few)
  })
})

describe('GET /projects/:id/jobs/:job_id/artifacts/tree', () => {
  it('lists a folder, whether or not it has an entry of its own', async () => {
    const { url } = await newArchive()
    const client = world.as('reporter')
    const root = await client.get(`${url}/tree`)
    expect([root.statusCode, root.json()]).toEqual([
      200,
      [
        { name: 'out', path: 'out', type: 'directory' },
        { name: 'a.unknown', path: 'a.unknown', type: 'file', size: 1 },
      ],
    ])
    const out = [
      { name: 'deep', path: 'out/deep', type: 'directory' },
      { name: 'report.html', path: 'out/report.html', type: 'file', size: 15 },
      { name: 'ü b.txt', path: 'out/ü b.txt', type: 'file', size: 5 },
    ]
    for (const path of ['out', 'out/']) {
      const list = await client.get(`${url}/tree?path=${path}`)
      expect([list.json(), list.headers['x-total']]).toEqual([out, '3'])
    }
    const page = await client.get(`${url}/tree?path=out&per_page=1&page=2`)
    expect(page.json()).toEqual([out[1]])
    for (const path of ['none', 'out/report.html', 'ou']) {
      const missing = await client.get(`${url}/tree?path=${path}`)
      expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Not Found' }])
    }
    expect((await world.as('guest').get(`${url}/tree`)).statusCode).toBe(403)
  })

  it('answers a file that is called so', async () => {
    const project = await newCiProject(world, config)
    const job = await runJobWith(world, project, { tree: 'a file', 'tree.txt': 'x' })
    const url = `/projects/${project.id}/jobs/${job.id}/artifacts/tree`
    const answer = await world.as('reporter').get(url)
    expect([answer.statusCode, answer.body]).toEqual([200, 'a file'])
    expect((await world.as('reporter').get(`${url}?path=`)).json()).toHaveLength(2)
  })
})

describe('The latest archive of a reference', () => {
  const download = (id: number, ref: string, job = 'build') =>
    `/projects/${id}/jobs/artifacts/${ref}/download?job=${job}`

  it('is that of the newest pipeline that succeeded', async () => {
    const project = await newCiProject(world, config)
    await runJobWith(world, project, { a: 'first' })
    const second = await runJobWith(world, project, { a: 'second' })
    await runJobWith(world, project, { a: 'failed' }, { event: 'drop' })
    await newPipeline(world, project)
    await runJobWith(world, await newCiProject(world, config), { a: 'of another project' })
    const raw = `/projects/${project.id}/jobs/artifacts/main/raw/a?job=build`
    expect((await world.as('reporter').get(raw)).body).toBe('second')
    const archive = await world.as('reporter').get(download(project.id, 'main'))
    expect([archive.statusCode, archive.rawPayload.equals(zipOf({ a: 'second' }))]).toEqual([
      200,
      true,
    ])
    await world.as('maintainer').delete(`/projects/${project.id}/jobs/${second.id}/artifacts`)
    const missing = await world.as('reporter').get(raw)
    expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Not found' }])
  })

  it.each(['feature/x', 'feature%2Fx'])('is found by a name with slashes: %s', async (ref) => {
    const project = await newCiProject(world, config)
    await world.commit(project, { b: 'b' }, { branch: 'feature/x', start_branch: 'main' })
    await runJobWith(world, project, { 'd/a': 'of x' }, { request: { ref: 'feature/x' } })
    const raw = `/projects/${project.id}/jobs/artifacts/${ref}/raw/d/a?job=build`
    expect((await world.as('reporter').get(raw)).body).toBe('of x')
    expect((await world.as('reporter').get(download(project.id, ref))).statusCode).toBe(200)
    const main = await world.as('reporter').get(download(project.id, 'main'))
    expect([main.statusCode, main.json()]).toEqual([404, { message: '404 Not found' }])
  })

  it('is of a tag too, but of no commit', async () => {
    const project = await newCiProject(world, config)
    const tag = { tag_name: 'v1', ref: 'main' }
    await world.as('owner').post(`/projects/${project.id}/repository/tags`, tag)
    const job = await runJobWith(world, project, { a: 'tagged' }, { request: { ref: 'v1' } })
    expect((await world.as('reporter').get(download(project.id, 'v1'))).statusCode).toBe(200)
    const { sha } = await world.app.db
      .selectFrom('pipelines')
      .select('sha')
      .where('id', '=', job.pipeline_id)
      .executeTakeFirstOrThrow()
    for (const ref of [sha, 'HEAD', 'main']) {
      expect((await world.as('reporter').get(download(project.id, ref))).statusCode).toBe(404)
    }
  })

  it('is that of the run of its job that counts, if that made one', async () => {
    const project = await newCiProject(world, config)
    const first = await runJobWith(world, project, { a: 'first' })
    const url = download(project.id, 'main')
    expect((await world.as('reporter').get(url)).statusCode).toBe(200)
    await world.as('owner').post(`/projects/${project.id}/jobs/${first.id}/retry`)
    for (const event of ['run', 'succeed'] as const) {
      await tellJob(world, await jobOf(world, first.pipeline_id, 'build'), event)
    }
    expect((await world.as('reporter').get(url)).statusCode).toBe(404)
  })

  it('needs the name of a job, of one that made an archive', async () => {
    const { project } = await newArchive()
    const unnamed = await world
      .as('reporter')
      .get(`/projects/${project.id}/jobs/artifacts/main/download`)
    expect([unnamed.statusCode, unnamed.json()]).toEqual([400, { error: 'job is missing' }])
    const other = await world.as('reporter').get(download(project.id, 'main', 'test'))
    expect([other.statusCode, other.json()]).toEqual([404, { message: '404 Not found' }])
  })

  it('is that of a parent before that of a child, and of a child where the parent has none', async () => {
    const project = await newCiProject(world, {
      build: { script: 'true' },
      other: { script: 'true' },
    })
    const parent = await newPipeline(world, project)
    const child = await newPipeline(world, project, { ref: 'main' })
    const { db } = world.app
    await db
      .updateTable('pipelines')
      .set({ parent_id: parent.id, source: 'parent_pipeline' })
      .where('id', '=', child.id)
      .execute()
    for (const [pipeline, name, content] of [
      [parent, 'build', 'of the parent'],
      [child, 'build', 'of the child'],
      [parent, 'other', undefined],
      [child, 'other', 'of the child alone'],
    ] as const) {
      const job = await jobOf(world, pipeline.id, name)
      await tellJob(world, job, 'run')
      const running = await jobOf(world, pipeline.id, name)
      if (content) await storeFile(world, running, zipOf({ a: content }))
      await tellJob(world, job, 'succeed')
    }
    const raw = (name: string) => `/projects/${project.id}/jobs/artifacts/main/raw/a?job=${name}`
    expect((await world.as('reporter').get(raw('build'))).body).toBe('of the parent')
    expect((await world.as('reporter').get(raw('other'))).body).toBe('of the child alone')
  })
})

describe('Who reads artifacts', () => {
  const paths = ({ project, job }: Awaited<ReturnType<typeof newArchive>>) => [
    `/projects/${project.id}/jobs/${job.id}/artifacts`,
    `/projects/${project.id}/jobs/${job.id}/artifacts/a.unknown`,
    `/projects/${project.id}/jobs/artifacts/main/download?job=build`,
    `/projects/${project.id}/jobs/artifacts/main/raw/a.unknown?job=build`,
  ]
  const isAnswered = async (urls: readonly string[], who: Who, status: number) => {
    for (const url of urls) {
      expect([who, url, (await world.as(who).get(url)).statusCode]).toEqual([who, url, status])
    }
  }

  it('in a private project: Reporters and above', async () => {
    const urls = paths(await newArchive())
    await isAnswered(urls, 'anonymous', 404)
    await isAnswered(urls, 'outsider', 404)
    await isAnswered(urls, 'guest', 403)
    await isAnswered(urls, 'reporter', 200)
  })

  it('in a public project: everybody, unless its jobs are not public', async () => {
    const made = await newArchive({ group: world.groups.open })
    const urls = paths(made)
    for (const who of ['anonymous', 'outsider', 'guest'] as const) await isAnswered(urls, who, 200)
    await world.as('owner').put(`/projects/${made.project.id}`, { public_jobs: false })
    for (const who of ['anonymous', 'outsider', 'guest'] as const) await isAnswered(urls, who, 403)
    await isAnswered(urls, 'reporter', 200)
  })

  it('of artifacts that are not public: Reporters and above', async () => {
    const secret = { build: { script: 'true', artifacts: { paths: ['out/'], public: false } } }
    const project = await newCiProject(world, secret, { group: world.groups.open })
    const job = await runJobWith(world, project, files)
    const urls = paths({ project, job, url: '' })
    for (const who of ['anonymous', 'outsider', 'guest'] as const) await isAnswered(urls, who, 403)
    await isAnswered(urls, 'reporter', 200)
  })

  it('the token of a running job reads what its user may', async () => {
    const urls = paths(await newArchive())
    for (const [who, status] of [
      ['reporter', 200],
      ['guest', 403],
      ['outsider', 404],
    ] as const) {
      const token = await newRunningToken(world, who)
      for (const url of urls) {
        const headers = { 'job-token': token }
        const byHeader = await world.as('anonymous').get(url, { headers })
        const query = `${url.includes('?') ? '&' : '?'}job_token=${token}`
        const byQuery = await world.as('anonymous').get(url + query)
        expect([byHeader.statusCode, byQuery.statusCode]).toEqual([status, status])
      }
    }
  })

  it('the token of a job is none on the free tier', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const free = await newWorld(app)
      const project = await newCiProject(free, config)
      const job = await runJobWith(free, project, files)
      const url = `/projects/${project.id}/jobs/${job.id}/artifacts`
      const headers = { 'job-token': await newRunningToken(free, 'reporter') }
      expect((await free.as('anonymous').get(url, { headers })).statusCode).toBe(404)
      expect((await free.as('reporter').get(url)).statusCode).toBe(200)
    } finally {
      await app.close()
    }
  })
})

describe('POST /projects/:id/jobs/:job_id/artifacts/keep', () => {
  it('keeps the artifacts for good', async () => {
    const { url, job, project } = await newArchive({}, { expire_in: '1 day' })
    expect(job.artifacts_expire_at).toBe(
      new Date(world.app.clock.now().getTime() + day_ms).toISOString(),
    )
    const other = await runJobWith(world, project, files, { expire_in: '1 day' })
    const kept = await world.as('developer').post(`${url}/keep`)
    const shown = (await world.as('developer').get(`/projects/${project.id}/jobs/${job.id}`)).json()
    expect([kept.statusCode, kept.json()]).toEqual([
      200,
      { ...shown, failure_reason: null, download_url: null },
    ])
    expect(kept.json()).toMatchObject({
      id: job.id,
      name: 'build',
      status: 'success',
      artifacts_expire_at: null,
      artifacts_file: { filename: 'artifacts.zip', size: zipOf(files).length },
    })
    await runJobWith(world, project, files)
    await passTime(2 * day_ms)
    expect((await world.as('developer').get(url)).statusCode).toBe(200)
    const ofOther = `/projects/${project.id}/jobs/${other.id}/artifacts`
    expect((await world.as('developer').get(ofOther)).statusCode).toBe(404)
  })

  it.each([
    ['anonymous', 404],
    ['outsider', 404],
    ['reporter', 403],
    ['developer', 200],
  ] as const)('answers %s with %i', async (who, status) => {
    const { url } = await newArchive()
    expect((await world.as(who).post(`${url}/keep`)).statusCode).toBe(status)
  })

  it('answers 404 for a job without artifacts, and without a job', async () => {
    const { url, project } = await newArchive()
    const pipeline = await newPipeline(world, project)
    const without = await jobOf(world, pipeline.id, 'build')
    const none = await world
      .as('developer')
      .post(`/projects/${project.id}/jobs/${without.id}/artifacts/keep`)
    expect([none.statusCode, none.json()]).toEqual([404, { message: '404 Not Found' }])
    const other = await newArchive()
    const foreign = url.replace(/\d+\/artifacts/, `${other.job.id}/artifacts`)
    const hidden = await world.as('developer').post(`${foreign}/keep`)
    expect([hidden.statusCode, hidden.json()]).toEqual([404, { message: '404 Not found' }])
  })
})

describe('DELETE /projects/:id/jobs/:job_id/artifacts', () => {
  it('removes the files of a job, and their bytes from disk and statistics', async () => {
    const { url, job, project } = await newArchive()
    const { db, config: settings, worker } = world.app
    const { blob } = await db
      .selectFrom('job_artifacts')
      .select('blob')
      .where('job_id', '=', job.id)
      .executeTakeFirstOrThrow()
    const place = ownBlobPlace('artifacts', blob)
    expect(await findBlobSize(blobStoreOf(settings), place)).toBe(zipOf(files).length)
    expect(await sizeOf(project.id)).toBe(zipOf(files).length)
    const deleted = await world.as('maintainer').delete(url)
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    expect((await world.as('maintainer').get(url)).statusCode).toBe(404)
    expect(await sizeOf(project.id)).toBe(0)
    await worker.drain()
    expect(await findBlobSize(blobStoreOf(settings), place)).toBeUndefined()
    expect((await world.as('maintainer').delete(url)).statusCode).toBe(204)
  })

  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['developer', 'shut', 403],
    ['maintainer', 'shut', 204],
  ] as const)('answers %s in the %s group with %i', async (who, place, status) => {
    const { url, project } = await newArchive({ group: world.groups[place] })
    expect((await world.as(who).delete(url)).statusCode).toBe(status)
    const all = status === 204 ? 202 : status
    expect((await world.as(who).delete(`/projects/${project.id}/artifacts`)).statusCode).toBe(all)
  })

  it('answers 404 without a job', async () => {
    const { project } = await newArchive()
    const missing = await world
      .as('maintainer')
      .delete(`/projects/${project.id}/jobs/999999/artifacts`)
    expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Not found' }])
  })
})

describe('GET /projects/:id/jobs with artifacts', () => {
  it('lists those that have an archive, the newest first, a page at a time', async () => {
    const project = await newCiProject(world, config)
    const first = await runJobWith(world, project, { a: 'first' })
    const { id: waiting } = await newPipeline(world, project)
    const second = await runJobWith(world, project, { a: 'second' })
    const list = async (query: string) => {
      const answer = await world.as('reporter').get(`/projects/${project.id}/jobs${query}`)
      expect(answer.statusCode).toBe(200)
      return answer.json().map(({ id }: { id: number }) => id)
    }
    expect((await list('')).length).toBeGreaterThan(2)
    expect(await list('?with_artifacts=true')).toEqual([second.id, first.id])
    expect(await list('?with_artifacts=true&per_page=1&page=2')).toEqual([first.id])
    expect(await list('?with_artifacts=true&scope[]=failed')).toEqual([])
    expect(await list('?with_artifacts=true&scope[]=success')).toEqual([second.id, first.id])
    await tellJob(world, await jobOf(world, waiting, 'build'), 'run')
    const reporting = await jobOf(world, waiting, 'build')
    const report = { file_type: 'junit', file_format: 'gzip', filename: 'junit.xml.gz' } as const
    await storeFile(world, reporting, Buffer.from('x'), report)
    expect(await list('?with_artifacts=true')).toEqual([second.id, first.id])
    await world.as('owner').post(`/projects/${project.id}/jobs/${first.id}/retry`)
    expect(await list('?with_artifacts=true')).toEqual([second.id, first.id])
    expect(await list('?with_artifacts=true&include_retried=false')).toEqual([second.id])
    await world.as('maintainer').delete(`/projects/${project.id}/jobs/${second.id}/artifacts`)
    expect(await list('?with_artifacts=true')).toEqual([first.id])
    const wrong = await world.as('reporter').get(`/projects/${project.id}/jobs?with_artifacts=some`)
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'with_artifacts is invalid' }])
  })
})

describe('DELETE /projects/:id/artifacts', () => {
  it('removes all of the project but those of the latest pipeline of each reference', async () => {
    const project = await newCiProject(world, config)
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    const old = await runJobWith(world, project, { a: 'old' }, { expire_in: 'never' })
    const later = await runJobWith(world, project, { a: 'later' }, { expire_in: '1 week' })
    const other = await newCiProject(world, config)
    const foreign = await runJobWith(world, other, { a: 'foreign' }, { expire_in: 'never' })
    await runJobWith(world, other, { a: 'foreign' })
    const topic = await runJobWith(world, project, { a: 'topic' }, { request: { ref: 'topic' } })
    const latest = await runJobWith(world, project, { a: 'latest' }, { expire_in: 'never' })
    const answer = await world.as('maintainer').delete(`/projects/${project.id}/artifacts`)
    expect([answer.statusCode, answer.json()]).toEqual([202, { message: '202 Accepted' }])
    await world.app.worker.drain()
    const statusOf = async ({ id, project_id }: { id: number; project_id: number }) =>
      (await world.as('reporter').get(`/projects/${project_id}/jobs/${id}/artifacts`)).statusCode
    for (const job of [old, later]) expect(await statusOf(job)).toBe(404)
    for (const job of [topic, latest, foreign]) expect(await statusOf(job)).toBe(200)
    expect(await sizeOf(project.id)).toBe(
      zipOf({ a: 'topic' }).length + zipOf({ a: 'latest' }).length,
    )
    // What was kept then has its own end, also when it is no longer the latest.
    await runJobWith(world, project, { a: 'newer' })
    await passTime(0)
    expect(await statusOf(latest)).toBe(200)
  })

  it('removes hundreds of files', { timeout: 30_000 }, async () => {
    const project = await newCiProject(world, config)
    const { db, clock } = world.app
    const old = await runJobWith(world, project, { a: 'old' }, { expire_in: 'never' })
    const latest = await runJobWith(world, project, { a: 'latest' })
    const rows = Array.from({ length: 600 }, (_, n) => ({
      ...{ job_id: old.id, project_id: project.id, file_type: `more-${n}`, file_format: 'raw' },
      ...{ filename: 'f', size: 1, sha256: '', blob: `${project.id}-more-${n}`, public: true },
      ...{ expire_at: null, created_at: clock.now().toISOString() },
    }))
    await db.insertInto('job_artifacts').values(rows).execute()
    await expireProjectArtifactsTask.run({ db, clock: clock.now }, { project_id: project.id })
    const left = await world.as('reporter').get(`/projects/${project.id}/jobs?with_artifacts=true`)
    expect(left.json()).toMatchObject([{ id: latest.id }])
    const ofOld = `/projects/${project.id}/jobs/${old.id}`
    expect((await world.as('reporter').get(ofOld)).json().artifacts).toEqual([])
    await db.deleteFrom('tasks').where('key', 'like', `${project.id}-more-%`).execute()
  })
})

describe('Artifacts whose time is over', () => {
  it('go, but for those of the latest pipeline of a reference', async () => {
    const { url, project, job } = await newArchive({}, { expire_in: '1 hour' })
    await passTime(2 * 60 * 60_000)
    // Kept as the latest.
    expect((await world.as('reporter').get(url)).statusCode).toBe(200)
    expect((await world.as('reporter').get(`${url}/a.unknown`)).statusCode).toBe(200)
    const other = await newArchive({}, { expire_in: '1 minute' })
    world.app.clock.advance(2 * 60_000)
    await runJobWith(world, project, files, { expire_in: 'never' })
    expect((await world.as('reporter').get(url)).statusCode).toBe(200)
    expect((await world.as('reporter').get(`${url}/a.unknown`)).statusCode).toBe(404)
    await passTime(0)
    expect((await world.as('reporter').get(url)).statusCode).toBe(404)
    expect((await world.as('reporter').get(other.url)).statusCode).toBe(200)
    expect(await sizeOf(project.id)).toBe(zipOf(files).length)
    const shown = await world.as('reporter').get(`/projects/${project.id}/jobs/${job.id}`)
    expect(shown.json()).not.toHaveProperty('artifacts_file')
  })

  it('stay with the latest pipeline of a branch when a tag of the same name has a later one', async () => {
    const { url, project } = await newArchive({}, { expire_in: '1 hour' })
    const tag = { tag_name: 'main', ref: 'main' }
    const at = `/projects/${project.id}/repository/tags`
    expect((await world.as('owner').post(at, tag)).statusCode).toBe(201)
    const request = { ref: 'refs/tags/main' }
    const ofTag = await runJobWith(world, project, files, { expire_in: 'never', request })
    expect(ofTag).toMatchObject({ ref: 'main', tag: true, status: 'success' })
    await passTime(2 * 60 * 60_000)
    expect((await world.as('reporter').get(url)).statusCode).toBe(200)
  })

  it('go at once where the project does not keep the latest', async () => {
    const project = await newCiProject(world, config)
    await world.app.db
      .updateTable('projects')
      .set({ keep_latest_artifact: false })
      .where('id', '=', project.id)
      .execute()
    const job = await runJobWith(world, project, files, { expire_in: '1 hour' })
    await passTime(2 * 60 * 60_000)
    const url = `/projects/${project.id}/jobs/${job.id}/artifacts`
    expect((await world.as('reporter').get(url)).statusCode).toBe(404)
  })

  it.each([
    ['branch', 'topic', { branch: 'topic' }],
    ['tag', 'v1', { tag_name: 'v1' }],
  ] as const)('go when their %s does', async (kind, ref, body) => {
    const project = await newCiProject(world, config)
    const at = `/projects/${project.id}/repository/${kind === 'tag' ? 'tags' : 'branches'}`
    expect((await world.as('owner').post(at, { ...body, ref: 'main' })).statusCode).toBe(201)
    const job = await runJobWith(world, project, files, { expire_in: '1 hour', request: { ref } })
    const url = `/projects/${project.id}/jobs/${job.id}/artifacts`
    await passTime(2 * 60 * 60_000)
    expect((await world.as('reporter').get(url)).statusCode).toBe(200)
    expect((await world.as('owner').delete(`${at}/${ref}`)).statusCode).toBe(204)
    world.app.clock.advance(60_000)
    await world.app.worker.drain()
    await passTime(0)
    expect((await world.as('reporter').get(url)).statusCode).toBe(404)
  })

  it('go many at a time, past those that stay', async () => {
    const project = await newCiProject(world, config)
    const { db, clock } = world.app
    const now = clock.now().toISOString()
    const earlier = new Date(clock.now().getTime() - 1).toISOString()
    const kept = await runJobWith(world, project, files)
    const gone = await runJobWith(world, project, files, { event: 'drop' })
    await db
      .updateTable('pipelines')
      .set({ locked: false })
      .where('id', '=', gone.pipeline_id)
      .execute()
    const rowsOf = (job_id: number, name: string) =>
      Array.from({ length: 700 }, (_, n) => ({
        ...{ job_id, project_id: project.id, file_type: `${name}-${n}`, file_format: 'raw' },
        ...{ filename: 'f', size: 1, sha256: '', blob: `${project.id}-${name}-${n}`, public: true },
        ...{ expire_at: name === 'kept' && n < 600 ? earlier : now, created_at: now },
      }))
    await db.insertInto('job_artifacts').values(rowsOf(kept.id, 'kept')).execute()
    await db.insertInto('job_artifacts').values(rowsOf(gone.id, 'gone')).execute()
    await removeExpiredArtifacts({ db, clock: clock.now })
    const left = await db
      .selectFrom('job_artifacts')
      .select(({ fn }) => ['job_id', fn.countAll<number>().as('count')])
      .where('project_id', '=', project.id)
      .groupBy('job_id')
      .orderBy('job_id')
      .execute()
    expect(left.map(({ job_id, count }) => [job_id, Number(count)])).toEqual([
      [kept.id, 701],
      [gone.id, 1],
    ])
    await db.deleteFrom('tasks').where('key', 'like', `${project.id}-gone-%`).execute()
  })
})

describe('Archives', () => {
  it.each([
    ['whose files share their bytes', [{ name: 'a', content: 'x', compressed: 10_000 }]],
    [
      'that unpack to more than they may',
      Array.from({ length: 3 }, (_, n) => ({ name: `${n}`, content: 'x', size: 0xfffffff0 })),
    ],
  ])('%s are refused', async (_what, entries) => {
    const project = await newCiProject(world, config)
    const refused = runJobWith(world, project, entries)
    await expect(refused).rejects.toMatchObject({
      kind: 'too-large',
      detail: 'archive holds more than it may',
    })
    expect(await sizeOf(project.id)).toBe(0)
  })

  it('go with their project, and those of other projects stay', async () => {
    const other = await newArchive()
    const { job, project } = await newArchive()
    const { db, config: settings, worker } = world.app
    const { blob } = await db
      .selectFrom('job_artifacts')
      .select('blob')
      .where('job_id', '=', job.id)
      .executeTakeFirstOrThrow()
    await world.as('owner').delete(`/projects/${project.id}`)
    await worker.drain()
    const place = ownBlobPlace('artifacts', blob)
    expect(await findBlobSize(blobStoreOf(settings), place)).toBeUndefined()
    expect((await world.as('reporter').get(other.url)).statusCode).toBe(200)
  })

  it('go with their pipeline and those below it, from disk and statistics', async () => {
    const { job, project } = await newArchive()
    const { db, config: settings, worker } = world.app
    const [child, grandchild] = [
      await runJobWith(world, project, { a: 'a' }),
      await runJobWith(world, project, { b: 'b' }),
    ]
    for (const [{ pipeline_id: id }, { pipeline_id: parent_id }] of [
      [child, job],
      [grandchild, child],
    ] as const) {
      await db.updateTable('pipelines').set({ parent_id }).where('id', '=', id).execute()
    }
    const kept = await runJobWith(world, project, { c: 'c' })
    const other = await newArchive()
    const blobs = await db
      .selectFrom('job_artifacts')
      .select(['job_id', 'blob'])
      .where('project_id', '=', project.id)
      .execute()
    const url = `/projects/${project.id}/pipelines/${job.pipeline_id}`
    expect((await world.as('owner').delete(url)).statusCode).toBe(204)
    await worker.drain()
    expect(await sizeOf(project.id)).toBe(zipOf({ c: 'c' }).length)
    expect(await sizeOf(other.project.id)).toBe(zipOf(files).length)
    for (const { job_id, blob } of blobs) {
      const size = await findBlobSize(blobStoreOf(settings), ownBlobPlace('artifacts', blob))
      expect([job_id, size !== undefined]).toEqual([job_id, job_id === kept.id])
    }
    expect(blobs).toHaveLength(4)
  })

  it('of an archived project are read, not changed', async () => {
    const { url, project } = await newArchive()
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect((await world.as('reporter').get(url)).statusCode).toBe(200)
    for (const refused of [
      await world.as('maintainer').post(`${url}/keep`),
      await world.as('maintainer').delete(url),
      await world.as('maintainer').delete(`/projects/${project.id}/artifacts`),
    ]) {
      expect(refused.statusCode).toBe(403)
    }
  })
})
