import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test/kit/app.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'

let world: World
let freeApp: TestApp
beforeAll(async () => {
  world = await newWorld()
  freeApp = await startApp({ BLOOMERY_TIER: 'free' })
})
afterAll(() => freeApp.close())

const id = expect.any(Number)
const forNoOne = { user_id: null, group_id: null }
const maintainers = { id, access_level: 40, access_level_description: 'Maintainers', ...forNoOne }
const nobody = { id, access_level: 0, access_level_description: 'No one', ...forNoOne }

/** A group, a group below it, and a project in that one with the file `a` on `main`. */
async function newTree() {
  const owner = world.as('owner')
  const group = await world.newMemberedGroup()
  const sub = (
    await owner.post('/groups', { name: 'Sub', path: 'sub', parent_id: group.id })
  ).json()
  const project = (await owner.post('/projects', { name: 'p', namespace_id: sub.id })).json()
  const url = `/groups/${group.id}/protected_branches`
  const projectUrl = `/projects/${project.id}`
  await owner.post(`${projectUrl}/repository/files/a`, {
    branch: 'main',
    commit_message: 'Begin',
    content: 'a',
  })
  const commit = async (who: Who, branch: string) => {
    const body = {
      branch,
      commit_message: 'm',
      actions: [{ action: 'create', file_path: `${who}-${Math.random()}` }],
    }
    return (await world.as(who).post(`${projectUrl}/repository/commits`, body)).statusCode
  }
  const protect = (body: object, who: Who = 'owner') => world.as(who).post(url, body)
  const branch = (name: string) =>
    owner.post(`${projectUrl}/repository/branches`, { branch: name, ref: 'main' })
  return { group, sub, url, projectUrl, commit, protect, branch }
}

describe('/groups/:id/protected_branches', () => {
  it.each([
    ['anonymous', 'shut', 401],
    ['outsider', 'shut', 404],
    ['outsider', 'open', 403],
    ['maintainer', 'shut', 403],
    ['owner', 'shut', 404],
  ] as const)('answers %s of the %s group with %i', async (who, place, status) => {
    const url = `/groups/${world.groups[place].id}/protected_branches`
    const client = world.as(who)
    const answers = [
      await client.get(`${url}/none`),
      await client.patch(`${url}/none`, { allow_force_push: true }),
      await client.delete(`${url}/none`),
    ]
    for (const { statusCode } of answers) {
      // Who has no account is asked to sign in before anything is said of the group.
      expect([status, 401, 404]).toContain(statusCode)
    }
    expect(answers[0]?.statusCode).toBe(status)
  })

  it('are made, listed, changed and ended by Owners', async () => {
    const { url, protect } = await newTree()
    const owner = world.as('owner')
    const made = await protect({ name: 'stable/*', push_access_level: 0 })
    const record = {
      id,
      name: 'stable/*',
      push_access_levels: [nobody],
      merge_access_levels: [maintainers],
      unprotect_access_levels: [maintainers],
      allow_force_push: false,
      code_owner_approval_required: false,
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const again = await protect({ name: 'stable/*' })
    expect([again.statusCode, again.json()]).toEqual([
      409,
      { message: "Protected branch 'stable/*' already exists" },
    ])
    await protect({ name: 'main' })
    const list = await owner.get(`${url}?search=STABLE`)
    expect([list.json(), list.headers['x-total']]).toEqual([[made.json()], '1'])
    const one = `${url}/${encodeURIComponent('stable/*')}`
    expect((await owner.get(one)).json()).toEqual(made.json())
    const changed = await owner.patch(one, {
      allow_force_push: true,
      allowed_to_push: [{ user_id: world.users.developer.id }],
    })
    expect(changed.json()).toMatchObject({
      allow_force_push: true,
      push_access_levels: [nobody, { user_id: world.users.developer.id, access_level: null }],
    })
    expect((await owner.delete(one)).statusCode).toBe(204)
    const gone = await owner.get(one)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not found' }])
    const events = await owner.get(`${url.replace('/protected_branches', '')}/audit_events`)
    expect(events.body).toContain('stable/*')
  })

  it('are of top-level groups alone, and name nobody from elsewhere', async () => {
    const { group, sub, protect } = await newTree()
    const below = await world
      .as('owner')
      .post(`/groups/${sub.id}/protected_branches`, { name: 'x' })
    expect([below.statusCode, below.json()]).toEqual([
      422,
      { message: ['cannot be associated with a subgroup'] },
    ])
    const outsider = [{ user_id: world.users.outsider.id }]
    const refused = await protect({ name: 'x', allowed_to_push: outsider })
    expect([refused.statusCode, refused.json()]).toEqual([
      422,
      { message: ['Push access levels user is not a member of the group'] },
    ])
    const share = async (to: number, more: object = {}) => {
      const invited = await world.newGroup()
      const invitation = { group_id: invited.id, group_access: 30, ...more }
      await world.as('admin').post(`/groups/${to}/share`, invitation)
      return { group_id: invited.id }
    }
    const elsewhere = await share(world.groups.open.id)
    const foreign = await protect({ name: 'x', allowed_to_push: [elsewhere] })
    expect([foreign.statusCode, foreign.json()]).toEqual([
      422,
      { message: ['Push access levels group does not have access to the group'] },
    ])
    const invited = [await share(group.id), await share(group.id, { expires_at: '2026-06-01' })]
    const taken = await protect({ name: 'of-groups', allowed_to_push: invited })
    expect([taken.statusCode, taken.json().push_access_levels]).toMatchObject([201, invited])
    const blank = await protect({ name: ' ' })
    expect([blank.statusCode, blank.json()]).toEqual([422, { message: ["Name can't be blank"] }])
  })

  it('are found and counted for each group', async () => {
    const [one, two] = [await newTree(), await newTree()]
    const ofOne = (await one.protect({ name: 'stable', push_access_level: 0 })).json()
    const ofTwo = (await two.protect({ name: 'stable', push_access_level: 40 })).json()
    const levels = [ofOne, ofTwo].map(({ push_access_levels }) => push_access_levels)
    expect(levels).toEqual([[nobody], [maintainers]])
    const owner = world.as('owner')
    expect((await owner.get(one.url)).json()).toEqual([ofOne])
    expect((await owner.get(`${one.url}/stable`)).json()).toEqual(ofOne)
    expect((await owner.get(`${two.url}/stable`)).json()).toEqual(ofTwo)
    const most = limits.group_protected_branches_max
    const rules = Array.from({ length: most - 1 }, (_one, n) => ({
      namespace_id: one.group.id,
      name: `full-${n}`,
      created_at: '2026-03-01T12:00:00.000Z',
    }))
    await world.app.db.insertInto('protected_branches').values(rules).execute()
    const full = await one.protect({ name: 'one-more' })
    expect([full.statusCode, full.json()]).toEqual([
      422,
      { message: [`A group has at most ${most} protected branches`] },
    ])
    expect((await two.protect({ name: 'one-more' })).statusCode).toBe(201)
  })

  it('hold for the projects in and below the group, which cannot loosen them', async () => {
    const { url, projectUrl, commit, protect, branch } = await newTree()
    await branch('stable/1')
    expect(await commit('developer', 'stable/1')).toBe(201)
    const made = (await protect({ name: 'stable/*' })).json()
    expect(await commit('developer', 'stable/1')).toBe(403)
    expect(await commit('maintainer', 'stable/1')).toBe(201)
    const owner = world.as('owner')
    const rules = `${projectUrl}/protected_branches`
    const shown = (await owner.get(rules)).json()
    expect(shown).toEqual([
      expect.objectContaining({ name: 'main', inherited: false }),
      { ...made, inherited: true },
    ])
    const inherited = `${rules}/${encodeURIComponent('stable/*')}`
    expect((await owner.get(inherited)).json()).toEqual({ ...made, inherited: true })
    expect((await owner.delete(inherited)).statusCode).toBe(404)
    expect((await owner.patch(inherited, { allow_force_push: true })).statusCode).toBe(404)
    // A rule of the project that lets Developers push does not let them.
    const own = { name: 'stable/*', push_access_level: 30, allow_force_push: true }
    expect((await owner.post(rules, own)).statusCode).toBe(201)
    expect(await commit('developer', 'stable/1')).toBe(403)
    expect((await owner.get(inherited)).json()).toMatchObject({ inherited: false })
    const force = {
      branch: 'stable/1',
      start_branch: 'main',
      force: true,
      commit_message: 'm',
      actions: [{ action: 'create', file_path: 'forced' }],
    }
    const forced = await world.as('maintainer').post(`${projectUrl}/repository/commits`, force)
    expect(forced.statusCode).toBe(400)
    expect(forced.json().message).toMatch(/force push/)
    // One that is stricter counts.
    await owner.delete(inherited)
    await owner.post(rules, { name: 'stable/*', push_access_level: 0 })
    expect(await commit('maintainer', 'stable/1')).toBe(403)
    await owner.delete(inherited)
    expect((await owner.delete(`${url}/${encodeURIComponent('stable/*')}`)).statusCode).toBe(204)
    expect(await commit('developer', 'stable/1')).toBe(201)
    const branches = await owner.get(
      `${projectUrl}/repository/branches/${encodeURIComponent('stable/1')}`,
    )
    expect(branches.json().protected).toBe(false)
  })

  it('are unknown on the free tier', async () => {
    const free = await newWorld(freeApp)
    const url = `/groups/${free.groups.shut.id}/protected_branches`
    expect((await free.as('owner').get(url)).statusCode).toBe(404)
    const rules = await free
      .as('owner')
      .get(`/projects/${free.projects.shut.id}/protected_branches`)
    expect(rules.statusCode).toBe(200)
    expect(rules.json()[0] ?? {}).not.toHaveProperty('inherited')
  })
})
