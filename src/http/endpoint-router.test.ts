import { describe, expect, it } from 'vitest'
import { ApiError } from '../kernel/errors.ts'
import type { Endpoint } from './endpoint.ts'
import { createEndpointRouter } from './endpoint-router.ts'

const find = createEndpointRouter(
  (
    [
      ['GET', '/groups'],
      ['POST', '/groups'],
      ['GET', '/groups/:id'],
      ['DELETE', '/groups/:id/projects/:project_id'],
      ['GET', '/user/keys/:key_id(^\\d+$)'],
      ['GET', '/projects/:id/repository/archive'],
      ['GET', '/projects/:id/repository/archive.:format'],
      ['POST', '/jobs/:id/artifacts/keep'],
      ['GET', '/jobs/:id/artifacts/:path', ['path']],
      ['HEAD', '/projects/:id/repository/files/:file_path', ['file_path']],
      ['GET', '/projects/:id/repository/files/:file_path', ['file_path']],
    ] as const
  ).map(([method, path, slashed = []]) => ({ method, path, slashed }) as unknown as Endpoint),
)

/** The endpoint that a request is for, with its parameters, or why it is refused. */
function route(method: string, path: string): [string, Record<string, string>] | [number, string?] {
  try {
    const { endpoint, parameters } = find(method, path)
    return [`${endpoint.method} ${endpoint.path}`, parameters]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, error.headers?.allow]
  }
}

describe('The endpoint for a request', () => {
  it('has its parameters decoded, with or without a slash at the end', () => {
    expect(route('GET', '/groups/a%2Fb')).toEqual(['GET /groups/:id', { id: 'a/b' }])
    expect(route('GET', '/groups/')).toEqual(['GET /groups', {}])
    expect(route('GET', '/gr%6fups/')).toEqual(['GET /groups', {}])
    expect(route('GET', '/groups/%ff')).toEqual([404, undefined])
    expect(route('GET', '/groups/__proto__')).toEqual(['GET /groups/:id', { id: '__proto__' }])
  })

  it('may take numbers alone, or have a word before its parameter', () => {
    expect(route('GET', '/user/keys/7')).toEqual([
      'GET /user/keys/:key_id(^\\d+$)',
      { key_id: '7' },
    ])
    expect(route('GET', '/user/keys/seven')).toEqual([404, undefined])
    expect(route('GET', '/projects/1/repository/archive.tar.gz')).toEqual([
      'GET /projects/:id/repository/archive.:format',
      { id: '1', format: 'tar.gz' },
    ])
    expect(route('GET', '/projects/1/repository/archive')).toEqual([
      'GET /projects/:id/repository/archive',
      { id: '1' },
    ])
  })

  it('answers HEAD as GET, unless it has an endpoint of its own', () => {
    expect(route('HEAD', '/groups/7')).toEqual(['GET /groups/:id', { id: '7' }])
    const [head] = route('HEAD', '/projects/1/repository/files/a')
    expect(head).toBe('HEAD /projects/:id/repository/files/:file_path')
    expect(route('HEAD', '/jobs/1/artifacts/keep')).toEqual([
      'GET /jobs/:id/artifacts/:path',
      { id: '1', path: 'keep' },
    ])
  })

  it('is refused by 404 where there is none, by 405 where there are others', () => {
    expect(route('GET', '/nothing')).toEqual([404, undefined])
    expect(route('GET', '/groups/7/projects')).toEqual([404, undefined])
    expect(route('PATCH', '/groups')).toEqual([405, 'GET, POST, HEAD, OPTIONS'])
    expect(route('GET', '/groups/7/projects/8')).toEqual([405, 'DELETE, OPTIONS'])
    // An operation that we do not have, where the others have an id.
    expect(route('GET', '/groups/7/projects/shared')).toEqual([404, undefined])
  })

  it('is at a word before it is at a parameter, whatever the method', () => {
    expect(route('POST', '/jobs/1/artifacts/keep')[0]).toBe('POST /jobs/:id/artifacts/keep')
    expect(route('GET', '/jobs/1/artifacts/keep')[0]).toBe('GET /jobs/:id/artifacts/:path')
    expect(route('PUT', '/jobs/1/artifacts/keep')).toEqual([405, 'POST, GET, HEAD, OPTIONS'])
  })
})
