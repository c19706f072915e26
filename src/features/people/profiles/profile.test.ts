import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { removeExpiredUserStatuses } from './status.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const none = {
  emoji: null,
  availability: null,
  message: null,
  message_html: '',
  clear_status_at: null,
}
const now = (later_ms = 0) => new Date(world.app.clock.now().getTime() + later_ms).toISOString()

describe('PUT /user/status', () => {
  it('sets a status that everybody sees', async () => {
    const { user, client } = await world.newUser()
    expect((await client.get('/user/status')).json()).toEqual(none)
    const body = { emoji: 'coffee', message: 'I <b>crave</b> & "need"', availability: 'busy' }
    const answer = await client.put('/user/status', { ...body, clear_status_after: '3_hours' })
    expect(answer.statusCode).toBe(200)
    const shown = {
      ...body,
      message_html: 'I &lt;b&gt;crave&lt;/b&gt; &amp; &quot;need&quot;',
      clear_status_at: now(3 * 60 * 60_000),
    }
    expect(answer.json()).toEqual(shown)
    for (const [who, name] of [
      ['anonymous', user.id],
      ['guest', user.username.toUpperCase()],
    ] as const) {
      expect((await world.as(who).get(`/users/${name}/status`)).json()).toEqual(shown)
    }
    expect((await client.get('/user/status')).json()).toEqual(shown)
  })

  it('replaces the whole of it, and clears it when nothing is said', async () => {
    const { client } = await world.newUser()
    await client.put('/user/status', { emoji: 'coffee', clear_status_after: '1_day' })
    const replaced = await client.put('/user/status', { message: 'm' })
    const shown = { ...none, emoji: 'speech_balloon', availability: 'not_set' }
    expect(replaced.json()).toEqual({ ...shown, message: 'm', message_html: 'm' })
    const other = await world.newUser()
    await other.client.put('/user/status', { message: 'stays' })
    const cleared = await client.put('/user/status', { emoji: '', message: '' })
    expect(cleared.statusCode).toBe(200)
    expect(cleared.json()).toEqual(none)
    expect((await client.get('/user/status')).json()).toEqual(none)
    expect((await other.client.get('/user/status')).json().message).toBe('stays')
  })

  it.each([
    ['30_minutes', 30],
    ['3_hours', 180],
    ['8_hours', 480],
    ['1_day', 1440],
    ['3_days', 3 * 1440],
    ['7_days', 7 * 1440],
    ['30_days', 30 * 1440],
  ])('clears after %s', async (clear_status_after, minutes) => {
    const { user, client } = await world.newUser()
    await client.put('/user/status', { message: 'm', clear_status_after })
    const others = [await world.newUser(), await world.newUser()]
    for (const other of others) await other.client.put('/user/status', { message: 'stays' })
    world.app.clock.advance(minutes * 60_000 - 1)
    expect((await client.get('/user/status')).json()).toMatchObject({ message: 'm' })
    world.app.clock.advance(1)
    expect((await client.get('/user/status')).json()).toEqual(none)
    await others[1]?.client.patch('/user/status', { clear_status_after: '30_days' })
    await removeExpiredUserStatuses({ db: world.app.db, clock: world.app.clock.now })
    const rows = await world.app.db
      .selectFrom('user_statuses')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute()
    expect(rows).toEqual([])
    for (const other of others) {
      expect((await other.client.get('/user/status')).json().message).toBe('stays')
    }
  })

  it.each([
    [{ emoji: 'No Emoji' }, { message: { emoji: ['is not a valid emoji name'] } }],
    [
      { message: 'm'.repeat(101) },
      { message: { message: ['is too long (maximum is 100 characters)'] } },
    ],
    [{ availability: 'away' }, { error: 'availability does not have a valid value' }],
    [{ clear_status_after: '1_year' }, { error: 'clear_status_after does not have a valid value' }],
  ])('answers %j with 400', async (body, expected) => {
    const answer = await world.as('guest').put('/user/status', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })

  it('answers an anonymous caller with 401, and an unknown user with 404', async () => {
    expect((await world.as('anonymous').put('/user/status', { message: 'm' })).statusCode).toBe(401)
    expect((await world.as('anonymous').get('/user/status')).statusCode).toBe(401)
    const answer = await world.as('guest').get('/users/nobody-of-that-name/status')
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: '404 User Not Found' })
  })
})

describe('PATCH /user/status', () => {
  it('changes what is given and nothing else', async () => {
    const { client } = await world.newUser()
    const patch = async (body: object) => {
      const answer = await client.patch('/user/status', body)
      expect(answer.statusCode).toBe(200)
      expect((await client.get('/user/status')).json()).toEqual(answer.json())
      return answer.json()
    }
    expect(await patch({})).toEqual(none)
    const first = {
      ...none,
      message: '',
      emoji: 'coffee',
      availability: 'not_set',
      clear_status_at: now(86_400_000),
    }
    expect(await patch({ emoji: 'coffee', clear_status_after: '1_day' })).toEqual(first)
    const second = { ...first, message: 'm', message_html: 'm' }
    expect(await patch({ message: 'm' })).toEqual(second)
    expect(await patch({})).toEqual(second)
    const third = { ...second, clear_status_at: null }
    expect(await patch({ clear_status_after: null })).toEqual(third)
    const fourth = { ...third, emoji: 'speech_balloon', availability: 'busy' }
    expect(await patch({ emoji: '', availability: 'busy' })).toEqual(fourth)
    expect(await patch({ message: null })).toEqual({ ...fourth, message: '', message_html: '' })
    expect(await patch({ availability: 'not_set' })).toEqual(none)
  })

  it('refuses what PUT refuses, and changes nothing', async () => {
    const { client } = await world.newUser()
    await client.put('/user/status', { message: 'm' })
    const before = (await client.get('/user/status')).json()
    const answer = await client.patch('/user/status', { emoji: 'No Emoji' })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: { emoji: ['is not a valid emoji name'] } },
    ])
    expect((await client.get('/user/status')).json()).toEqual(before)
    expect((await world.as('anonymous').patch('/user/status', {})).statusCode).toBe(401)
  })
})

describe('/user/preferences', () => {
  it('are shown and changed, one or both', async () => {
    const { user, client } = await world.newUser()
    const shown = {
      id: user.id,
      user_id: user.id,
      view_diffs_file_by_file: false,
      show_whitespace_in_diffs: true,
      language: 'system',
      theme: 'system',
      density: 'roomy',
      tab_width: 4,
      single_keys: true,
    }
    expect((await client.get('/user/preferences')).json()).toEqual(shown)
    const changed = { ...shown, show_whitespace_in_diffs: false }
    const answer = await client.put('/user/preferences', { show_whitespace_in_diffs: false })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual(changed)
    await client.put('/user/preferences', { view_diffs_file_by_file: true })
    expect((await client.get('/user/preferences')).json()).toEqual({
      ...changed,
      view_diffs_file_by_file: true,
    })
    const other = await world.newUser()
    const look = {
      language: 'de',
      theme: 'dark',
      density: 'compact',
      tab_width: 2,
      single_keys: false,
    }
    expect((await client.put('/user/preferences', look)).json()).toEqual({
      ...changed,
      view_diffs_file_by_file: true,
      ...look,
    })
    expect((await other.client.get('/user/preferences')).json()).toEqual({
      ...shown,
      id: other.user.id,
      user_id: other.user.id,
    })
  })

  it.each([
    [
      {},
      {
        error:
          'view_diffs_file_by_file, show_whitespace_in_diffs, language, theme, density, tab_width, single_keys are missing, at least one parameter must be provided',
      },
    ],
    [{ view_diffs_file_by_file: 'x' }, { error: 'view_diffs_file_by_file is invalid' }],
    [{ theme: 'pink' }, { error: 'theme does not have a valid value' }],
    [{ language: 'xx' }, { error: 'language does not have a valid value' }],
    [{ tab_width: 17 }, { error: 'tab_width does not have a valid value' }],
  ])('answers %j with 400', async (body, expected) => {
    const answer = await world.as('guest').put('/user/preferences', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })

  it('answers an anonymous caller with 401', async () => {
    expect((await world.as('anonymous').get('/user/preferences')).statusCode).toBe(401)
    const body = { view_diffs_file_by_file: true }
    expect((await world.as('anonymous').put('/user/preferences', body)).statusCode).toBe(401)
  })
})
