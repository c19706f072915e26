// Pages of very long texts: a caller who does not read them keeps nobody else waiting, and has one of them in the
// memory of the server.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../test/kit/app.ts'
import { newWorld, type World } from '../../test/kit/world.ts'

let world: World
let port: number
beforeAll(async () => {
  const app = await startApp()
  world = await newWorld(app)
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.server.address() as AddressInfo).port
})

/** More than the sockets of both sides hold, so that a response to a client that reads nothing stays in the server. */
const notes = 20
const text = 'All the same. '.repeat(70_000)

/** Requests an address and reads nothing of the response. Resolves when the response has begun. */
async function requestWithoutReading(path: string, token: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET /api/v4${path} HTTP/1.1\r\nhost: x\r\nprivate-token: ${token}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

describe('a page of very long texts', () => {
  it('has the other reads of its caller wait until it was sent, and nobody else', async () => {
    const project = await world.newProject({ group: world.groups.open })
    const url = `/projects/${project.id}/issues`
    await world.as('reporter').post(url, { title: 'Long' })
    for (let at = 0; at < notes; at++) {
      const made = await world.as('reporter').post(`${url}/1/notes`, { body: text })
      expect(made.statusCode).toBe(201)
    }
    const page = `${url}/1/notes?per_page=${notes}`
    const socket = await requestWithoutReading(page, world.token('reporter'))
    const settled: string[] = []
    const own = world.as('reporter').get(`${url}/1`)
    own.then(() => settled.push('own'))
    for (const who of ['developer', 'guest', 'developer'] as const) {
      expect((await world.as(who).get(`${url}/1`)).json().title).toBe('Long')
      settled.push(who)
    }
    expect(settled).toEqual(['developer', 'guest', 'developer'])
    // A write of the caller does not wait either.
    const written = await world.as('reporter').put(`${url}/1`, { title: 'Longer' })
    expect(written.json().title).toBe('Longer')
    expect(settled).not.toContain('own')
    socket.destroy()
    expect((await own).statusCode).toBe(200)
  })

  it('is answered to several requests of a caller, one after the other', async () => {
    const project = await world.newProject({ group: world.groups.open })
    const url = `/projects/${project.id}/issues`
    await world.as('reporter').post(url, { title: 'Long' })
    for (let at = 0; at < 6; at++) await world.as('reporter').post(`${url}/1/notes`, { body: text })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.as('reporter').get(`${url}/1/notes`)),
    )
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toHaveLength(6)
    }
  })
})
