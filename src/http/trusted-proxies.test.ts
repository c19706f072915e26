// Who a client is and how the server was reached, told by proxies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp, type TestApp } from '../../test/kit/app.ts'

let behind: TestApp
let direct: TestApp
beforeAll(async () => {
  behind = await startApp({ BLOOMERY_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8', BLOOMERY_URL: '' })
  direct = await startApp({ BLOOMERY_URL: '' })
})
afterAll(async () => {
  await behind.close()
  await direct.close()
})

const spoofed = '203.0.113.66'
const client = '203.0.113.7'

/** Signs in as root and answers the address that is noted of it. */
async function addressNoted(app: TestApp, remoteAddress: string, forwarded: string) {
  const payload = { login: 'root', password: 'the password of root' }
  const headers = { 'x-forwarded-for': forwarded, host: 'bloomery.test' }
  const answer = await app.server.inject({
    method: 'POST',
    url: '/api/v4/session',
    headers,
    payload,
    remoteAddress,
  })
  expect(answer.statusCode).toBe(201)
  expect(app.log.at(-1)).toMatchObject({ ip: (await signedIn(app)).current_sign_in_ip })
  return (await signedIn(app)).current_sign_in_ip
}

async function signedIn(app: TestApp) {
  const before = app.log.length
  const root = (await app.client(rootToken).get('/users/1')).json()
  app.log.splice(before)
  return root
}

describe('the address of a client', () => {
  it.each([
    ['127.0.0.1', client, client],
    ['10.1.2.3', client, client],
    ['127.0.0.1', `${spoofed}, ${client}`, client],
    ['127.0.0.1', `${spoofed}, ${client}, 10.1.2.3`, client],
    ['198.51.100.1', spoofed, '198.51.100.1'],
  ])('is, from %s and forwarded for %s, %s', async (from, forwarded, noted) => {
    expect(await addressNoted(behind, from, forwarded)).toBe(noted)
  })

  it('is whoever sends the request, where no proxy is trusted', async () => {
    expect(await addressNoted(direct, '127.0.0.1', spoofed)).toBe('127.0.0.1')
  })

  it('is what is barred after too many failures, and no other behind the same proxy', async () => {
    const guess = async (forwarded: string) => {
      const answer = await behind.server.inject({
        method: 'POST',
        url: '/api/v4/session',
        headers: { 'x-forwarded-for': forwarded },
        payload: { login: 'nobody', password: 'a guess' },
      })
      return answer.statusCode
    }
    const guesses = []
    for (let i = 0; i < 20; i++) guesses.push(await guess('203.0.113.99'))
    expect(new Set(guesses)).toEqual(new Set([401]))
    expect(await guess('203.0.113.99')).toBe(403)
    expect(await guess('203.0.113.100')).toBe(401)
  })
})

describe('the URLs of records', () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'code.example:8443' }
  const webUrl = async (app: TestApp, remoteAddress: string, headers: Record<string, string>) => {
    const answer = await app.server.inject({
      method: 'GET',
      url: '/api/v4/user',
      headers: { host: 'inner.test', 'private-token': rootToken, ...headers },
      remoteAddress,
    })
    return answer.statusCode === 200 ? answer.json().web_url : answer.json()
  }

  it.each([
    ['a trusted proxy', '10.0.0.9', forwarded, 'https://code.example:8443/root'],
    [
      'a trusted proxy that names the scheme alone',
      '10.0.0.9',
      { 'x-forwarded-proto': 'https' },
      'https://inner.test/root',
    ],
    ['somebody else', '198.51.100.1', forwarded, 'http://inner.test/root'],
    [
      'a trusted proxy that passes on what is no host',
      '10.0.0.9',
      { 'x-forwarded-host': 'x.test/<script>', 'x-forwarded-proto': 'javascript' },
      { message: '400 Bad request - invalid Host header' },
    ],
  ])('follow what %s says', async (_who, from, headers, expected) => {
    expect(await webUrl(behind, from, headers)).toEqual(expected)
  })

  it('follow the request itself, where no proxy is trusted', async () => {
    expect(await webUrl(direct, '127.0.0.1', forwarded)).toBe('http://inner.test/root')
  })
})
