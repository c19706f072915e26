import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { newCertificate } from '../../../../test/kit/certificates.ts'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { multipart } from '../../../../test/kit/form.ts'
import { newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function open() {
  const project = await newCiProject(world, { job: { script: 'true' } })
  const url = `/projects/${project.id}/secure_files`
  const add = (name: string, content: Buffer, who: Who = 'maintainer') => {
    const { body, options } = multipart({ name, file: { filename: 'given', content } })
    return world.as(who).post(url, body, options)
  }
  return { project, url, add }
}

describe('Secure files of a project', () => {
  const content = Buffer.from([0, 255, 1, 2, 254])

  it('are added, listed, shown, downloaded and removed, and sealed in the database', async () => {
    const { project, url, add } = await open()
    const made = await add('key.jks', content)
    const record = {
      id: expect.any(Number),
      name: 'key.jks',
      checksum: createHash('sha256').update(content).digest('hex'),
      checksum_algorithm: 'sha256',
      created_at: expect.any(String),
      expires_at: null,
      metadata: null,
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const developer = world.as('developer')
    expect((await developer.get(url)).json()).toEqual([made.json()])
    const one = `${url}/${made.json().id}`
    expect((await developer.get(one)).json()).toEqual(made.json())
    const read = await developer.get(`${one}/download`)
    expect([read.statusCode, read.rawPayload.equals(content)]).toEqual([200, true])
    expect(read.headers['content-disposition']).toContain('key.jks')
    const row = await world.app.db
      .selectFrom('secure_files')
      .select('content')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    expect(row.content).not.toContain(content.toString('base64'))
    expect((await developer.delete(one)).statusCode).toBe(403)
    expect((await world.as('maintainer').delete(one)).statusCode).toBe(204)
    expect((await developer.get(one)).json()).toEqual({ message: '404 Not found' })
  })

  it('tell what a certificate says, and nothing of others', async () => {
    const { add } = await open()
    const { certificate } = newCertificate({ subject: '/O=Example/CN=signer', days: 30 })
    const { metadata, expires_at } = (await add('signer.cer', Buffer.from(certificate))).json()
    expect(metadata).toEqual({
      id: expect.stringMatching(/^\d+$/),
      issuer: { O: 'Example', CN: 'signer' },
      subject: { O: 'Example', CN: 'signer' },
      expires_at,
    })
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now())
    const damaged = await add('damaged.cer', content)
    expect([damaged.statusCode, damaged.json().metadata]).toEqual([201, null])
  })

  it('are refused with a name that is taken or too long, too large, or without a file', async () => {
    const { url, add } = await open()
    expect((await add('a', content)).statusCode).toBe(201)
    const taken = await add('a', content)
    expect([taken.statusCode, taken.json()]).toEqual([
      400,
      { message: { name: ['has already been taken'] } },
    ])
    const long = await add('x'.repeat(256), content)
    expect(long.json()).toEqual({ message: { name: ['is too long (maximum is 255 characters)'] } })
    expect((await add('b', Buffer.alloc(5 * 1024 * 1024 + 1))).statusCode).toBe(413)
    expect((await add('c', Buffer.alloc(5 * 1024 * 1024))).statusCode).toBe(201)
    const none = await world.as('maintainer').post(url, { name: 'd' })
    expect([none.statusCode, none.json()]).toEqual([400, { error: 'file is missing' }])
  })

  it('belong to one project, and only those of the project count towards its limit', async () => {
    const [one, other] = [await open(), await open()]
    const { id } = (await one.add('a', content)).json()
    const own = (await other.add('b', content)).json()
    const maintainer = world.as('maintainer')
    const listed = await maintainer.get(other.url)
    expect([listed.json(), listed.headers['x-total']]).toEqual([[own], '1'])
    for (const answer of [
      await maintainer.get(`${other.url}/${id}`),
      await maintainer.get(`${other.url}/${id}/download`),
      await maintainer.delete(`${other.url}/${id}`),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
    }
    const row = { checksum: '', content: '', created_at: '2026-03-01T12:00:00.000Z' }
    const rows = Array.from({ length: 99 }, (_, at) => ({
      ...row,
      project_id: one.project.id,
      name: `n${at}`,
    }))
    await world.app.db.insertInto('secure_files').values(rows).execute()
    const refused = await one.add('c', content)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: { base: ['Maximum number of ci secure files (100) exceeded'] } },
    ])
    expect((await other.add('c', content)).statusCode).toBe(201)
    expect((await maintainer.get(`${one.url}/${id}`)).statusCode).toBe(200)
  })

  it.each([
    ['anonymous', 401, 401],
    ['outsider', 404, 404],
    ['reporter', 403, 403],
    ['developer', 200, 403],
    ['maintainer', 200, 201],
  ] as const)('answer %s with %i, and with %i who adds one', async (who, reads, adds) => {
    const { url, add } = await open()
    expect((await world.as(who).get(url)).statusCode).toBe(reads)
    expect((await add('a', content, who)).statusCode).toBe(adds)
  })

  it('are read by the token of a job', async () => {
    const { project, url, add } = await open()
    const { id } = (await add('a', content)).json()
    await newPipeline(world, project)
    const job = await (await newRunner(world, project.id)).take()
    const headers = { 'job-token': job?.token ?? '' }
    const read = await world.as('anonymous').get(`${url}/${id}/download`, { headers })
    expect([read.statusCode, read.rawPayload.equals(content)]).toEqual([200, true])
  })
})
