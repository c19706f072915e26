import { describe, expect, it } from 'vitest'
import { limits } from '../../../kernel/limits.ts'
import { matchRedirect, parseRedirectsFile } from './redirects.ts'

describe('Redirects', () => {
  it.each([
    ['/a /b', '/a', { to: '/b', status: 301 }],
    ['/a/ /b 302', '/a', { to: '/b', status: 302 }],
    ['/a /b 200', '/a', { to: '/b', status: 200 }],
    ['/a /b 200', '/a/c', undefined],
    ['/a/* /b/:splat', '/a/c/d', { to: '/b/c/d', status: 301 }],
    ['/a/* /b/:splat', '/a', { to: '/b/', status: 301 }],
    ['/* /b/:splat', '/x', { to: '/b/x', status: 301 }],
    ['/:x/:y /:y/:x', '/1/2', { to: '/2/1', status: 301 }],
    ['/:x/* https://:splat.test/', '/1/evil', { to: 'https://evil.test/', status: 301 }],
    ['/a/* /:splat', '/a//evil.test', { to: '/evil.test', status: 301 }],
    ['/a/* /:splat', '/a/%5Cevil', { to: '/%255Cevil', status: 301 }],
    ['/a https://x.test 200', '/a', undefined],
    ['/a //x.test', '/a', undefined],
    ['/a /\\x.test', '/a', undefined],
    ['/a javascript:x', '/a', undefined],
    ['a /b', 'a', undefined],
    ['/*/a /b', '/x/a', undefined],
    ['# /a /b', '/a', undefined],
  ])('of %j lead from %s', (rule, path, expected) => {
    expect(matchRedirect(parseRedirectsFile(rule), path)).toEqual(expected)
  })

  it('take the first rule that fits', () => {
    expect(matchRedirect(parseRedirectsFile('/a /b\n/a /c\n/* /d'), '/a')?.to).toBe('/b')
  })

  it('end at their limits', () => {
    const { rules_max, file_bytes } = limits.pages.redirects
    const many = Array.from({ length: rules_max + 5 }, (_, at) => `/${at} /x`).join('\n')
    expect(parseRedirectsFile(many).length).toBe(rules_max)
    expect(parseRedirectsFile('x'.repeat(file_bytes + 1))).toEqual([])
  })
})
