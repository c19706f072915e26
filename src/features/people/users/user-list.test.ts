import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { Level } from '../../../access/level.ts'
import type { User } from '../../../subjects/user.ts'
import { insertMember } from '../members/member.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const ids = async (who: Who, query: string) => {
  const answer = await world.as(who).get(`/users?per_page=100&${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json().map(({ id }: User) => id) as number[]
}

/** Users whose names have a word of their own in common, made in this order. */
async function people(...fields: Parameters<World['newUser']>[0][]) {
  const word = `w${Math.random().toString(36).slice(2)}`
  const made: User[] = []
  for (const given of fields) {
    const name = `${given?.name ?? 'Somebody'} ${word}`
    made.push((await world.newUser({ ...given, name })).user)
  }
  return { word, made, search: `search=${word}` }
}

describe('GET /user/activities', () => {
  it.each([
    ['anonymous', 401, { message: '401 Unauthorized' }],
    ['owner', 403, { message: '403 Forbidden' }],
  ] as const)('answers %s with %i', async (who, status, body) => {
    const answer = await world.as(who).get('/user/activities')
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it('lists who did something since, in the past six months unless told', async () => {
    const own = await startApp()
    try {
      const { as, newUser } = await newWorld(own)
      const admin = as('admin')
      const names = async (query = '') => {
        const answer = await admin.get(`/user/activities?per_page=2${query}`)
        return [answer.json(), answer.headers['x-total']]
      }
      const seen = async (last_activity_on: string) => {
        const { user } = await newUser({ last_activity_on })
        return { username: user.username, last_activity_on, last_activity_at: last_activity_on }
      }
      const today = '2026-03-01'
      const root = { username: 'root', last_activity_on: today, last_activity_at: today }
      const [old, first, last] = [
        await seen('2025-08-31'),
        await seen('2025-09-01'),
        await seen('2026-02-28'),
      ]
      expect(await names()).toEqual([[first, last], '3'])
      expect(await names('&page=2')).toEqual([[root], '3'])
      expect(await names('&from=2025-08-31')).toEqual([[old, first], '4'])
      expect(await names('&from=2026-02-28')).toEqual([[last, root], '2'])
      expect(await names('&from=2026-03-02')).toEqual([[], '0'])
      // On 28 February six months reach back to 28 August.
      own.clock.advance(-24 * 60 * 60_000)
      expect((await names())[1]).toBe('4')
      const bad = await admin.get('/user/activities?from=x')
      expect([bad.statusCode, bad.json()]).toEqual([400, { error: 'from is invalid' }])
    } finally {
      await own.close()
    }
  })
})

describe('GET /users as administrator', () => {
  it('is in the order that is asked for, the newest first by default', async () => {
    const { search, made } = await people({ name: 'b' }, { name: 'c' }, { name: 'a' })
    const [b = 0, c = 0, a = 0] = made.map(({ id }) => id)
    expect(await ids('admin', search)).toEqual([a, c, b])
    expect(await ids('admin', `${search}&sort=asc`)).toEqual([b, c, a])
    expect(await ids('admin', `${search}&order_by=name&sort=asc`)).toEqual([a, b, c])
    expect(await ids('admin', `${search}&order_by=name`)).toEqual([c, b, a])
    expect(await ids('admin', `${search}&order_by=username&sort=asc`)).toEqual(
      [...made].sort((x, y) => (x.username < y.username ? -1 : 1)).map(({ id }) => id),
    )
    // All of the same instant: the id decides, in the same direction.
    expect(await ids('admin', `${search}&order_by=created_at&sort=asc`)).toEqual([b, c, a])
    expect(await ids('admin', `${search}&order_by=updated_at`)).toEqual([a, c, b])
  })

  it.each([
    ['order_by=email', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['created_after=soon', 'created_after is invalid'],
    ['admins=maybe', 'admins is invalid'],
    ['extern_uid=1', 'extern_uid, provider provide all or none of parameters'],
    ['provider=ldap', 'extern_uid, provider provide all or none of parameters'],
    ['saml_provider_id=x', 'saml_provider_id is invalid'],
    ['per_page=0', 'per_page has a value not allowed'],
  ])('answers %s with 400', async (query, error) => {
    const answer = await world.as('admin').get(`/users?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ error })
  })

  it('finds those who wait for approval, for administrators alone', async () => {
    const { search, made } = await people(
      { state: 'blocked_pending_approval' },
      { state: 'blocked' },
      {},
    )
    const [waiting = 0] = made.map(({ id }) => id)
    const query = `${search}&blocked_pending_approval=true`
    expect(await ids('admin', query)).toEqual([waiting])
    expect((await ids('owner', query)).length).toBeGreaterThan(1)
  })

  it('finds who is active, or blocked, and counts no user of the server itself', async () => {
    const { search, made } = await people(
      {},
      { state: 'blocked' },
      { state: 'deactivated' },
      { state: 'banned' },
      { user_type: 'alert_bot' },
    )
    const [active, blocked, deactivated, banned] = made.map(({ id }) => id)
    expect(await ids('admin', `${search}&active=true&sort=asc`)).toEqual([active])
    expect(await ids('admin', `${search}&blocked=true`)).toEqual([blocked])
    expect(await ids('admin', `${search}&exclude_internal=true&sort=asc`)).toEqual([
      active,
      blocked,
      deactivated,
      banned,
    ])
  })

  it('filters by time of creation, bounds included', async () => {
    const { search, made } = await people(
      { created_at: '2020-01-01T00:00:00.000Z' } as object,
      { created_at: '2020-01-02T00:00:00.000Z' } as object,
    )
    const { db } = world.app
    for (const [index, { id }] of made.entries()) {
      const created_at = `2020-01-0${index + 1}T00:00:00.000Z`
      await db.updateTable('users').set({ created_at }).where('id', '=', id).execute()
    }
    const [first, second] = made.map(({ id }) => id)
    expect(await ids('admin', `${search}&created_after=2020-01-02T00:00:00Z`)).toEqual([second])
    expect(await ids('admin', `${search}&created_before=2020-01-01T00:00:00Z`)).toEqual([first])
    expect(await ids('admin', `${search}&created_before=2020-01-01`)).toEqual([first])
    // For others it is dropped, not refused (docs/api/users.md, "List").
    expect((await ids('guest', `${search}&created_before=2020-01-01`)).sort()).toEqual([
      first,
      second,
    ])
  })

  it('finds administrators', async () => {
    const { search, made } = await people({ is_admin: true }, {})
    expect(await ids('admin', `${search}&admins=true`)).toEqual([made[0]?.id])
    expect(await ids('admin', `${search}&admins=false`)).toHaveLength(2)
    expect(await ids('guest', `${search}&admins=true`)).toHaveLength(2)
  })

  it('finds users without projects: own, of their groups, or shared', async () => {
    const { search, made } = await people({}, {}, {}, {})
    const [none, own, member, inherits] = made.map(({ id }) => id)
    await world.as('admin').post(`/projects/user/${own}`, { name: 'p' })
    const body = (user_id = 0) => ({ user_id, access_level: 10 })
    await world.as('admin').post(`/projects/${world.projects.shut.id}/members`, body(member))
    await world.as('admin').post(`/groups/${world.groups.shut.id}/members`, body(inherits))
    expect(await ids('admin', `${search}&without_projects=true`)).toEqual([none])
    expect(await ids('admin', `${search}&without_projects=false`)).toHaveLength(4)
  })

  it('finds a user by identity, and shows it', async () => {
    const { made } = await people({}, {})
    const path = `/users/${made[0]?.id}`
    const uid = `uid-${made[0]?.id}`
    await world.as('admin').put(path, { provider: 'ldapmain', extern_uid: uid })
    const other = { provider: 'ldapmain', extern_uid: `${uid}-other` }
    await world.as('admin').put(`/users/${made[1]?.id}`, other)
    expect(await ids('admin', `provider=ldapmain&extern_uid=${uid}`)).toEqual([made[0]?.id])
    expect(await ids('admin', `provider=other&extern_uid=${uid}`)).toEqual([])
    const [shown] = (await world.as('admin').get(`/users?username=${made[0]?.username}`)).json()
    expect(shown.identities).toEqual([{ provider: 'ldapmain', extern_uid: uid }])
  })

  it('searches every address of a user, of whom others find the public one alone', async () => {
    const { made } = await people({})
    const user = made[0]
    if (!user) throw new Error('Nobody was made.')
    const second = `second-${user.email}`
    await world.as('admin').post(`/users/${user.id}/emails`, { email: second })
    expect(await ids('admin', `search=${second.toUpperCase()}`)).toEqual([user.id])
    expect(await ids('admin', `search=${user.email}`)).toEqual([user.id])
    expect(await ids('admin', `search=${second.slice(1)}`)).toEqual([])
    expect(await ids('guest', `search=${second}`)).toEqual([])
    expect(await ids('guest', `search=${user.email}`)).toEqual([])
  })

  it('finds who has two-factor sign-in, and who has not', async () => {
    const { search, made } = await people({}, {})
    const [on = 0, off = 0] = made.map(({ id }) => id)
    await world.app.db
      .updateTable('users')
      .set({ two_factor_enabled: true })
      .where('id', '=', on)
      .execute()
    expect(await ids('admin', `${search}&two_factor=enabled`)).toEqual([on])
    expect(await ids('admin', `${search}&two_factor=disabled`)).toEqual([off])
  })

  it('tells others nothing of identities', async () => {
    const guest = await world.as('guest').get('/users?provider=a&extern_uid=b')
    expect(guest.statusCode).toBe(403)
    expect(guest.json()).toEqual({ message: '403 Forbidden' })
    const nobody = await world.as('anonymous').get('/users?provider=a&extern_uid=b')
    expect(nobody.statusCode).toBe(401)
    expect(nobody.json()).toEqual({ message: '401 Unauthorized' })
  })

  it('finds those who come through the SAML sign-in of a group', async () => {
    const { made } = await people({}, {})
    const group_id_for_saml = world.groups.shut.id
    const identity = { provider: 'group_saml', extern_uid: `saml-${made[0]?.id}` }
    const path = `/users/${made[0]?.id}`
    const changed = await world.as('admin').put(path, { ...identity, group_id_for_saml })
    expect(changed.json().identities).toEqual([
      { ...identity, saml_provider_id: group_id_for_saml },
    ])
    const other = { ...identity, extern_uid: `saml-${made[1]?.id}` }
    const username = made[1]?.username ?? ''
    const namespace = (await world.as('admin').get(`/namespaces/${username}`)).json()
    expect(namespace).toMatchObject({ kind: 'user', path: username })
    const ofUser = { ...other, group_id_for_saml: namespace.id }
    const ofNoGroup = await world.as('admin').put(`/users/${made[1]?.id}`, ofUser)
    expect(ofNoGroup.json().identities).toEqual([{ ...other, saml_provider_id: null }])
    expect(await ids('admin', `saml_provider_id=${group_id_for_saml}`)).toEqual([made[0]?.id])
    expect(await ids('admin', 'saml_provider_id=999999')).toEqual([])
  })

  it('asks the database as often for six as for one', async () => {
    const ask = (n: number) => world.as('admin').get(`/users?per_page=${n}&order_by=name`)
    await ask(1)
    const one = await world.app.count(() => ask(1))
    // The caller, the page, the total, and what the records need beside it.
    expect(one).toEqual({ queries: 4, processes: 0 })
    expect(await world.app.count(() => ask(6))).toEqual(one)
  })

  it('tells the total of a page that is not full without counting', async () => {
    const { search } = await people({}, {}, {})
    const ask = (page: number) => world.as('guest').get(`/users?${search}&per_page=2&page=${page}`)
    const last = await ask(2)
    expect(last.headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2', 'x-next-page': '' })
    expect(await world.app.count(() => ask(2))).toEqual({ queries: 2, processes: 0 })
    expect((await ask(1)).headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' })
    const beyond = await ask(3)
    expect(beyond.json()).toEqual([])
    expect(beyond.headers).toMatchObject({ 'x-total': '3', 'x-page': '3' })
    const none = await world.as('guest').get(`/users?${search}-nobody`)
    expect(none.headers).toMatchObject({ 'x-total': '0', 'x-total-pages': '1' })
  })

  it('counts projects against the limit, and seats', async () => {
    const { made } = await people({ projects_limit: 1 }, { projects_limit: 1 })
    const [busy, idle] = made
    const role = { user_id: idle?.id ?? 0, namespace_id: world.groups.shut.id }
    const created_at = '2026-03-01T12:00:00.000Z'
    await insertMember(world.app.db, { ...role, access_level: Level.guest, created_at })
    await world.as('admin').post(`/projects/user/${busy?.id}`, { name: 'p' })
    const shown = async (user: User | undefined) =>
      (await world.as('admin').get(`/users?username=${user?.username}`)).json()[0]
    expect(await shown(busy)).toMatchObject({ can_create_project: false, using_license_seat: true })
    expect(await shown(idle)).toMatchObject({ can_create_project: true, using_license_seat: false })
    // One that is being deleted counts no longer.
    const [{ id }] = (await world.as('admin').get(`/users/${busy?.id}/projects`)).json()
    expect((await world.as('admin').delete(`/projects/${id}`)).statusCode).toBe(202)
    expect(await shown(busy)).toMatchObject({ can_create_project: true })
  })
})

describe('the search of GET /users', () => {
  it('ranks the whole name, user name and address above parts, for others than administrators', async () => {
    const word = `q${Math.random().toString(36).slice(2)}`
    const byName = await world.newUser({ name: word.toUpperCase() })
    const part = await world.newUser({ name: `A ${word} Z` })
    const byMail = await world.newUser({ name: 'C', public_email: `${word}@x.test` })
    const byUsername = await world.newUser({ name: `D ${word}`, username: word })
    const expected = [byName, byUsername, part].map(({ user }) => user.id)
    expect(await ids('guest', `search=${word}`)).toEqual(expected)
    expect(await ids('guest', `search=@${word}`)).toEqual(expected)
    expect(await ids('guest', `search=${word}@x.test`)).toEqual([byMail.user.id])
    expect(await ids('guest', `search=${word}&order_by=id&sort=asc`)).toEqual(expected)
    expect(await ids('admin', `search=${word}`)).toEqual([
      byUsername.user.id,
      part.user.id,
      byName.user.id,
    ])
  })

  it('takes a short one for a whole name', async () => {
    const short = await world.newUser({ name: 'Qz' })
    expect(await ids('guest', 'search=qz')).toEqual([short.user.id])
    expect(await ids('guest', 'search=q')).toEqual([])
  })

  it('takes the signs of patterns for themselves', async () => {
    expect(await ids('guest', 'search=%25%25%25')).toEqual([])
    expect(await ids('guest', 'search=___')).toEqual([])
    expect(await ids('guest', "search='''")).toEqual([])
  })
})

describe('on the base tier', () => {
  it('has neither fields nor parameters of the paid tiers', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const free = await newWorld(app)
      const { user } = await free.newUser()
      const answer = await free.as('admin').put(`/users/${user.id}`, {
        shared_runners_minutes_limit: 5,
        provider: 'group_saml',
        extern_uid: 'x',
        group_id_for_saml: free.groups.open.id,
      })
      expect(answer.statusCode).toBe(200)
      const record = answer.json()
      for (const field of [
        'plan',
        'trial',
        'shared_runners_minutes_limit',
        'extra_shared_runners_minutes_limit',
        'is_auditor',
        'using_license_seat',
        'provisioned_by_group_id',
      ]) {
        expect(record).not.toHaveProperty(field)
      }
      expect(record.identities).toEqual([{ provider: 'group_saml', extern_uid: 'x' }])
      const all = await free.as('admin').get('/users?saml_provider_id=999')
      expect(all.json().length).toBeGreaterThan(1)
    } finally {
      await app.close()
    }
  })
})
