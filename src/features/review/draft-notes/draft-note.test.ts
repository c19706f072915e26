import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const told = (answer: { statusCode: number; body: string; json: () => unknown }) => [
  answer.statusCode,
  answer.body === '' ? '' : answer.json(),
]

/** A merge request whose branch adds the file `topic` of one line. */
async function open() {
  const place = await newBranches(world)
  const request = await newRequest(world, place)
  const one = `${place.url}/${request.iid}`
  const shown = (await world.as('developer').get(one)).json()
  return { ...place, one, url: `${one}/draft_notes`, id: request.id, refs: shown.diff_refs }
}

const nowhere = {
  base_sha: null,
  start_sha: null,
  head_sha: null,
  old_path: null,
  new_path: null,
  position_type: 'text',
  old_line: null,
  new_line: null,
  line_range: null,
}

describe('Draft notes', () => {
  it('are made, listed, changed and deleted, and seen by their author alone', async () => {
    const { url, one, id } = await open()
    const client = world.as('developer')
    const made = await client.post(url, { note: 'To say' })
    const draft = {
      id: made.json().id,
      author_id: world.users.developer.id,
      merge_request_id: id,
      resolve_discussion: false,
      discussion_id: null,
      note: 'To say',
      commit_id: null,
      line_code: null,
      position: nowhere,
    }
    expect(told(made)).toEqual([201, draft])
    expect(told(await client.get(url))).toEqual([200, [draft]])
    expect(told(await client.get(`${url}/${draft.id}`))).toEqual([200, draft])
    const changed = await client.put(`${url}/${draft.id}`, { note: 'Said' })
    expect(told(changed)).toEqual([200, { ...draft, note: 'Said' }])
    const admin = world.as('admin')
    expect((await admin.get(url)).json()).toEqual([])
    for (const answer of [
      await admin.get(`${url}/${draft.id}`),
      await admin.put(`${url}/${draft.id}`, { note: 'x' }),
      await admin.put(`${url}/${draft.id}/publish`),
      await admin.delete(`${url}/${draft.id}`),
    ]) {
      expect(told(answer)).toEqual([404, { message: '404 Not found' }])
    }
    expect((await client.get(`${one}/notes`)).json()).toEqual([])
    const { url: ofAnother } = await open()
    expect((await client.get(ofAnother)).json()).toEqual([])
    expect((await client.get(`${ofAnother}/${draft.id}`)).statusCode).toBe(404)
    expect(told(await client.delete(`${url}/${draft.id}`))).toEqual([204, ''])
    expect((await client.get(url)).json()).toEqual([])
  })

  it('become threads when they are published, on their line of the diff', async () => {
    const { url, one, refs } = await open()
    const client = world.as('developer')
    const place = { ...refs, position_type: 'text', new_path: 'topic', old_path: 'topic' }
    const made = await client.post(url, { note: 'Here', position: { ...place, new_line: 1 } })
    expect(made.json()).toMatchObject({
      line_code: expect.stringMatching(/^[0-9a-f]{40}_0_1$/),
      position: { new_path: 'topic', new_line: 1, old_line: null, head_sha: refs.head_sha },
    })
    expect(told(await client.put(`${url}/${made.json().id}/publish`))).toEqual([204, ''])
    const [thread] = (await world.as('reporter').get(`${one}/discussions`)).json()
    expect(thread).toMatchObject({
      individual_note: false,
      notes: [
        {
          type: 'DiffNote',
          body: 'Here',
          author: { id: world.users.developer.id },
          position: { new_path: 'topic', new_line: 1 },
          resolvable: true,
        },
      ],
    })
    expect((await client.get(url)).json()).toEqual([])
    const wrong = await client.post(url, { note: 'x', position: { ...place, new_line: 9 } })
    expect(wrong.statusCode).toBe(400)
  })

  it('become threads on a whole file', async () => {
    const { url, one, refs } = await open()
    const client = world.as('developer')
    const position = { ...refs, position_type: 'file', new_path: 'topic', old_path: 'topic' }
    const made = await client.post(url, { note: 'All of it', position })
    expect([made.statusCode, made.json()]).toMatchObject([201, { line_code: null, position }])
    await client.post(`${url}/bulk_publish`)
    expect((await client.get(`${one}/discussions`)).json()).toMatchObject([
      { notes: [{ type: 'DiffNote', body: 'All of it', position }] },
    ])
  })

  it('answer and resolve threads, all of them at once, in their order', async () => {
    const { url, one } = await open()
    const client = world.as('developer')
    const thread = (await world.as('reporter').post(`${one}/discussions`, { body: 'Why?' })).json()
    const answer = {
      note: 'Therefore',
      in_reply_to_discussion_id: thread.id,
      resolve_discussion: true,
    }
    expect((await client.post(url, answer)).json()).toMatchObject({
      discussion_id: thread.id,
      resolve_discussion: true,
    })
    await client.post(url, { note: 'Besides' })
    await client.post(url, { note: '/approve' })
    await world.as('maintainer').post(url, { note: 'Not yet' })
    expect(told(await client.post(`${url}/bulk_publish`))).toEqual([204, ''])
    const all = (await client.get(`${one}/discussions`)).json()
    const bodies = all.map(({ notes }: { notes: { body: string; resolved: boolean }[] }) =>
      notes.map(({ body }) => body),
    )
    expect(bodies).toEqual([
      ['Why?', 'Therefore'],
      ['resolved all threads'],
      ['Besides'],
      ['approved this merge request'],
    ])
    expect(JSON.stringify(bodies)).not.toContain('Not yet')
    expect(all[0].notes).toMatchObject([{ resolved: true }, { type: 'DiscussionNote' }])
    expect((await client.get(`${one}/approvals`)).json().user_has_approved).toBe(true)
    expect((await client.get(url)).json()).toEqual([])
    expect((await world.as('maintainer').get(url)).json()).toHaveLength(1)
    expect(told(await client.post(`${url}/bulk_publish`))).toEqual([204, ''])
  })

  it('refuse bad input', async () => {
    const { url } = await open()
    const client = world.as('developer')
    const post = async (body: object) => told(await client.post(url, body))
    expect(await post({})).toEqual([400, { error: 'note is missing' }])
    expect(await post({ note: ' ' })).toEqual([
      400,
      { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' },
    ])
    expect(await post({ note: 'x', in_reply_to_discussion_id: 'none' })).toEqual([
      400,
      { message: { base: ['Thread to reply to cannot be found'] } },
    ])
    expect(await post({ note: 'x', commit_id: 'main' })).toEqual([
      400,
      { error: 'commit_id is invalid' },
    ])
    expect(await post({ note: 'x', position: { base_sha: 'a' } })).toEqual([
      400,
      {
        error:
          'position[start_sha] is missing, position[head_sha] is missing, position[position_type] is missing',
      },
    ])
    expect(told(await client.get(`${url}/x`))).toEqual([400, { error: 'draft_note_id is invalid' }])
  })

  it('end at a hundred of one user', async () => {
    const { url, id } = await open()
    const now = world.app.clock.now().toISOString()
    const row = {
      issuable_id: id,
      author_id: world.users.developer.id,
      note: 'n',
      resolve_discussion: false,
      created_at: now,
      updated_at: now,
    }
    await world.app.db.insertInto('draft_notes').values(Array(100).fill(row)).execute()
    const client = world.as('developer')
    expect(told(await client.post(url, { note: 'One more' }))).toEqual([
      400,
      {
        message: '400 Bad request - A merge request has at most 100 draft notes of one user',
      },
    ])
    const ask = (size: number) => world.app.count(() => client.get(`${url}?per_page=${size}`))
    await ask(1)
    expect((await ask(50)).queries).toBe((await ask(1)).queries)
    expect((await client.get(url)).headers['x-total']).toBe('100')
  })

  it.each([
    ['anonymous', 401, 401],
    ['outsider', 404, 404],
    ['guest', 404, 403],
    ['reporter', 200, 201],
  ] as const)('answer %s of a private project with %i and %i', async (who, read, write) => {
    const { url } = await open()
    expect((await world.as(who).get(url)).statusCode).toBe(read)
    expect((await world.as(who).post(url, { note: 'n' })).statusCode).toBe(write)
  })

  it('stay unpublished in an archived project', async () => {
    const { url, one, project } = await open()
    const { id } = (await world.as('reporter').post(url, { note: 'n' })).json()
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect((await world.as('reporter').put(`${url}/${id}/publish`)).statusCode).toBe(403)
    expect((await world.as('reporter').get(`${one}/notes`)).json()).toEqual([])
  })
})
