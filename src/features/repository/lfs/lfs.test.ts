import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { takeFirstJob } from '../../../../test/kit/fake-runner.ts'
import { basic, lfsClient, lfsType, objectOf } from '../../../../test/kit/lfs.ts'
import { newCiProject } from '../../../../test/kit/pipelines.ts'
import { newKeyPair } from '../../../../test/kit/ssh-key.ts'
import {
  everybody,
  newWorld,
  type Place,
  type Who,
  type World,
} from '../../../../test/kit/world.ts'
import { anonymous } from '../../../access/actor.ts'
import { blobStoreOf } from '../../../blobs/blob-store.ts'
import { hashPassword } from '../../../kernel/secrets.ts'
import type { Project } from '../../../subjects/project.ts'
import { actorUserFromUser } from '../../../subjects/user.ts'
import { authenticatePersonalToken } from '../../people/tokens/token.ts'
import { lfsBlobPlace } from './lfs.ts'
import { createLfsAuthentication, createLfsToken } from './lfs-token.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const help = { documentation_url: 'http://bloomery.test/help' }
const notFound = { message: 'Not found.', ...help }
const forbidden = { message: 'Access forbidden. Check your access level.', ...help }
const absent = {
  code: 404,
  message: "Object does not exist on the server or you don't have permissions to access it",
}
let made = 0
const newContent = () => `content ${++made} ${Math.random()}`

const as = (who: Who, project: Project) => lfsClient(world, project, who)
/** An object of the project, sent by its owner. */
async function store(project: Project, content = newContent()) {
  expect((await as('owner', project).upload(content)).statusCode).toBe(200)
  return { content, ...objectOf(content) }
}
const fileOf = (oid: string) => join(blobStoreOf(world.app.config).path, lfsBlobPlace(oid))
const incoming = () => {
  const folder = join(blobStoreOf(world.app.config).path, 'incoming')
  return existsSync(folder) ? readdirSync(folder) : []
}
async function set(project: Project, settings: object): Promise<void> {
  await world.app.db.updateTable('projects').set(settings).where('id', '=', project.id).execute()
}
/** The signed header of an action, decoded. */
function credentialsOf(action: { header: { Authorization: string } }): [string, string] {
  const text = Buffer.from(action.header.Authorization.replace('Basic ', ''), 'base64').toString()
  return text.split(':', 2) as [string, string]
}

describe('POST info/lfs/objects/batch', () => {
  it.each([
    ['download', 'open', [200, 200, 200, 200, 200, 200, 200, 200]],
    ['download', 'inside', [401, 200, 200, 200, 200, 200, 200, 200]],
    ['download', 'shut', [401, 404, 403, 200, 200, 200, 200, 200]],
    ['upload', 'open', [401, 403, 403, 403, 200, 200, 200, 200]],
    ['upload', 'shut', [401, 404, 403, 403, 200, 200, 200, 200]],
  ] as const)('to %s, of the %s project, answers by role', async (operation, place, expected) => {
    const objects = [objectOf(newContent())]
    const statuses: number[] = []
    for (const who of everybody) {
      statuses.push((await as(who, world.projects[place]).batch(operation, objects)).statusCode)
    }
    expect(statuses).toEqual(expected)
  })

  it.each([
    ['outsider', 'shut', notFound],
    ['guest', 'shut', forbidden],
  ] as const)('tells the %s of the %s project why not', async (who, place, body) => {
    const answer = await as(who, world.projects[place]).batch('download', [objectOf('x')])
    expect(answer.json()).toEqual(body)
    expect(answer.headers['content-type']).toBe(lfsType)
  })

  it('asks who gives no credentials for them, whatever there is', async () => {
    const nowhere = { ...world.projects.shut, full_path: 'nobody/nothing' }
    for (const project of [world.projects.shut, nowhere]) {
      const answer = await as('anonymous', project).batch('download', [objectOf('x')])
      expect(answer.statusCode).toBe(401)
      expect(answer.headers).toMatchObject({
        'www-authenticate': 'Basic realm="GitLab"',
        'lfs-authenticate': 'Basic realm="GitLab"',
        'content-type': lfsType,
      })
      expect(answer.json()).toEqual({ message: 'HTTP Basic: Access denied', ...help })
    }
    const wrong = lfsClient(world, world.projects.open, { authorization: basic('x', 'wrong') })
    expect((await wrong.batch('download', [objectOf('x')])).statusCode).toBe(401)
    expect((await as('outsider', nowhere).batch('download', [objectOf('x')])).json()).toEqual(
      notFound,
    )
  })

  it('tells where to fetch what the project has, and what it has not', async () => {
    const project = world.projects.shut
    const { oid, size } = await store(project)
    const missing = objectOf(newContent())
    const answer = await as('reporter', project).batch('download', [{ oid, size }, missing])
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, lfsType])
    expect(answer.json()).toEqual({
      transfer: 'basic',
      objects: [
        {
          oid,
          size,
          actions: {
            download: {
              href: `http://bloomery.test/${project.full_path}.git/gitlab-lfs/objects/${oid}`,
              header: { Authorization: expect.stringMatching(/^Basic [A-Za-z0-9+/=]+$/) },
              expires_in: 1800,
            },
          },
        },
        { ...missing, error: absent },
      ],
    })
    const [username, password] = credentialsOf(answer.json().objects[0].actions.download)
    expect(username).toBe(world.users.reporter.username)
    expect(password).toMatch(/^lfs-user-\d+-token\.\d+-\d+-download-\d+-\d+-[0-9a-f]{64}$/)
  })

  it('says of a public project that nobody need sign in, and gives nobody a token', async () => {
    const project = world.projects.open
    const { oid, size } = await store(project)
    const href = `http://bloomery.test/${project.full_path}.git/gitlab-lfs/objects/${oid}`
    const answer = await as('anonymous', project).batch('download', [{ oid, size }])
    expect(answer.json().objects).toEqual([
      { oid, size, authenticated: true, actions: { download: { href, header: {} } } },
    ])
    const signedIn = await as('guest', project).batch('download', [{ oid, size }])
    expect(signedIn.json().objects[0].authenticated).toBe(true)
  })

  it('tells where to send what the project has not', async () => {
    const project = world.projects.shut
    const own = await store(project)
    const wanted = objectOf(newContent())
    const objects = [{ oid: own.oid, size: own.size }, wanted]
    const answer = await as('developer', project).batch('upload', objects, {
      ref: { name: 'refs/heads/main' },
      hash_algo: 'sha256',
    })
    expect(answer.json()).toEqual({
      transfer: 'basic',
      objects: [
        { oid: own.oid, size: own.size },
        {
          ...wanted,
          actions: {
            upload: {
              href: `http://bloomery.test/${project.full_path}.git/gitlab-lfs/objects/${wanted.oid}/${wanted.size}`,
              header: {
                Authorization: expect.stringMatching(/^Basic /),
                'Content-Type': 'application/octet-stream',
                'Transfer-Encoding': 'chunked',
              },
              expires_in: 1800,
            },
          },
        },
      ],
    })
  })

  it('refuses bad objects one by one', async () => {
    const { oid } = objectOf('x')
    const oidProblem = { code: 422, message: 'The oid is no SHA-256 in hex.' }
    const sizeProblem = { code: 422, message: 'The size is no number of bytes.' }
    const objects = [
      { oid: 'abc', size: 1 },
      { oid: oid.toUpperCase(), size: 1 },
      { oid: '../../secret.key', size: 1 },
      { size: 1 },
      'no object',
      null,
      { oid, size: -1 },
      { oid, size: 1.5 },
      { oid, size: '1' },
      { oid },
      { oid, size: 2 ** 40 },
    ]
    const answer = await as('owner', world.projects.shut).batch('upload', objects)
    expect(answer.json().objects).toEqual([
      { oid: 'abc', size: 1, error: oidProblem },
      { oid: oid.toUpperCase(), size: 1, error: oidProblem },
      { oid: '../../secret.key', size: 1, error: oidProblem },
      { oid: null, size: 1, error: oidProblem },
      { oid: null, size: null, error: oidProblem },
      { oid: null, size: null, error: oidProblem },
      { oid, size: -1, error: sizeProblem },
      { oid, size: 1.5, error: sizeProblem },
      { oid, size: '1', error: sizeProblem },
      { oid, size: null, error: sizeProblem },
      { oid, size: 2 ** 40, error: { code: 422, message: 'The object is too large.' } },
    ])
  })

  it.each([
    [{ operation: 'download', objects: [] }, 404, 'Not found.'],
    [{ operation: 'download' }, 404, 'Not found.'],
    [{ operation: 'steal', objects: [{}] }, 422, 'The operation is neither download nor upload.'],
    [{ objects: [{}] }, 422, 'The operation is neither download nor upload.'],
    [
      { operation: 'upload', objects: [{}], hash_algo: 'sha512' },
      409,
      'The hash algorithm is not sha256.',
    ],
    [
      { operation: 'upload', objects: Array(1001).fill({}) },
      413,
      'The request asks for too many objects.',
    ],
  ])('refuses a request as a whole', async (body, status, message) => {
    const client = as('owner', world.projects.shut)
    const answer = await client.send('POST', 'info/lfs/objects/batch', body)
    expect([answer.statusCode, answer.json()]).toEqual([status, { message, ...help }])
  })

  it.each(['', '[]', '"x"', '{"operation":', 'null'])('refuses the body %j', async (body) => {
    const client = as('owner', world.projects.shut)
    const answer = await client.send('POST', 'info/lfs/objects/batch', body)
    const message = 'The body is not the JSON object it should be.'
    expect([answer.statusCode, answer.json()]).toEqual([400, { message, ...help }])
  })

  it('costs the same queries for one object and for many', async () => {
    const project = world.projects.shut
    const objects = [await store(project), await store(project), await store(project)]
    const client = as('owner', project)
    const count = (some: object[]) => world.app.count(() => client.batch('download', some))
    await client.batch('download', objects)
    expect(await count(objects)).toEqual(await count(objects.slice(0, 1)))
  })

  it('is off where the project has LFS switched off', async () => {
    const project = await world.newProject({ visibility: 'private' })
    const own = await store(project)
    await set(project, { lfs_enabled: false })
    const off = {
      message: 'Git LFS is not enabled on this Bloomery server, contact your admin.',
      ...help,
    }
    const client = as('owner', project)
    for (const answer of [
      await client.batch('download', [own]),
      await client.batch('upload', [own]),
      await client.download(own.oid),
      await client.upload(own.content),
      await client.send('GET', 'info/lfs/locks'),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([501, off])
    }
    expect((await as('outsider', project).batch('download', [own])).json()).toEqual(notFound)
  })

  it('sends old clients away', async () => {
    const client = as('owner', world.projects.shut)
    const message =
      'Server supports batch API only, please update your Git LFS client to version 1.0.1 and up.'
    for (const answer of [
      await client.send('POST', 'info/lfs/objects', {}),
      await client.send('GET', `info/lfs/objects/${objectOf('x').oid}`),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([501, { message, ...help }])
    }
  })
})

describe('PUT gitlab-lfs/objects/:oid/:size', () => {
  it.each([
    ['open', [401, 403, 403, 403, 200, 200, 200, 200]],
    ['shut', [401, 404, 403, 403, 200, 200, 200, 200]],
  ] as const)('of the %s project answers by role', async (place, expected) => {
    const statuses: number[] = []
    for (const who of everybody) {
      statuses.push((await as(who, world.projects[place as Place]).upload(newContent())).statusCode)
    }
    expect(statuses).toEqual(expected)
  })

  it.each([
    ['other bytes', 'abc', objectOf('abd')],
    ['fewer bytes', 'abc', { ...objectOf('abc'), size: 4 }],
    ['more bytes', 'abc', { ...objectOf('abc'), size: 2 }],
  ])('refuses %s and keeps nothing', async (_, content, object) => {
    const project = await world.newProject()
    const message = 'The bytes sent are not those of the object: their size or SHA-256 is another.'
    const answers = [await as('owner', project).upload(content, object)]
    // The same without a length that tells it beforehand.
    const { full_path } = project
    answers.push(
      await world.app.server.inject({
        method: 'PUT',
        url: `/${full_path}.git/gitlab-lfs/objects/${object.oid}/${object.size}`,
        headers: {
          authorization: basic('x', world.token('owner')),
          host: 'bloomery.test',
          'transfer-encoding': 'chunked',
        },
        payload: Readable.from([Buffer.from(content)]),
      }),
    )
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([422, { message, ...help }])
    }
    expect(existsSync(fileOf(object.oid))).toBe(false)
    expect(incoming()).toEqual([])
    expect((await as('owner', project).download(object.oid)).statusCode).toBe(404)
  })

  it.each(['abc/3', `${'A'.repeat(64)}/3`, `${'a'.repeat(64)}/-1`, `${'a'.repeat(64)}/x`])(
    'refuses %s',
    async (place) => {
      const client = as('owner', world.projects.shut)
      const answer = await client.send('PUT', `gitlab-lfs/objects/${place}`, Buffer.from('abc'))
      const message = 'The oid or the size is none an object can have.'
      expect([answer.statusCode, answer.json()]).toEqual([422, { message, ...help }])
    },
  )

  it('takes an empty object, and one a second time', async () => {
    const project = await world.newProject()
    const client = as('owner', project)
    for (const content of ['', 'twice', 'twice']) {
      expect((await client.upload(content)).statusCode).toBe(200)
      expect((await client.download(objectOf(content).oid)).payload).toBe(content)
    }
  })

  it('mends an object whose file is damaged', async () => {
    const { content, oid } = await store(world.projects.shut)
    rmSync(fileOf(oid))
    await store(world.projects.shut, content)
    expect((await as('owner', world.projects.shut).download(oid)).payload).toBe(content)
  })

  it('counts in the statistics of the project, each object once', async () => {
    const project = await world.newProject()
    await store(project, 'four')
    await store(project, 'four')
    await store(project, 'seven..')
    const answer = await world.as('owner').get(`/projects/${project.id}?statistics=true`)
    const { repository_size, storage_size, lfs_objects_size } = answer.json().statistics
    expect(lfs_objects_size).toBe(11)
    expect(storage_size).toBe(repository_size + 11)
  })
})

describe('an object of another project', () => {
  it('is neither read nor gained by knowing its id', async () => {
    const { oid, size, content } = await store(world.projects.shut)
    const mine = await world.newProject({ group: world.groups.open })
    const client = as('owner', mine)
    expect((await client.download(oid)).statusCode).toBe(404)
    const batch = await client.batch('download', [{ oid, size }])
    expect(batch.json().objects).toEqual([{ oid, size, error: absent }])
    // It has to be sent, though the server has the very bytes.
    const upload = await client.batch('upload', [{ oid, size }])
    expect(upload.json().objects[0].actions).toHaveProperty('upload')
    expect((await client.upload('x'.repeat(size), { oid, size })).statusCode).toBe(422)
    expect((await client.download(oid)).statusCode).toBe(404)
    expect((await as('owner', world.projects.shut).download(oid)).payload).toBe(content)
    expect((await client.upload(content)).statusCode).toBe(200)
    expect((await client.download(oid)).payload).toBe(content)
  })
})

describe('GET gitlab-lfs/objects/:oid', () => {
  it.each([
    ['open', [200, 200, 200, 200, 200, 200, 200, 200]],
    ['shut', [401, 404, 403, 200, 200, 200, 200, 200]],
  ] as const)('of the %s project answers by role', async (place, expected) => {
    const { oid } = await store(world.projects[place as Place])
    const statuses: number[] = []
    for (const who of everybody) {
      statuses.push((await as(who, world.projects[place as Place]).download(oid)).statusCode)
    }
    expect(statuses).toEqual(expected)
  })

  it('answers the bytes', async () => {
    const { oid, content, size } = await store(world.projects.shut)
    const answer = await as('reporter', world.projects.shut).download(oid)
    expect([answer.statusCode, answer.payload]).toEqual([200, content])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-length': String(size),
      'accept-ranges': 'bytes',
      etag: `"${oid}"`,
    })
    const head = await as('reporter', world.projects.shut).send('HEAD', `gitlab-lfs/objects/${oid}`)
    expect([head.statusCode, head.payload, head.headers['content-length']]).toEqual([
      200,
      '',
      String(size),
    ])
  })

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=0-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('answers the range %s with %i', async (range, status, payload, contentRange) => {
    const { oid } = await store(world.projects.shut, '0123456789')
    const answer = await as('owner', world.projects.shut).download(oid, { range })
    expect([answer.statusCode, answer.payload, answer.headers['content-range']]).toEqual([
      status,
      payload,
      contentRange,
    ])
  })

  it('answers a range of something that has changed with the whole', async () => {
    const { oid } = await store(world.projects.shut, '0123456789')
    const client = as('owner', world.projects.shut)
    const part = { range: 'bytes=0-0' }
    expect((await client.download(oid, { ...part, 'if-range': '"x"' })).payload).toBe('0123456789')
    expect((await client.download(oid, { ...part, 'if-range': `"${oid}"` })).payload).toBe('0')
  })

  it.each(['abc', '..%2f..%2fsecret.key', objectOf('never sent').oid])(
    'answers %s with 404',
    async (oid) => {
      const answer = await as('owner', world.projects.shut).download(oid)
      expect([answer.statusCode, answer.json()]).toEqual([404, notFound])
    },
  )

  it('is found under a path the project had before', async () => {
    const project = await world.newProject()
    const { oid, content } = await store(project)
    await world.as('owner').put(`/projects/${project.id}`, { path: `${project.path}-moved` })
    expect((await as('owner', project).download(oid)).payload).toBe(content)
  })
})

describe('the token of a job', () => {
  it('fetches and sends nothing, while the job runs', async () => {
    const project = await newCiProject(world, { build: { script: 'x' } })
    const { content, oid, size } = await store(project)
    const { runner, job } = await takeFirstJob(world, project)
    const authorization = basic('gitlab-ci-token', job.token)
    const client = lfsClient(world, project, { authorization })
    const batch = await client.batch('download', [{ oid, size }])
    expect([batch.statusCode, batch.json()]).toEqual([
      200,
      {
        transfer: 'basic',
        objects: [
          {
            oid,
            size,
            // Without an `Authorization`: the client signs in as for the batch.
            actions: {
              download: {
                href: `http://bloomery.test/${project.full_path}.git/gitlab-lfs/objects/${oid}`,
                header: {},
              },
            },
          },
        ],
      },
    ])
    expect((await client.download(oid)).payload).toBe(content)
    expect((await client.batch('upload', [objectOf('new')])).statusCode).toBe(403)
    expect((await client.upload('new')).statusCode).toBe(403)
    await runner.end(job, 'success')
    expect((await client.batch('download', [{ oid, size }])).statusCode).toBe(401)
    expect((await client.download(oid)).statusCode).toBe(401)
  })
})

describe('an LFS token', () => {
  const tools = () => ({ secretKey: world.app.secretKey, clock: world.app.clock.now })
  const callerWith = (token: string) =>
    authenticatePersonalToken(world.app.db, world.app.clock.now, token)
  const clientWith = (project: Project, authorization: string) =>
    lfsClient(world, project, { authorization })

  it('out of a batch answer sends and fetches, and nothing else', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const content = newContent()
    const batch = await as('developer', project).batch('upload', [objectOf(content)])
    const { upload } = batch.json().objects[0].actions
    const signed = clientWith(project, upload.header.Authorization)
    expect((await signed.send('PUT', upload.href, Buffer.from(content))).statusCode).toBe(200)
    expect((await signed.download(objectOf(content).oid)).payload).toBe(content)
    // Neither git nor the API takes it.
    const refs = await signed.send('GET', 'info/refs?service=git-upload-pack')
    expect(refs.statusCode).toBe(401)
    const [, password] = credentialsOf(upload)
    expect((await world.app.client(password).get('/user')).statusCode).toBe(401)
  })

  it('for downloading sends nothing, and is good for one project', async () => {
    const [project, other] = [world.projects.shut, world.projects.inside]
    const { oid, size, content } = await store(project)
    await store(other, content)
    const batch = await as('owner', project).batch('download', [{ oid, size }])
    const { Authorization } = batch.json().objects[0].actions.download.header
    const signed = clientWith(project, Authorization)
    expect((await signed.download(oid)).statusCode).toBe(200)
    expect((await signed.upload(newContent())).statusCode).toBe(403)
    expect((await clientWith(other, Authorization).download(oid)).statusCode).toBe(404)
  })

  it('ends after half an hour, and is good for nothing when it was changed', async () => {
    const project = await world.newProject()
    const { oid } = await store(project)
    const { id, username } = world.users.owner
    const actor = await callerWith(world.token('owner'))
    const { token } = createLfsToken(tools(), {
      holder: actor,
      project_id: project.id,
      operation: 'download',
    })
    const status = async (text: string, name = username) =>
      (await clientWith(project, basic(name, text)).download(oid)).statusCode
    expect(await status(token)).toBe(200)
    expect(await status(token, 'somebody-else')).toBe(401)
    expect(await status(token.replace('download', 'upload'))).toBe(401)
    expect(await status(token.replace(`user-${id}`, `user-${id + 1}`))).toBe(401)
    expect(await status(token.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(401)
    world.app.clock.advance(30 * 60_000 - 1000)
    expect(await status(token)).toBe(200)
    world.app.clock.advance(1000)
    expect(await status(token)).toBe(401)
  })

  it('ends with the token it was made by, and renews itself for an hour', async () => {
    const project = await world.newProject()
    const { oid, size } = await store(project)
    const { user, client } = await world.newUser()
    const member = { user_id: user.id, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    const fields = { name: 'ci', scopes: ['read_repository'] }
    const made = (await client.post('/user/personal_access_tokens', fields)).json()
    type Links = ReturnType<typeof clientWith>
    const renew = async (links: Links) => {
      const { actions } = (await links.batch('download', [{ oid, size }])).json().objects[0]
      const { header, expires_in } = actions.download
      return { links: clientWith(project, header.Authorization), expires_in }
    }
    const first = await renew(clientWith(project, basic('any', made.token)))
    expect(first.expires_in).toBe(1800)
    world.app.clock.advance(29 * 60_000)
    const second = await renew(first.links)
    expect(second.expires_in).toBe(1800)
    world.app.clock.advance(29 * 60_000)
    const third = await renew(second.links)
    expect(third.expires_in).toBe(120)
    expect((await third.links.download(oid)).statusCode).toBe(200)
    const fresh = await renew(clientWith(project, basic('any', made.token)))
    await client.delete(`/personal_access_tokens/${made.id}`)
    for (const { links } of [third, fresh]) {
      expect((await links.download(oid)).statusCode).toBe(401)
      expect((await links.batch('download', [{ oid, size }])).statusCode).toBe(401)
    }
  })

  it('made by a password or an SSH key ends with it', async () => {
    const project = await world.newProject()
    const { oid } = await store(project)
    const { user, client } = await world.newUser({
      password_digest: await hashPassword('correct horse battery'),
    })
    await world.as('owner').post(`/projects/${project.id}/members`, {
      user_id: user.id,
      access_level: 30,
    })
    const key = { title: 'k', key: newKeyPair().public }
    const { id } = (await client.post('/user/keys', key)).json()
    const byPassword = clientWith(project, basic(user.username, 'correct horse battery'))
    const batch = await byPassword.batch('upload', [objectOf(newContent())])
    const { Authorization } = batch.json().objects[0].actions.upload.header
    const { header } = createLfsAuthentication(tools(), {
      holder: { user: actorUserFromUser(user), token: undefined, key: { id } },
      project,
      operation: 'download',
      baseUrl: 'http://bloomery.test',
    })
    const statuses = () =>
      Promise.all(
        [Authorization, header.Authorization].map(
          async (text) => (await clientWith(project, text).download(oid)).statusCode,
        ),
      )
    expect(await statuses()).toEqual([200, 200])
    await client.delete(`/user/keys/${id}`)
    expect(await statuses()).toEqual([200, 401])
    await world.as('admin').put(`/users/${user.id}`, { password: 'another long one' })
    expect(await statuses()).toEqual([401, 401])
  })

  it('of somebody who was blocked, or left the project, is good for nothing', async () => {
    const project = await world.newProject()
    const { oid } = await store(project)
    const { user, token } = await world.newUser()
    const member = { user_id: user.id, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    const holder = await callerWith(token)
    const { header } = createLfsAuthentication(tools(), {
      holder,
      project,
      operation: 'upload',
      baseUrl: 'http://bloomery.test',
    })
    const client = clientWith(project, header.Authorization)
    expect((await client.download(oid)).statusCode).toBe(200)
    const { db } = world.app
    const setState = (state: 'active' | 'blocked') =>
      db.updateTable('users').set({ state }).where('id', '=', user.id).execute()
    await setState('blocked')
    const blocked = await client.download(oid)
    expect([blocked.statusCode, blocked.json()]).toEqual([
      403,
      { message: 'Your account has been blocked.', ...help },
    ])
    await setState('active')
    await world.as('owner').delete(`/projects/${project.id}/members/${user.id}`)
    expect((await client.download(oid)).statusCode).toBe(404)
  })

  it('of a deploy key reads or writes its project, but locks nothing', async () => {
    const project = await world.newProject()
    const { oid, content } = await store(project)
    const keys = `/projects/${project.id}/deploy_keys`
    const key = { title: 'k', key: newKeyPair().public }
    const { id } = (await world.as('maintainer').post(keys, key)).json() as { id: number }
    const signIn = (operation: 'download' | 'upload', deploy_key_id = id) =>
      createLfsAuthentication(tools(), {
        holder: { ...anonymous, key: { id: deploy_key_id } },
        project,
        operation,
        baseUrl: 'http://bloomery.test',
      })
    expect(signIn('download')).toEqual({
      href: `http://bloomery.test/${project.full_path}.git/info/lfs`,
      header: { Authorization: expect.stringMatching(/^Basic /) },
      expires_in: 1800,
    })
    const reader = clientWith(project, signIn('download').header.Authorization)
    const batch = await reader.batch('download', [{ oid, size: content.length }])
    expect(credentialsOf(batch.json().objects[0].actions.download)[0]).toBe(`lfs+deploy-key-${id}`)
    expect((await reader.download(oid)).payload).toBe(content)
    expect((await reader.upload(newContent())).statusCode).toBe(403)
    const writer = clientWith(project, signIn('upload').header.Authorization)
    expect((await writer.upload(newContent())).statusCode).toBe(403)
    await world.as('maintainer').put(`${keys}/${id}`, { can_push: true })
    expect((await writer.upload(newContent())).statusCode).toBe(200)
    expect((await writer.send('POST', 'info/lfs/locks', { path: 'a' })).statusCode).toBe(403)
    await set(project, { archived: true })
    expect((await writer.upload(newContent())).statusCode).toBe(403)
    expect((await writer.download(oid)).statusCode).toBe(200)
    const stranger = clientWith(project, signIn('download', id + 1000).header.Authorization)
    expect((await stranger.download(oid)).statusCode).toBe(401)
    await world.as('maintainer').delete(`${keys}/${id}`)
    expect((await reader.download(oid)).statusCode).toBe(401)
  })
})

describe('what is near the LFS server', () => {
  it.each([
    ['PUT', 'info/refs'],
    ['PUT', 'git-upload-pack'],
    ['GET', 'info/lfs'],
    ['GET', 'gitlab-lfs/objects/a/b/c'],
    ['POST', 'info/lfs/locks/x/unlock'],
    ['PUT', 'info/lfs/objects/batch'],
  ] as const)('%s %s is not there', async (method, path) => {
    const answer = await as('owner', world.projects.shut).send(method, path)
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: '404 Not Found' }])
  })

  it('keeps broken percent signs from doing harm', async () => {
    const answer = await world.app.server.inject({ method: 'GET', url: '/%zz.git/info/lfs/locks' })
    expect(answer.statusCode).toBe(404)
  })
})
