import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test/kit/app.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { Level } from '../../../access/level.ts'
import type { Project } from '../../../subjects/project.ts'

let freeApp: TestApp
/** On an instance of the free tier. */
let world: World
/** On one that has everything. */
let paid: World
beforeAll(async () => {
  freeApp = await startApp({ BLOOMERY_TIER: 'free' })
  world = await newWorld(freeApp)
  paid = await newWorld()
})
afterAll(() => freeApp.close())

const rulesUrl = (project: Project, query = '') =>
  `/projects/${project.id}/protected_branches${query}`
const ruleUrl = (project: Project, name: string) =>
  rulesUrl(project, `/${encodeURIComponent(name)}`)
const protect = (project: Project, body: object, who: Who = 'maintainer', at = world) =>
  at.as(who).post(rulesUrl(project), body)
const namesOf = (answer: { json: () => { name: string }[] }) =>
  answer.json().map(({ name }) => name)

const maintainers = {
  id: expect.any(Number),
  access_level: 40,
  access_level_description: 'Maintainers',
}
const developers = {
  id: expect.any(Number),
  access_level: 30,
  access_level_description: 'Developers + Maintainers',
}
const nobody = { id: expect.any(Number), access_level: 0, access_level_description: 'No one' }
const admins = {
  id: expect.any(Number),
  access_level: 60,
  access_level_description: 'Instance admins',
}
const forNoOne = { user_id: null, group_id: null }

async function commitAs(who: Who, project: Project, branch: string, at = world): Promise<number> {
  const answer = await at.as(who).post(`/projects/${project.id}/repository/commits`, {
    branch,
    commit_message: 'm',
    actions: [{ action: 'create', file_path: `by-${who}-${Math.random()}` }],
  })
  return answer.statusCode
}

describe('GET /projects/:id/protected_branches', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
    ['maintainer', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const list = await world.as(who).get(rulesUrl(world.projects[place]))
    const one = await world.as(who).get(ruleUrl(world.projects[place], 'main'))
    expect([list.statusCode, one.statusCode]).toEqual([status, status])
    if (status === 404) expect(list.json()).toEqual({ message: '404 Project Not Found' })
    if (status === 403) expect(list.json()).toEqual({ message: '403 Forbidden' })
  })

  it('answers whole records in the order they were made, with totals', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await protect(project, { name: 'z/*', push_access_level: 0, merge_access_level: 30 })
    await protect(project, { name: 'b', allow_force_push: true })
    const answer = await world.as('reporter').get(rulesUrl(project))
    const id = expect.any(Number)
    const rule = { id, allow_force_push: false, code_owner_approval_required: false }
    const held = { push_access_levels: [maintainers], merge_access_levels: [maintainers] }
    expect(answer.json()).toEqual([
      { ...rule, ...held, name: 'main' },
      { ...rule, name: 'z/*', push_access_levels: [nobody], merge_access_levels: [developers] },
      { ...rule, ...held, name: 'b', allow_force_push: true },
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '3', 'x-page': '1' })
    const second = await world.as('reporter').get(rulesUrl(project, '?per_page=2&page=2'))
    expect(namesOf(second)).toEqual(['b'])
    expect(second.headers).toMatchObject({ 'x-total': '3', 'x-prev-page': '1', 'x-next-page': '' })
  })

  it('finds rules by a part of their text in any case', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    for (const name of ['*-stable', 'Stable/*', 'other_', 'otherx'])
      await protect(project, { name })
    const found = async (search: string) =>
      namesOf(
        await world.as('reporter').get(rulesUrl(project, `?search=${encodeURIComponent(search)}`)),
      )
    expect(await found('STABLE')).toEqual(['*-stable', 'Stable/*'])
    expect(await found('*')).toEqual(['*-stable', 'Stable/*'])
    expect(await found('r_')).toEqual(['other_'])
    expect(await found('1-stable')).toEqual([])
  })

  it('takes the same few queries for any number of rules', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    for (const name of ['a', 'b', 'c']) await protect(project, { name })
    const counted = await world.app.count(() => world.as('reporter').get(rulesUrl(project)))
    expect(counted).toEqual({ queries: 5, processes: 0 })
  })
})

describe('GET /projects/:id/protected_branches/:name', () => {
  it('finds a rule by its very text, not by what it matches', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const { unprotect_access_levels: _, ...made } = (
      await protect(project, { name: 'feat/*' })
    ).json()
    const answer = await world.as('reporter').get(ruleUrl(project, 'feat/*'))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual(made)
    for (const name of ['feat/a', 'FEAT/*', '*', 'nothing']) {
      const missing = await world.as('reporter').get(ruleUrl(project, name))
      expect(missing.statusCode).toBe(404)
      expect(missing.json()).toEqual({ message: '404 Not found' })
    }
  })
})

describe('POST /projects/:id/protected_branches', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['developer', 'shut', 403],
    ['maintainer', 'shut', 201],
    ['admin', 'shut', 201],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await protect(world.projects[place], { name: `by-${who}` }, who)
    expect(answer.statusCode).toBe(status)
    if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
  })

  it('answers the rule with who may end it; Maintainers by default', async () => {
    const project = await world.newProject()
    const answer = await protect(project, { name: 'not-there-yet' })
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      name: 'not-there-yet',
      push_access_levels: [maintainers],
      merge_access_levels: [maintainers],
      unprotect_access_levels: [maintainers],
      allow_force_push: false,
      code_owner_approval_required: false,
    })
  })

  it('takes a level for each action, as a form too', async () => {
    const project = await world.newProject()
    const answer = await world
      .as('maintainer')
      .post(
        rulesUrl(project),
        'name=*-stable&push_access_level=60&merge_access_level=0&unprotect_access_level=30&allow_force_push=true',
        { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      )
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      name: '*-stable',
      push_access_levels: [admins],
      merge_access_levels: [nobody],
      unprotect_access_levels: [developers],
      allow_force_push: true,
    })
  })

  it.each<readonly [object, number, object]>([
    [{}, 400, { error: 'name is missing' }],
    [
      { name: 'a', push_access_level: 20, merge_access_level: 'x' },
      400,
      { error: 'push_access_level does not have a valid value, merge_access_level is invalid' },
    ],
    [
      { name: 'a', unprotect_access_level: 0 },
      400,
      { error: 'unprotect_access_level does not have a valid value' },
    ],
    [{ name: 'main' }, 409, { message: "Protected branch 'main' already exists" }],
    [{ name: ' ' }, 422, { message: ["Name can't be blank"] }],
    [{ name: 'n'.repeat(256) }, 422, { message: ['Name is too long (maximum is 255 characters)'] }],
  ])('refuses %j with %i', async (body, status, expected) => {
    const answer = await protect(world.projects.shut, body)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected)
  })

  it('ignores on the free tier what only paid ones have', async () => {
    const project = await world.newProject()
    const answer = await protect(project, {
      name: 'a',
      allowed_to_push: [{ user_id: world.users.developer.id }],
      code_owner_approval_required: true,
    })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      push_access_levels: [maintainers],
      code_owner_approval_required: false,
    })
  })

  it('holds for commits at once: the rules that match add up', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const branch = '1-0-stable'
    await world.commit(project, { b: 'b' }, { branch, start_branch: 'main' })
    expect(await commitAs('developer', project, branch)).toBe(201)
    await protect(project, { name: '*-stable', push_access_level: 0 })
    expect(await commitAs('developer', project, branch)).toBe(403)
    expect(await commitAs('owner', project, branch)).toBe(403)
    expect(await commitAs('admin', project, branch)).toBe(201)
    await protect(project, { name: branch, push_access_level: 30 })
    expect(await commitAs('developer', project, branch)).toBe(201)
  })
})

it('A rule of a project holds for no other project', async () => {
  const [one, other] = [
    await world.newProject({ files: { a: 'a' } }),
    await world.newProject({ files: { a: 'a' } }),
  ]
  for (const project of [one, other]) {
    await world.commit(project, { b: 'b' }, { branch: 'x', start_branch: 'main' })
  }
  await protect(one, { name: '*', push_access_level: 0 })
  expect(await commitAs('developer', one, 'x')).toBe(403)
  expect(await commitAs('developer', other, 'x')).toBe(201)
})

describe('POST /projects/:id/protected_branches on a paid tier', () => {
  it('admits users, groups and roles, and tells their names', async () => {
    const project = await paid.newProject({ files: { a: 'a' } })
    const group = await paid.newMemberedGroup()
    const { developer } = paid.users
    await paid
      .as('owner')
      .post(`/projects/${project.id}/share`, { group_id: group.id, group_access: 30 })
    const answer = await protect(
      project,
      {
        name: 'release/*',
        allowed_to_push: [{ user_id: developer.id }, { group_id: group.id }],
        allowed_to_merge: [{ access_level: 30 }, { access_level: 30 }],
        allowed_to_unprotect: [{ access_level: 60 }],
        code_owner_approval_required: true,
      },
      'maintainer',
      paid,
    )
    expect(answer.statusCode).toBe(201)
    const record = {
      id: expect.any(Number),
      name: 'release/*',
      push_access_levels: [
        {
          id: expect.any(Number),
          access_level: null,
          access_level_description: developer.name,
          user_id: developer.id,
          group_id: null,
        },
        {
          id: expect.any(Number),
          access_level: null,
          access_level_description: group.name,
          user_id: null,
          group_id: group.id,
        },
      ],
      merge_access_levels: [{ ...developers, ...forNoOne }],
      unprotect_access_levels: [{ ...admins, ...forNoOne }],
      allow_force_push: false,
      code_owner_approval_required: true,
      inherited: false,
    }
    expect(answer.json()).toEqual(record)
    const got = await paid.as('reporter').get(ruleUrl(project, 'release/*'))
    expect(got.json()).toEqual(record)
  })

  it('keeps the name of a private group from those who cannot see it', async () => {
    const project = await paid.newProject({ group: paid.groups.open, files: { a: 'a' } })
    const group = await paid.newGroup()
    const share = { group_id: group.id, group_access: 30 }
    await paid.as('admin').post(`/projects/${project.id}/share`, share)
    const rule = { name: 'x', allowed_to_push: [{ group_id: group.id }] }
    expect((await protect(project, rule, 'admin', paid)).statusCode).toBe(201)
    const described = async (who: Who) =>
      (await paid.as(who).get(ruleUrl(project, 'x'))).json().push_access_levels[0]
        .access_level_description
    expect(await described('admin')).toBe(group.name)
    expect(await described('anonymous')).toBe('A private group')
  })

  it('lets those listed push, and nobody else', async () => {
    const project = await paid.newProject({ files: { a: 'a' } })
    await paid.commit(project, { b: 'b' }, { branch: 'x', start_branch: 'main' })
    const listed = [{ user_id: paid.users.developer.id }]
    await protect(project, { name: 'x', allowed_to_push: listed }, 'maintainer', paid)
    expect(await commitAs('developer', project, 'x', paid)).toBe(201)
    expect(await commitAs('maintainer', project, 'x', paid)).toBe(403)
  })

  it('lets members of a listed group push who may push at all', async () => {
    const project = await paid.newProject({ files: { a: 'a' } })
    await paid.commit(project, { b: 'b' }, { branch: 'x', start_branch: 'main' })
    const group = await paid.newMemberedGroup()
    const share = { group_id: group.id, group_access: 30 }
    await paid.as('owner').post(`/projects/${project.id}/share`, share)
    const rule = { name: 'x', allowed_to_push: [{ group_id: group.id }] }
    await protect(project, rule, 'maintainer', paid)
    const newcomer = await paid.newUser()
    await paid
      .as('owner')
      .post(`/projects/${project.id}/members`, { user_id: newcomer.user.id, access_level: 40 })
    expect(await commitAs('developer', project, 'x', paid)).toBe(201)
    const refused = await newcomer.client.post(`/projects/${project.id}/repository/commits`, {
      branch: 'x',
      commit_message: 'm',
      actions: [{ action: 'create', file_path: 'n' }],
    })
    expect(refused.statusCode).toBe(403)
  })

  it('refuses users without access and groups the project is not shared with', async () => {
    const project = await paid.newProject()
    const group = await paid.newMemberedGroup()
    const body = {
      name: 'x',
      allowed_to_push: [{ user_id: paid.users.outsider.id }],
      allowed_to_unprotect: [{ user_id: 999_999 }, { user_id: 999_998 }],
      allowed_to_merge: [{ group_id: group.id }],
    }
    // What they have elsewhere is no access to this project.
    const elsewhere = `/projects/${(await paid.newProject({ group: await paid.newGroup() })).id}`
    const member = { user_id: paid.users.outsider.id, access_level: 40 }
    await paid.as('admin').post(`${elsewhere}/members`, member)
    const invitation = { group_id: group.id, group_access: 40 }
    await paid.as('admin').post(`${elsewhere}/share`, invitation)
    const answer = await protect(project, body, 'maintainer', paid)
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toEqual({
      message: [
        'Push access levels user is not a member of the project',
        'Merge access levels group does not have access to the project',
        'Unprotect access levels user is not a member of the project',
      ],
    })
    // Minimal access to the group of the project is none to the project.
    await paid.app.db
      .insertInto('namespace_access')
      .values({
        user_id: paid.users.outsider.id,
        namespace_id: project.namespace_id,
        access_level: Level.minimal,
      })
      .execute()
    expect((await protect(project, body, 'maintainer', paid)).json()).toEqual(answer.json())
    const missing = await paid.as('maintainer').get(ruleUrl(project, 'x'))
    expect(missing.statusCode).toBe(404)
  })

  it('admits a group until the invitation of it ends', async () => {
    const project = await paid.newProject()
    const share = async (expires_at: string) => {
      const { id: group_id } = await paid.newMemberedGroup()
      const invitation = { group_id, group_access: 40, expires_at }
      await paid.as('admin').post(`/projects/${project.id}/share`, invitation)
      return group_id
    }
    const [ended, lasting] = [await share('2026-03-02'), await share('2026-06-01')]
    paid.app.clock.advance(24 * 60 * 60_000)
    const ask = async (group_id: number) => {
      const body = { name: 'x', allowed_to_push: [{ group_id }] }
      return (await protect(project, body, 'maintainer', paid)).statusCode
    }
    expect([await ask(ended), await ask(lasting)]).toEqual([422, 201])
    paid.app.clock.advance(-24 * 60 * 60_000)
  })

  it.each<readonly [object, string]>([
    [
      { allowed_to_push: [{ user_id: 1, access_level: 30 }] },
      'allowed_to_push[0][user_id], allowed_to_push[0][group_id], allowed_to_push[0][access_level] are mutually exclusive',
    ],
    [
      { allowed_to_merge: [{}] },
      'allowed_to_merge[0][user_id], allowed_to_merge[0][group_id], allowed_to_merge[0][access_level] are missing, exactly one parameter must be provided',
    ],
    [
      { allowed_to_unprotect: [{ access_level: 0 }] },
      'allowed_to_unprotect[0][access_level] does not have a valid value',
    ],
    [{ allowed_to_push: 'all' }, 'allowed_to_push is invalid'],
  ])('refuses %j', async (body, error) => {
    const answer = await protect(paid.projects.shut, { name: 'y', ...body }, 'maintainer', paid)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ error })
  })
})

describe('PATCH /projects/:id/protected_branches/:name', () => {
  it('is unknown on the free tier', async () => {
    const answer = await world.as('maintainer').patch(ruleUrl(world.projects.shut, 'main'), {})
    expect(answer.statusCode).toBe(405)
    expect(answer.json()).toEqual({ error: '405 Not Allowed' })
    expect(answer.headers.allow).not.toContain('PATCH')
  })

  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'shut', 404],
    ['developer', 'shut', 403],
    ['maintainer', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const body = { code_owner_approval_required: true }
    const answer = await paid.as(who).patch(ruleUrl(paid.projects[place], 'main'), body)
    expect(answer.statusCode).toBe(status)
  })

  it('changes what is given; code owners are not asked by default', async () => {
    const project = await paid.newProject({ files: { a: 'a' } })
    const change = async (body: object) => {
      const answer = await paid.as('maintainer').patch(ruleUrl(project, 'main'), body)
      expect(answer.statusCode).toBe(200)
      return answer.json()
    }
    const held = [{ ...maintainers, ...forNoOne }]
    expect(await change({ code_owner_approval_required: true })).toEqual({
      id: expect.any(Number),
      name: 'main',
      inherited: false,
      push_access_levels: held,
      merge_access_levels: held,
      unprotect_access_levels: held,
      allow_force_push: false,
      code_owner_approval_required: true,
    })
    expect(await change({ allow_force_push: true })).toMatchObject({
      allow_force_push: true,
      code_owner_approval_required: true,
    })
    expect(await change({})).toMatchObject({
      allow_force_push: true,
      code_owner_approval_required: false,
    })
  })

  it('adds entries, and changes and removes those there are by their ids', async () => {
    const project = await paid.newProject({ files: { a: 'a' } })
    const url = ruleUrl(project, 'main')
    const change = (body: object) => paid.as('maintainer').patch(url, body)
    const { id: user_id, name } = paid.users.developer
    const before = (await paid.as('maintainer').get(url)).json()
    const [role] = before.push_access_levels
    const added = await change({ allowed_to_push: [{ user_id }, { access_level: 40 }] })
    const person = {
      id: expect.any(Number),
      access_level: null,
      access_level_description: name,
      user_id,
      group_id: null,
    }
    expect([added.statusCode, added.json()]).toEqual([
      200,
      { ...before, push_access_levels: [role, person] },
    ])
    const own = added.json().push_access_levels[1].id
    expect(await commitAs('developer', project, 'main', paid)).toBe(201)
    const changed = await change({
      allowed_to_push: [
        { id: role.id, access_level: 0 },
        { id: own, _destroy: true },
      ],
      allowed_to_merge: [{ _destroy: true, access_level: 30 }],
    })
    expect(changed.json()).toEqual({
      ...before,
      push_access_levels: [{ ...nobody, ...forNoOne, id: role.id }],
    })
    expect(await commitAs('developer', project, 'main', paid)).toBe(403)
    for (const [body, status, answer] of [
      [{ allowed_to_push: [{ id: own, _destroy: true }] }, 404, { message: '404 Not found' }],
      [
        { allowed_to_merge: [{ id: role.id, access_level: 30 }] },
        404,
        { message: '404 Not found' },
      ],
      [
        { allowed_to_push: [{ user_id: paid.users.outsider.id }] },
        422,
        { message: ['Push access levels user is not a member of the project'] },
      ],
      [
        { allowed_to_push: [{ id: role.id }] },
        400,
        {
          error:
            'allowed_to_push[0][user_id], allowed_to_push[0][group_id], allowed_to_push[0][access_level] are missing, exactly one parameter must be provided',
        },
      ],
    ] as const) {
      const refused = await change(body)
      expect([refused.statusCode, refused.json()]).toEqual([status, answer])
    }
    expect((await paid.as('maintainer').get(url)).json()).toEqual(changed.json())
  })

  it('refuses what is no boolean and a rule that is not there', async () => {
    const { shut } = paid.projects
    const body = { code_owner_approval_required: 'maybe' }
    const bad = await paid.as('maintainer').patch(ruleUrl(shut, 'main'), body)
    expect(bad.statusCode).toBe(400)
    expect(bad.json()).toEqual({ error: 'code_owner_approval_required is invalid' })
    const missing = await paid.as('maintainer').patch(ruleUrl(shut, 'nothing'), {})
    expect(missing.statusCode).toBe(404)
    expect(missing.json()).toEqual({ message: '404 Not found' })
  })
})

describe('DELETE /projects/:id/protected_branches/:name', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'shut', 404],
    ['developer', 'shut', 403],
    ['maintainer', 'shut', 204],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const name = `of-${who}/*`
    await protect(world.projects[place], { name }, 'owner')
    const answer = await world.as(who).delete(ruleUrl(world.projects[place], name))
    expect(answer.statusCode).toBe(status)
    const after = await world.as('owner').get(ruleUrl(world.projects[place], name))
    expect(after.statusCode).toBe(status === 204 ? 404 : 200)
  })

  it('frees the branch and the name', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    expect(await commitAs('developer', project, 'main')).toBe(403)
    const gone = await world.as('maintainer').delete(ruleUrl(project, 'main'))
    expect([gone.statusCode, gone.body]).toEqual([204, ''])
    expect(await commitAs('developer', project, 'main')).toBe(201)
    const again = await world.as('maintainer').delete(ruleUrl(project, 'main'))
    expect(again.statusCode).toBe(404)
    expect(again.json()).toEqual({ message: '404 Not found' })
    expect((await protect(project, { name: 'main' })).statusCode).toBe(201)
  })

  it('leaves a rule to those its unprotect levels admit', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await protect(project, { name: 'main2', unprotect_access_level: 60 })
    const refused = await world.as('owner').delete(ruleUrl(project, 'main2'))
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({ message: '403 Forbidden' })
    expect((await world.as('admin').delete(ruleUrl(project, 'main2'))).statusCode).toBe(204)
  })

  it('keeps what was made after If-Unmodified-Since', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const headers = { 'if-unmodified-since': 'Sat, 28 Feb 2026 12:00:00 GMT' }
    const answer = await world
      .as('maintainer')
      .delete(ruleUrl(project, 'main'), undefined, { headers })
    expect(answer.statusCode).toBe(412)
    expect(answer.json()).toEqual({ message: '412 Precondition Failed' })
  })
})

describe.each(['protect', 'unprotect'] as const)(
  'PUT /projects/:id/repository/branches/:branch/%s',
  (verb) => {
    const url = (project: Project, branch: string) =>
      `/projects/${project.id}/repository/branches/${encodeURIComponent(branch)}/${verb}`

    it.each([
      ['anonymous', 'open', 401],
      ['outsider', 'shut', 404],
      ['developer', 'shut', 403],
      ['maintainer', 'shut', 200],
    ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
      const answer = await world.as(who).put(url(world.projects[place], 'main'))
      expect(answer.statusCode).toBe(status)
    })

    it('answers an unknown branch and an illegal name', async () => {
      const missing = await world.as('maintainer').put(url(world.projects.shut, 'nothing'))
      expect(missing.statusCode).toBe(404)
      expect(missing.json()).toEqual({ message: '404 Branch Not Found' })
      const illegal = await world.as('maintainer').put(url(world.projects.shut, 'a*'))
      expect(illegal.statusCode).toBe(400)
      expect(illegal.json()).toEqual({ message: 'The branch refname is invalid' })
    })
  },
)

describe('the older calls to protect', () => {
  it('protect, change what is given and unprotect', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' }, { branch: 'x/y', start_branch: 'main' })
    const put = async (verb: string, body: object = {}) => {
      const url = `/projects/${project.id}/repository/branches/x%2Fy/${verb}`
      const answer = await world.as('maintainer').put(url, body)
      expect(answer.statusCode).toBe(200)
      const branch = answer.json()
      const got = await world
        .as('maintainer')
        .get(`/projects/${project.id}/repository/branches/x%2Fy`)
      expect(branch).toEqual(got.json())
      return [branch.protected, branch.developers_can_push, branch.developers_can_merge]
    }
    expect(await put('protect', { developers_can_push: true })).toEqual([true, true, false])
    expect(await put('protect', { developers_can_merge: true })).toEqual([true, true, true])
    expect(await put('protect', { developers_can_push: false })).toEqual([true, false, true])
    expect(await put('protect')).toEqual([true, false, true])
    expect(await put('unprotect')).toEqual([false, false, false])
    expect(await put('unprotect')).toEqual([false, false, false])
    expect(await put('protect')).toEqual([true, false, false])
  })

  it('change roles of one rule, and neither its users and groups nor other rules', async () => {
    const project = await paid.newProject({ files: { a: 'a' } })
    await paid.commit(project, { b: 'b' }, { branch: 'x', start_branch: 'main' })
    const user_id = paid.users.developer.id
    const { id: group_id } = await paid.newMemberedGroup()
    const invitation = { group_id, group_access: 40 }
    await paid.as('admin').post(`/projects/${project.id}/share`, invitation)
    const listed = [{ user_id }, { group_id }]
    const rule = { name: 'x', allowed_to_push: [...listed, { access_level: 40 }] }
    await protect(project, rule, 'maintainer', paid)
    const other = (await protect(project, { name: 'z' }, 'maintainer', paid)).json()
    const url = `/projects/${project.id}/repository/branches/x/protect`
    const answer = await paid.as('maintainer').put(url, { developers_can_push: true })
    expect(answer.statusCode).toBe(200)
    const changed = (await paid.as('maintainer').get(ruleUrl(project, 'x'))).json()
    expect(changed.push_access_levels).toMatchObject([...listed, { access_level: 30 }])
    expect((await paid.as('maintainer').get(ruleUrl(project, 'z'))).json()).toEqual(other)
  })

  it('refuse a name longer than a rule may have', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const name = `${'n'.repeat(200)}/${'n'.repeat(60)}`
    await world.commit(project, { b: 'b' }, { branch: name, start_branch: 'main' })
    const url = `/projects/${project.id}/repository/branches/${encodeURIComponent(name)}/protect`
    const answer = await world.as('maintainer').put(url)
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toEqual({ message: ['Name is too long (maximum is 255 characters)'] })
  })

  it('end no rule whose unprotect levels do not admit the caller', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' }, { branch: 'x', start_branch: 'main' })
    await protect(project, { name: 'x', unprotect_access_level: 60 })
    for (const verb of ['protect', 'unprotect']) {
      const url = `/projects/${project.id}/repository/branches/x/${verb}`
      const answer = await world.as('owner').put(url, { developers_can_push: true })
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toEqual({ message: '403 Forbidden' })
    }
  })
})
