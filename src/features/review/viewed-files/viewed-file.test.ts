import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function open() {
  const place = await newBranches(world)
  const request = await newRequest(world, place)
  return { request, url: `${place.url}/${request.iid}/viewed_files` }
}

const [one, other] = ['a'.repeat(40), 'b'.repeat(40)]

describe('Viewed files', () => {
  it('are marked, marked again and no longer marked, and seen by their user alone', async () => {
    const { url } = await open()
    const viewed_at = world.app.clock.now().toISOString()
    const client = world.as('developer')
    const marked = await client.put(url, { path: 'src/a.ts', head_sha: one })
    expect([marked.statusCode, marked.json()]).toEqual([
      200,
      { path: 'src/a.ts', head_sha: one, viewed_at },
    ])
    await client.put(url, { path: 'b', head_sha: one })
    await client.put(url, { path: 'b', head_sha: other })
    const files = [
      { path: 'b', head_sha: other, viewed_at },
      { path: 'src/a.ts', head_sha: one, viewed_at },
    ]
    const list = await client.get(url)
    expect([list.headers['x-total'], list.json()]).toEqual(['2', files])
    expect((await client.get(`${url}?per_page=1&page=2`)).json()).toEqual([files[1]])
    const admin = world.as('admin')
    expect((await admin.get(url)).json()).toEqual([])

    const { url: ofAnother } = await open()
    for (const mark of [client.put(ofAnother, files[0]), admin.put(url, files[0])]) await mark
    const removed = await client.delete(`${url}?path=b`)
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    const again = await client.delete(`${url}?path=b`)
    expect([again.statusCode, again.json()]).toEqual([404, { message: '404 Not found' }])
    expect((await client.get(url)).json()).toEqual([files[1]])
    for (const kept of [client.get(ofAnother), admin.get(url)])
      expect((await kept).json()).toEqual([files[0]])
  })

  it('are for those who read the merge request and are signed in', async () => {
    const { url } = await open()
    const file = { path: 'a', head_sha: one }
    const statuses = async (who: Parameters<World['as']>[0]) => [
      (await world.as(who).get(url)).statusCode,
      (await world.as(who).put(url, file)).statusCode,
      (await world.as(who).delete(`${url}?path=a`)).statusCode,
    ]
    expect(await statuses('anonymous')).toEqual([401, 401, 401])
    expect(await statuses('outsider')).toEqual([404, 404, 404])
    expect(await statuses('guest')).toEqual([404, 403, 403])
    expect(await statuses('reporter')).toEqual([200, 200, 204])
  })

  it.each([
    ['no path', { head_sha: one }, 'path is missing, path is empty'],
    ['an empty path', { path: '', head_sha: one }, 'path is empty'],
    ['a path too long for git', { path: 'a'.repeat(5_000), head_sha: one }, 'path is invalid'],
    ['a path with a NUL', { path: 'a\0b', head_sha: one }, 'path is invalid'],
    ['no head', { path: 'a' }, 'head_sha is missing'],
    ['a name for a head', { path: 'a', head_sha: 'main' }, 'head_sha is invalid'],
  ])('refuse %s', async (_case, body, error) => {
    const { url } = await open()
    const answer = await world.as('developer').put(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
    expect((await world.as('developer').get(url)).json()).toEqual([])
  })

  it('are bounded', async () => {
    const { request, url } = await open()
    const file = {
      issuable_id: request.id,
      user_id: world.users.developer.id,
      head_sha: one,
      viewed_at: world.app.clock.now().toISOString(),
    }
    const files = Array.from({ length: limits.viewed_files_max }, (_, at) => ({
      ...file,
      path: String(at),
    }))
    for (let at = 0; at < files.length; at += 1_000)
      await world.app.db
        .insertInto('viewed_files')
        .values(files.slice(at, at + 1_000))
        .execute()
    const answer = await world.as('developer').put(url, { path: 'one more', head_sha: one })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      {
        message:
          '400 Bad request - No more than 10000 files of a merge request can be marked as viewed.',
      },
    ])
  })
})
