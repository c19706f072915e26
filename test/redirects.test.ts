// Nothing a stranger writes into a link of ours sends a browser to another server: each place that redirects, with a
// table of targets that are not what they look like.
import { beforeAll, describe, expect, it } from 'vitest'
import { findRedirectLocation, isLocalRedirect } from '../src/http/redirect.ts'
import { sameOriginUrl } from '../web/ui/same-origin-url.ts'
import { newPasswordUser, testPassword } from './kit/session.ts'
import { newWorld, type World } from './kit/world.ts'

const origin = 'http://bloomery.test'

const hostile = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/\t\\evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/\\evil.example',
  'HTTPS:////evil.example',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  '@evil.example',
  '.evil.example',
  ':80@evil.example',
  'http://bloomery.test@evil.example',
  'http://bloomery.test.evil.example',
]

describe('The functions that send on', () => {
  it.each(hostile)('refuse %j', (target) => {
    expect(isLocalRedirect(target, origin)).toBe(false)
    expect(findRedirectLocation({ base: origin, place: target })).toBeUndefined()
    expect(findRedirectLocation({ place: target })).toBeUndefined()
    expect(sameOriginUrl(target, new URL(`${origin}/users/sign_in`))?.origin ?? origin).toBe(origin)
  })

  it('of pages refuse what is no path', () => {
    const leading = hostile.filter((target) => !/^[@.:]/.test(target))
    const base = new URL(`${origin}/users/sign_in`)
    for (const target of leading)
      expect([target, sameOriginUrl(target, base)]).toEqual([target, undefined])
  })

  it.each(['/', '/a?b=//c#d', '/%09/evil.example', '/a//b', '/-/profile'])('take %j', (target) => {
    expect(findRedirectLocation({ base: origin, place: target })).toBe(`${origin}${target}`)
    expect(sameOriginUrl(target, new URL(origin))?.origin).toBe(origin)
  })
})

describe('Places that send on', () => {
  let world: World
  beforeAll(async () => {
    world = await newWorld()
  })

  /** Addresses of ours with a target in them; of the path as it is, since nothing else reaches the server. */
  const places: readonly (readonly [string, (target: string) => string])[] = [
    ['the sign-in', (target) => `/users/sign_in?return_to=${encodeURIComponent(target)}`],
    [
      'an authorization',
      (to) => `/oauth/authorize?redirect_uri=${encodeURIComponent(to)}&client_id=x`,
    ],
    ['a device', (target) => `/oauth/device?user_code=${encodeURIComponent(target)}`],
    ['a visit', (to) => `/-/pages/visit?state=${'0'.repeat(64)}&address=${encodeURIComponent(to)}`],
    ['a clone', (target) => `/${encodeURI(target)}/info/refs?service=git-upload-pack`],
    ['a raw file', (target) => `/${encodeURI(target)}/-/raw/main/a`],
    ['a job', (target) => `/${encodeURI(target)}/-/jobs/1/raw`],
    ['a log', (target) => `${encodeURI(target)}/-/jobs/1/artifacts/download`],
    ['a release', (target) => `/${encodeURI(target)}/-/releases/permalink/latest`],
    ['the API', (target) => `/api/v4/projects/${encodeURIComponent(target)}`],
    [
      'a permalink',
      (to) => `/api/v4/projects/1/releases/permalink/latest/${encodeURIComponent(to)}`,
    ],
  ]

  it.each(places)('lead nowhere else: %s', async (_, addressOf) => {
    for (const target of hostile) {
      const url = addressOf(target)
      if (!url.startsWith('/')) continue
      for (const headers of [{}, { accept: 'text/html' }]) {
        const answer = await world.app.server.inject({
          url,
          headers: { host: 'bloomery.test', ...headers },
        })
        const { location } = answer.headers
        const led = location === undefined ? origin : URL.parse(location, `${origin}/`)?.origin
        expect([url, led]).toEqual([url, origin])
        // Nor does the form of the sign-in carry it on.
        if (url.startsWith('/users/sign_in')) expect(answer.body).not.toContain('evil.example')
      }
    }
  })

  it('after a sign-in too', async () => {
    const { username } = (await newPasswordUser(world)).user
    const targets = [...hostile, '/oauth/authorize?a=b']
    for (const return_to of targets) {
      const page = await world.app.server.inject({
        url: '/users/sign_in',
        headers: { host: 'bloomery.test' },
      })
      const token = /name="authenticity_token" value="([^"]*)"/.exec(page.body)?.[1] ?? ''
      const answer = await world.app.server.inject({
        method: 'POST',
        url: '/users/sign_in',
        headers: {
          host: 'bloomery.test',
          'content-type': 'application/x-www-form-urlencoded',
          cookie: String(page.headers['set-cookie']).split(';', 1)[0] ?? '',
        },
        payload: new URLSearchParams({
          authenticity_token: token,
          return_to,
          login: username,
          password: testPassword,
        }).toString(),
      })
      const isOwn = !hostile.includes(return_to)
      expect([return_to, answer.statusCode, answer.headers.location]).toEqual([
        ...[return_to, isOwn ? 302 : 200],
        isOwn ? `${origin}${return_to}` : undefined,
      ])
    }
  })
})
