import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { newObject } from '../../../git/write.ts'
import type { Project } from '../../../subjects/project.ts'

const text = 'ünïcode\n'
const binary = Buffer.from([0, 1, 2, 255])
const large = randomBytes(3 * 1024 * 1024)
const idOf = (content: string | Buffer) => newObject('blob', Buffer.from(content)).oid

let world: World
let project: Project
let commit: string
beforeAll(async () => {
  world = await newWorld()
  const files = { text, 'image.png': binary, large, empty: '' }
  project = await world.newProject()
  commit = await world.commit(project, files)
})

const urlOf = (where: Project, sha: string, more = '') =>
  `/projects/${where.id}/repository/blobs/${sha}${more}`
const get = (sha: string, more = '') => world.as('reporter').get(urlOf(project, sha, more))

describe.each(['', '/raw'])('GET /projects/:id/repository/blobs/:sha%s', (more) => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(urlOf(world.projects[place], idOf('# Readme\n'), more))
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Project Not Found' })
    if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
  })

  it('finds nothing but blobs, by nothing but their full names', async () => {
    const wrong = ['0'.repeat(40), commit, idOf(text).slice(0, 10), 'main', '-x', 'main:text']
    for (const sha of wrong) {
      const answer = await get(encodeURIComponent(sha), more)
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Blob Not Found' }])
    }
  })

  it('does not find a blob of another project', async () => {
    const answer = await world.as('reporter').get(urlOf(world.projects.shut, idOf(large), more))
    expect(answer.statusCode).toBe(404)
  })
})

describe('GET /projects/:id/repository/blobs/:sha', () => {
  it.each([
    ['text', text],
    ['binary', binary],
    ['large', large],
    ['empty', ''],
  ])('answers the whole record of a %s blob', async (_, content) => {
    const bytes = Buffer.from(content)
    const answer = await get(idOf(bytes))
    expect(answer.json()).toEqual({
      size: bytes.length,
      encoding: 'base64',
      content: bytes.toString('base64'),
      sha: idOf(bytes),
    })
  })
})

describe('GET /projects/:id/repository/blobs/:sha/raw', () => {
  it.each([
    ['text', text, 'text/plain; charset=utf-8'],
    ['binary', binary, 'application/octet-stream'],
    ['large', large, 'application/octet-stream'],
    ['empty', '', 'text/plain; charset=utf-8'],
  ])('answers a %s blob as it is', async (_, content, type) => {
    const bytes = Buffer.from(content)
    const answer = await get(idOf(bytes), '/raw')
    expect(answer.rawPayload.equals(bytes)).toBe(true)
    const headers = {
      'content-type': type,
      'content-length': String(bytes.length),
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=0, private, must-revalidate, no-store, no-cache',
      pragma: 'no-cache',
      expires: 'Fri, 01 Jan 1990 00:00:00 GMT',
      etag: `W/"${idOf(bytes)}"`,
    }
    expect(answer.headers).toMatchObject(headers)
    const head = await world.as('reporter').head(urlOf(project, idOf(bytes), '/raw'))
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers).toMatchObject({ 'content-type': type, 'content-disposition': 'inline' })
  })
})
