// What one caller sends keeps nobody else waiting: the server really listens, and the caller does what no
// client would.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/kernel/limits.ts'
import { startApp, type TestApp } from '../kit/app.ts'
import { newPasswordUser, testPassword } from '../kit/session.ts'
import { newWorld, type World } from '../kit/world.ts'

const body_ms = 500
let app: TestApp
let world: World
let port: number
beforeAll(async () => {
  app = await startApp({}, { body_ms })
  world = await newWorld(app)
  await app.server.listen({ port: 0 })
  port = (app.server.server.address() as AddressInfo).port
})
afterAll(() => app.close())

const megabyte = 1024 * 1024

/** Begins a request by hand; the answer is told once the server has closed the connection or said enough. */
async function begin(
  url: string,
  headers: Record<string, string | number>,
): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const lines = Object.entries({ host: 'bloomery.test', ...headers }).map(([k, v]) => `${k}: ${v}`)
  socket.write(`POST /api/v4${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  const answer = Promise.race([once(socket, 'data'), once(socket, 'close')]).then(() => text)
  return { socket, answer }
}

const statusOf = (answer: string) => Number(answer.split(' ')[1])

async function tokenOf(scopes: string[]): Promise<string> {
  const made = await world
    .as('developer')
    .post('/user/personal_access_tokens', { name: 't', scopes })
  return made.json().token
}

describe('a large body', () => {
  it.each([
    ['whose token covers less', ['read_user'], 'shut', 403],
    ['to what there is not', ['api'], 'none', 404],
    ['to a project of others', ['api'], 'hidden', 404],
  ] as const)(
    'of somebody %s is answered before it is sent',
    async (_what, scopes, where, status) => {
      const token = await tokenOf([...scopes])
      const hidden = await world.newProject({ group: await world.newGroup() })
      const id = { shut: world.projects.shut.id, none: 999_999, hidden: hidden.id }[where]
      const { socket, answer } = await begin(`/projects/${id}/repository/commits`, {
        'private-token': token,
        'content-type': 'application/json',
        'content-length': 60 * megabyte,
      })
      expect(statusOf(await answer)).toBe(status)
      socket.destroy()
    },
  )

  it('of somebody who may not push is answered once it goes beyond its beginning', async () => {
    const { socket, answer } = await begin(
      `/projects/${world.projects.open.id}/repository/commits`,
      {
        'private-token': world.token('reporter'),
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      },
    )
    const bytes = limits.unsettled_body_bytes + 1000
    socket.write(`${bytes.toString(16)}\r\n{"actions":[${' '.repeat(bytes - 12)}\r\n`)
    expect(statusOf(await answer)).toBe(403)
    socket.destroy()
  })

  it('is refused for its nesting while it comes', async () => {
    const url = `/projects/${world.projects.open.id}/repository/commits`
    const { socket, answer } = await begin(url, {
      'private-token': world.token('developer'),
      'content-type': 'application/json',
      'content-length': 60 * megabyte,
    })
    socket.write(`{"actions":${'['.repeat(limits.unsettled_body_bytes * 2)}`)
    const text = await answer
    expect(statusOf(text)).toBe(400)
    expect(text).toContain('parameters are nested too deeply')
    socket.destroy()
  })

  it('of many small actions is refused without having been kept', async () => {
    const url = `/projects/${world.projects.open.id}/repository/commits`
    const before = process.memoryUsage().rss
    const { socket, answer } = await begin(url, {
      'private-token': world.token('developer'),
      'content-type': 'application/json',
      'content-length': 60 * megabyte,
    })
    const piece = '{},'.repeat(20_000)
    socket.write('{"actions":[')
    for (let sent = 0; sent < 60 * megabyte && socket.writable; sent += piece.length) {
      if (!socket.write(piece)) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(await answer).toContain('too many parameters')
    socket.destroy()
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * megabyte)
  })

  it('of a large file becomes the file, which is not there many times over meanwhile', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const url = `http://127.0.0.1:${port}/api/v4/projects/${project.id}/repository/files/large`
    const headers = { 'private-token': world.token('owner') }
    const piece = Buffer.alloc(96 * 1024, 'Bloomery ').toString('base64')
    const pieces = 768
    async function* body() {
      yield Buffer.from('{"branch":"main","commit_message":"m","encoding":"base64","content":"')
      for (let sent = 0; sent < pieces; sent++) yield Buffer.from(piece)
      yield Buffer.from('"}')
    }
    const before = process.memoryUsage().rss
    let most = before
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 5)
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: ReadableStream.from(body()),
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(201)
    const record = await fetch(`${url}?ref=main`, { headers })
    let characters = 0
    let end = ''
    for await (const chunk of record.body ?? []) {
      characters += chunk.length
      end = (end + Buffer.from(chunk).toString('latin1')).slice(-100)
    }
    clearInterval(timer)
    expect(Number(record.headers.get('content-length'))).toBe(characters)
    expect(end).toBe(`${piece.slice(-98)}"}`)
    // As text, decoded, and what the allocator keeps; it was there seven times.
    const sent = (piece.length * pieces) / megabyte
    expect((most - before) / megabyte).toBeLessThan(4 * sent)
  })
})

describe('bodies that never end', () => {
  it('of strangers are given up in time, every one of them', async () => {
    const callers = await Promise.all(
      Array.from({ length: 100 }, () =>
        begin('/session', { 'content-type': 'application/json', 'content-length': 1000 }),
      ),
    )
    for (const { socket } of callers) socket.write('{"login":')
    const answers = await Promise.all(callers.map(({ answer }) => answer))
    expect(new Set(answers.map(statusOf))).toEqual(new Set([408]))
    await Promise.all(callers.map(({ socket }) => socket.destroyed || once(socket, 'close')))
  })

  it('are no faults in the log, nor are clients that go away', async () => {
    const { socket } = await begin('/session', {
      'content-type': 'application/json',
      'content-length': 1000,
    })
    const before = app.log.length
    socket.write('{"login":')
    socket.destroy()
    const requests = () => app.log.slice(before).filter(({ msg }) => msg === 'request')
    while (requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(app.log.filter(({ msg }) => msg === 'fault')).toEqual([])
    expect(requests()).toMatchObject([{ status: 499 }])
  })
})

describe('a right password', () => {
  it.each(['one name', 'many names'])('is taken beside 250 wrong ones of %s', async (names) => {
    const { user } = await newPasswordUser(world)
    const signIn = (login: string, password: string) =>
      app.server.inject({ method: 'POST', url: '/api/v4/session', payload: { login, password } })
    let settled = 0
    const wrong = Array.from({ length: 250 }, async (_, index) => {
      const login = names === 'one name' ? 'somebody' : `somebody-${index}`
      const { statusCode, headers } = await signIn(login, 'a wrong password')
      if (statusCode !== 401) expect(headers['retry-after']).toBe('5')
      settled++
      return statusCode
    })
    const answer = await signIn(user.username, testPassword)
    expect(answer.statusCode).toBe(201)
    // Few were compared before it: those refused at once cost nothing.
    const refusals = await Promise.all(wrong)
    expect(refusals.filter((status) => status === 429 || status === 503).length).toBeGreaterThan(
      150,
    )
    expect(settled).toBe(250)
  })

  it('is not asked for of an address that is barred, whose turn has not come yet', async () => {
    const post = (index: number) =>
      app.server.inject({
        method: 'POST',
        url: '/api/v4/session',
        remoteAddress: '203.0.113.77',
        payload: { login: `nobody-${index}`, password: 'wrong' },
      })
    const statuses = await Promise.all(Array.from({ length: 50 }, (_, index) => post(index)))
    const count = (status: number) =>
      statuses.filter(({ statusCode }) => statusCode === status).length
    expect(count(401)).toBe(20)
    expect(count(403)).toBe(30)
  })
})
