import { expect, it } from 'vitest'
import { slashEncoder } from './slashes.ts'

const encode = slashEncoder('/api/v4', [
  { path: '/projects/:id/jobs/artifacts/:ref_name/download', slashed: ['ref_name'] },
  {
    path: '/projects/:id/jobs/artifacts/:ref_name/raw/:artifact_path',
    slashed: ['ref_name', 'artifact_path'],
  },
  {
    path: '/projects/:id/jobs/:job_id/artifacts/:artifact_path',
    slashed: ['artifact_path'],
  },
  { path: '/projects/:id/ref/:ref/trigger/pipeline', slashed: ['ref'] },
  { path: '/projects/:id', slashed: [] },
])

it.each([
  [
    '/projects/1/ref/feature/a/trigger/pipeline?x=a/b',
    '/projects/1/ref/feature%2Fa/trigger/pipeline?x=a/b',
  ],
  ['/projects/1/ref/main/trigger/pipeline', '/projects/1/ref/main/trigger/pipeline'],
  [
    '/projects/g%2Fp/ref/a%2Fb/c/trigger/pipeline',
    '/projects/g%2Fp/ref/a%2Fb%2Fc/trigger/pipeline',
  ],
  ['/projects/1/jobs/7/artifacts/out/a.txt', '/projects/1/jobs/7/artifacts/out%2Fa.txt'],
  ['/projects/1/jobs/7/artifacts/out/', '/projects/1/jobs/7/artifacts/out%2F'],
  ['/projects/1/jobs/7/artifacts/../a', '/projects/1/jobs/7/artifacts/..%2Fa'],
  [
    '/projects/1/jobs/artifacts/a/b/download?job=x',
    '/projects/1/jobs/artifacts/a%2Fb/download?job=x',
  ],
  ['/projects/1/jobs/artifacts/a/b/raw/c/d', '/projects/1/jobs/artifacts/a%2Fb/raw/c%2Fd'],
  ['/projects/1/jobs/artifacts/a/raw/b/raw/c', '/projects/1/jobs/artifacts/a/raw/b%2Fraw%2Fc'],
  [
    '/projects/1/jobs/artifacts/artifacts/raw/a/b',
    '/projects/1/jobs/artifacts/artifacts/raw/a%2Fb',
  ],
  [
    '/projects/1/jobs/artifacts/artifacts/x/download',
    '/projects/1/jobs/artifacts/artifacts%2Fx/download',
  ],
  ['/projects/1/jobs/artifacts', '/projects/1/jobs/artifacts'],
  ['/projects/1/jobs/artifacts/download', '/projects/1/jobs/artifacts/download'],
  ['/projects/1/ref/trigger/pipeline', '/projects/1/ref/trigger/pipeline'],
  ['/projects/1/artifacts/a/b', '/projects/1/artifacts/a/b'],
])('shows the router of %s', (url, shown) => {
  expect(encode(`/api/v4${url}`)).toBe(`/api/v4${shown}`)
})

it('leaves other URLs as they are', () => {
  expect(encode('/group/artifacts/a/b')).toBe('/group/artifacts/a/b')
  const long = `/api/v4/projects/1/jobs/7/artifacts/${'a/'.repeat(20_000)}b`
  expect(encode(long)).toBe(long)
})
