import { beforeAll, describe, expect, it } from 'vitest'
import { multipart, png } from '../../../../test/kit/form.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { insertPersonalToken } from '../../people/tokens/token.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function upload(
  project: { id: number },
  filename: string,
  {
    content = Buffer.from('some text') as Buffer,
    who = 'guest' as Parameters<World['as']>[0],
  } = {},
) {
  const { body, options } = multipart({ file: { filename, content } })
  return world.as(who).post(`/projects/${project.id}/uploads`, body, options)
}

/** A page outside of the API. */
function page(path: string, { token, ...headers }: Record<string, string | undefined> = {}) {
  const given = Object.entries({ 'private-token': token, ...headers }).filter(([, value]) => value)
  return world.app.server.inject({
    url: path,
    headers: { host: 'bloomery.test', ...Object.fromEntries(given) },
  })
}

const secret = expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\//)

describe('POST /projects/:id/uploads', () => {
  it.each([
    ['dk.png', 'dk.png', '![dk]'],
    ['test.txt', 'test.txt', '[test.txt]'],
    ['a film.MP4', 'a_film.MP4', '![a_film]'],
    ['drawing.svg', 'drawing.svg', '![drawing]'],
    ['Größe [1] (2)+-_.tar.gz', 'Größe__1___2_+-_.tar.gz', '[Größe__1___2_+-_.tar.gz]'],
    ['..', '_', '[_]'],
  ])('keeps %s as %s', async (given, kept, link) => {
    const { open } = world.projects
    const answer = await upload(open, given)
    const { url } = answer.json()
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      {
        alt: link.replace(/^!?\[(.*)\]$/, '$1'),
        url: secret,
        full_path: `/${open.full_path}${url}`,
        markdown: `${link}(${url})`,
      },
    ])
    expect(url.endsWith(`/${kept}`)).toBe(true)
  })

  it('wants a file', async () => {
    const url = `/projects/${world.projects.open.id}/uploads`
    const none = await world.as('guest').post(url)
    expect([none.statusCode, none.json()]).toEqual([400, { error: 'file is missing' }])
    const { body, options } = multipart({ file: 'a text' })
    const text = await world.as('guest').post(url, body, options)
    expect([text.statusCode, text.json()]).toEqual([400, { error: 'file is invalid' }])
  })

  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'shut', 404],
    ['outsider', 'open', 201],
    ['guest', 'shut', 201],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    expect((await upload(world.projects[place], 'a.txt', { who })).statusCode).toBe(status)
  })

  it('ends at the largest attachment there may be', async () => {
    const content = Buffer.alloc(10 * 1024 * 1024 + 1)
    const answer = await upload(world.projects.open, 'big.bin', { content })
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      { message: '413 Request Entity Too Large' },
    ])
    const size = (max_attachment_size: number) =>
      world.as('admin').put('/application/settings', { max_attachment_size })
    await size(11)
    expect((await upload(world.projects.open, 'big.bin', { content })).statusCode).toBe(201)
    await size(10)
  })
})

describe('An uploaded file', () => {
  it.each([
    ['a.png', 'image/png', 'inline'],
    ['a.mp4', 'video/mp4', 'inline'],
    ['a.html', 'application/octet-stream', 'attachment'],
    ['a.svg', 'application/octet-stream', 'attachment'],
    ['a.txt', 'application/octet-stream', 'attachment'],
  ])('%s is served as %s, %s', async (name, type, disposition) => {
    const { url, full_path } = (await upload(world.projects.open, name, { content: png() })).json()
    for (const path of [full_path, `/-/project/${world.projects.open.id}${url}`]) {
      const answer = await page(path)
      expect([answer.statusCode, answer.rawPayload]).toEqual([200, png()])
      expect(answer.headers).toMatchObject({
        'content-type': type,
        'content-disposition': `${disposition}; filename="${name}"; filename*=UTF-8''${name}`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, must-revalidate, max-age=0',
      })
    }
  })

  it('is sent in the range asked for', async () => {
    const { full_path } = (await upload(world.projects.open, 'a.txt')).json()
    const some = await page(full_path, { range: 'bytes=5-' })
    expect([some.statusCode, some.body, some.headers['content-range']]).toEqual([
      206,
      'text',
      'bytes 5-8/9',
    ])
    const none = await page(full_path, { range: 'bytes=9-' })
    expect([none.statusCode, none.headers['content-range']]).toEqual([416, 'bytes */9'])
  })

  it('of a private project is there for its readers alone', async () => {
    const { full_path } = (await upload(world.projects.shut, 'a.png')).json()
    const unknown = { error: '404 Not Found' }
    for (const token of [undefined, world.token('outsider')]) {
      const answer = await page(full_path, { token })
      expect([answer.statusCode, answer.json()]).toEqual([404, unknown])
    }
    expect((await page(full_path, { token: world.token('guest') })).body).toBe('some text')
    const { text: token } = await insertPersonalToken(world.app.db, world.app.clock.now, {
      user_id: world.users.guest.id,
      name: 'git',
      scopes: ['read_repository'],
      expires_at: null,
    })
    expect((await page(full_path, { token })).statusCode).toBe(403)
    const other = full_path.replace(/[0-9a-f]{32}/, '0'.repeat(32))
    expect((await page(other, { token: world.token('guest') })).statusCode).toBe(404)
  })

  it('is listed, sent and removed through the API', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}/uploads`
    const [, , address, name] = (await upload(project, 'a.txt')).json().url.split('/')
    await upload(project, 'b.txt', { who: 'owner' })
    const { statusCode, body } = await world.as('maintainer').get(url)
    const { guest } = world.users
    const record = {
      id: expect.any(Number),
      size: 9,
      filename: 'a.txt',
      created_at: '2026-03-01T12:00:00.000Z',
      uploaded_by: { id: guest.id, name: guest.name, username: guest.username },
    }
    const list = JSON.parse(body)
    expect([statusCode, list]).toEqual([
      200,
      [expect.objectContaining({ filename: 'b.txt' }), record],
    ])
    const [newer, older] = list
    expect((await world.as('maintainer').get(`${url}/${older.id}`)).body).toBe('some text')
    expect((await world.as('guest').get(`${url}/${address}/${name}`)).body).toBe('some text')
    const ofAnother = `/projects/${world.projects.open.id}/uploads`
    for (const path of [`${ofAnother}/${older.id}`, `${ofAnother}/${address}/${name}`]) {
      expect((await world.as('maintainer').get(path)).statusCode).toBe(404)
      expect((await world.as('maintainer').delete(path)).statusCode).toBe(404)
    }
    expect((await world.as('guest').get(`${url}/${address}/b.txt`)).statusCode).toBe(404)
    for (const path of [`${url}/${older.id}`, `${url}/${address}/${name}`]) {
      const refused = await world.as('developer').delete(path)
      expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    expect((await world.as('maintainer').delete(`${url}/${address}/${name}`)).statusCode).toBe(204)
    expect((await world.as('maintainer').delete(`${url}/${newer.id}`)).statusCode).toBe(204)
    const gone = await world.as('maintainer').get(`${url}/${newer.id}`)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not Found' }])
    expect((await world.as('developer').get(url)).statusCode).toBe(403)
    expect((await world.as('anonymous').get(url)).statusCode).toBe(401)
  })

  it('goes with its project, and its bytes with it', async () => {
    const project = await world.newProject()
    await upload(project, 'a.txt')
    const kept = (await upload(world.projects.open, 'kept.txt')).json()
    const { blob } = await world.app.db
      .selectFrom('uploads')
      .select('blob')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    await world.as('owner').delete(`/projects/${project.id}`)
    await world.app.worker.drain()
    const tasks = await world.app.db
      .selectFrom('tasks')
      .select('id')
      .where('key', '=', blob)
      .execute()
    expect(tasks).toEqual([])
    const rows = await world.app.db
      .selectFrom('uploads')
      .select('id')
      .where('blob', '=', blob)
      .execute()
    expect(rows).toEqual([])
    expect((await page(kept.full_path)).body).toBe('some text')
  })
})
