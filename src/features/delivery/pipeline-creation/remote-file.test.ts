import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../../kernel/ip-addresses.ts'
import { fetchRemoteConfigFile } from './remote-file.ts'

let server: Server
let base: string
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/moved') return response.writeHead(302, { location: '/file.yml' }).end()
    if (request.url === '/round') return response.writeHead(302, { location: '/round' }).end()
    if (request.url === '/huge') return response.end(Buffer.alloc(3 * 1024 * 1024, 'x'))
    if (request.url === '/file.yml') return response.end('job: { script: x }')
    return response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const read = (url: string, remoteIncludes: 'off' | 'public' | 'any') =>
  fetchRemoteConfigFile({ remoteIncludes } as Parameters<typeof fetchRemoteConfigFile>[0], url)

describe('A remote file', () => {
  it.each([
    ['not asked for', 'off', 'remote files are switched off'],
    ['not asked for at an address of our own', 'public', 'its address is not public'],
  ] as const)('is %s where remote files are %s', async (_what, setting, reason) => {
    const url = `${base}/file.yml`
    expect(await read(url, setting)).toEqual({
      problem: `Remote file \`${url}\` could not be fetched: ${reason}.`,
    })
  })

  it('is not asked for by a name that leads to such an address', async () => {
    const url = `${base.replace('127.0.0.1', 'localhost')}/file.yml`
    expect(await read(url, 'public')).toMatchObject({
      problem: expect.stringContaining('its address is not public'),
    })
  })

  it('is read, and followed where it has moved', async () => {
    expect(await read(`${base}/file.yml`, 'any')).toEqual({ text: 'job: { script: x }' })
    expect(await read(`${base}/moved`, 'any')).toEqual({ text: 'job: { script: x }' })
  })

  it.each([
    ['/none', 'it was answered with 404'],
    ['/huge', 'it is too large'],
    ['/round', 'it was sent on too often'],
  ])('is refused at %s', async (path, reason) => {
    expect(await read(`${base}${path}`, 'any')).toMatchObject({
      problem: expect.stringContaining(reason),
    })
  })

  it('has a web address', async () => {
    expect(await read('file:///etc/passwd', 'any')).toMatchObject({
      problem: expect.stringContaining('it has no web address'),
    })
  })
})

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['::7f00:1', false],
  ['::127.0.0.1', false],
  ['::ffff:0:7f00:1', false],
  ['10.1.2.3', false],
  ['169.254.169.254', false],
  ['fd00::1', false],
  ['0.0.0.0', false],
  ['no address', false],
])('says of %s whether it is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})
