import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest as requestFrom } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const lines = (...texts: string[]) => `${texts.join('\n')}\n`

/** A merge request that changes the second of three lines and adds a fourth. */
async function newRequest() {
  const project = await world.newProject({ files: { a: lines('one', 'two', 'three') } })
  const client = world.as('developer')
  const commit = (content: string, more: object = {}) =>
    client.post(`/projects/${project.id}/repository/commits`, {
      branch: 'topic',
      commit_message: 'Change a',
      actions: [{ action: 'update', file_path: 'a', content }],
      ...more,
    })
  await commit(lines('one', 'TWO', 'three', 'four'), { start_branch: 'main' })
  const made = await client.post(`/projects/${project.id}/merge_requests`, {
    title: 'Change',
    source_branch: 'topic',
    target_branch: 'main',
  })
  const url = `/projects/${project.id}/merge_requests/${made.json().iid}`
  const { diff_refs } = (await client.get(url)).json()
  return { project, client, commit, url, shas: diff_refs as Record<string, string> }
}

describe('A note on a diff', () => {
  it('stands on a line of the last file of a diff that is too long to be read whole', async () => {
    const names = Array.from({ length: limits.diff_files_max + 1 }, (_, at) => `f${10_000 + at}`)
    const changes = Object.fromEntries(names.map((name) => [name, 'new\n']))
    const place = await newBranches(world, { changes })
    const { iid, diff_refs } = await requestFrom(world, place)
    const at = (path: string | undefined, more: object) => ({
      body: 'Why?',
      position: { ...diff_refs, position_type: 'text', new_path: path, old_path: path, ...more },
    })
    const url = `${place.url}/${iid}/discussions`
    const made = await world.as('developer').post(url, at(names.at(-1), { new_line: 1 }))
    expect([made.statusCode, made.json().notes?.[0].position.new_path]).toEqual([201, names.at(-1)])
    for (const [path, line] of [
      [names.at(-1), { new_line: 2 }],
      ['f', { new_line: 1 }],
      ['../a', { new_line: 1 }],
    ] as const) {
      const refused = await world.as('developer').post(url, at(path, line))
      expect([refused.statusCode, refused.json().message]).toEqual([
        400,
        expect.stringContaining('line_code'),
      ])
    }
  })

  it('stands on a line that is added, removed or left', async () => {
    const { client, url, shas } = await newRequest()
    const place = (more: object) => ({
      body: 'Why?',
      position: { ...shas, position_type: 'text', new_path: 'a', old_path: 'a', ...more },
    })
    for (const at of [{ new_line: 2 }, { old_line: 2 }, { old_line: 3, new_line: 3 }]) {
      const made = await client.post(`${url}/discussions`, place(at))
      expect([made.statusCode, made.json()]).toMatchObject([
        201,
        {
          individual_note: false,
          notes: [
            {
              type: 'DiffNote',
              resolvable: true,
              resolved: false,
              position: {
                ...shas,
                position_type: 'text',
                old_path: 'a',
                new_path: 'a',
                old_line: null,
                new_line: null,
                line_range: null,
                ...at,
              },
            },
          ],
        },
      ])
    }
    for (const at of [{ new_line: 1 }, { old_line: 9 }, { new_line: 99 }, {}]) {
      const refused = await client.post(`${url}/discussions`, place(at))
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        {
          message:
            '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}',
        },
      ])
    }
    const bare = await client.post(`${url}/discussions`, { body: 'x', position: { new_line: 2 } })
    expect([bare.statusCode, bare.json()]).toEqual([
      400,
      {
        error:
          'position[base_sha] is missing, position[start_sha] is missing, position[head_sha] is missing, position[position_type] is missing',
      },
    ])
  })

  it('stands on a whole file, or on a point of a picture', async () => {
    const { client, url, shas } = await newRequest()
    const place = { ...shas, new_path: 'a', old_path: 'a' }
    const point = { position_type: 'image', width: 40, height: 30, x: 12, y: 7 }
    for (const at of [{ position_type: 'file' }, point]) {
      const made = await client.post(`${url}/discussions`, {
        body: 'Why?',
        position: { ...place, ...at },
      })
      expect([made.statusCode, made.json().notes[0]]).toMatchObject([
        201,
        { type: 'DiffNote', resolvable: true, resolved: false },
      ])
      expect(made.json().notes[0].position).toEqual({ ...place, ...at })
    }
    const post = async (more: object) => {
      const answer = await client.post(`${url}/discussions`, {
        body: 'x',
        position: { ...place, ...more },
      })
      return [answer.statusCode, answer.json()]
    }
    expect(await post({ position_type: 'file', new_path: 'b', old_path: 'b' })).toEqual([
      400,
      {
        message:
          '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}',
      },
    ])
    expect(await post({ ...point, y: undefined })).toEqual([
      400,
      { message: '400 Bad request - Note {:position=>["is incomplete"]}' },
    ])
    expect(await post({ ...point, x: 41 })).toEqual([
      400,
      { error: 'position[x], position[y] are not within the picture' },
    ])
    expect(await post({ position_type: 'sound' })).toEqual([
      400,
      { error: 'position[position_type] does not have a valid value' },
    ])
  })

  it('follows its line when the source moves, and stays where the line is gone', async () => {
    const { project, client, commit, url, shas } = await newRequest()
    const write = async (new_line: number, place = { url, shas }) => {
      const at = { position_type: 'text', new_path: 'a', old_path: 'a', new_line }
      const position = { ...place.shas, ...at }
      const made = await client.post(`${place.url}/discussions`, { body: 'x', position })
      return made.json().id
    }
    const [second, fourth] = [await write(2), await write(4)]
    // However much is said beside the diff, as if it had been written one after the other.
    const { db } = world.app
    const plain = (await client.post(`${url}/notes`, { body: 'x' })).json()
    const { id: _, ...row } = await db
      .selectFrom('notes')
      .selectAll()
      .where('id', '=', plain.id)
      .executeTakeFirstOrThrow()
    const alike = { ...row, position: null, original_position: null }
    for (const _half of [1, 2]) {
      await db.insertInto('notes').values(Array(500).fill(alike)).execute()
    }
    await commit(lines('one', 'TWO', 'three'), { branch: 'other', start_branch: 'main' })
    const sides = { source_branch: 'other', target_branch: 'main' }
    const requests = `/projects/${project.id}/merge_requests`
    const { iid } = (await client.post(requests, { title: 'Another', ...sides })).json()
    const another = {
      url: `${requests}/${iid}`,
      shas: (await client.get(`${requests}/${iid}`)).json().diff_refs,
    }
    const ofAnother = await write(2, another)
    await commit(lines('zero', 'one', 'TWO', 'three', '4'))
    await world.app.worker.drain()
    const head = (await client.get(url)).json().diff_refs.head_sha
    expect(head).not.toBe(shas.head_sha)
    const positionOf = async (id: string, of = url) =>
      (await client.get(`${of}/discussions/${id}`)).json().notes[0].position
    expect(await positionOf(second)).toMatchObject({ head_sha: head, new_line: 3 })
    expect(await positionOf(fourth)).toMatchObject({ head_sha: shas.head_sha, new_line: 4 })
    const { head_sha } = another.shas
    expect(await positionOf(ofAnother, another.url)).toMatchObject({ head_sha, new_line: 2 })
  })

  it('is resolved by Developers and authors, and the last one tells', async () => {
    const { client, url } = await newRequest()
    const made = await world.as('reporter').post(`${url}/discussions`, { body: 'x' })
    const thread = `${url}/discussions/${made.json().id}`
    expect((await client.get(url)).json().blocking_discussions_resolved).toBe(true)
    const { user, client: other } = await world.newUser()
    await world.as('owner').post(`${url.split('/merge')[0]}/members`, {
      user_id: user.id,
      access_level: 20,
    })
    expect((await other.put(thread, { resolved: true })).statusCode).toBe(403)
    const resolved = await client.put(thread, { resolved: true })
    expect([resolved.statusCode, resolved.json().notes[0]]).toMatchObject([
      200,
      { resolved: true, resolved_by: { id: world.users.developer.id } },
    ])
    const notes = (await client.get(`${url}/notes?activity_filter=only_activity`)).json()
    expect(notes.map(({ body }: { body: string }) => body)).toContain('resolved all threads')
    const opened = await world.as('reporter').put(`${thread}/notes/${made.json().notes[0].id}`, {
      resolved: false,
    })
    expect([opened.statusCode, opened.json().resolved]).toEqual([200, false])
  })
})
