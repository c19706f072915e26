import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, startApp, type TestApp } from '../../../../test/kit/app.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { hashPassword } from '../../../kernel/secrets.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { presentBasicUser } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Listed = { project_id: number; iid: number }
type Answer = { merge_error?: string | null }
const told = (answer: { statusCode: number; body: string; json: () => unknown }) => [
  answer.statusCode,
  answer.body === '' ? '' : answer.json(),
]
const userOf = (who: Exclude<Who, 'anonymous' | 'admin'>) =>
  presentBasicUser(world.users[who], 'http://bloomery.test')

/** A project with an open merge request of the developer, and where its rules are. */
async function open() {
  const place = await newBranches(world)
  const { iid } = await newRequest(world, place)
  const { project } = place
  const rules = `/projects/${project.id}/approval_rules`
  const one = `${place.url}/${iid}`
  const settings = `/projects/${project.id}/approvals`
  const owner = world.as('owner')
  const approve = (who: Who, body: object = {}) => world.as(who).post(`${one}/approve`, body)
  const status = async () => (await owner.get(one)).json().detailed_merge_status
  const merge = async () => (await owner.put(`${one}/merge`)).statusCode
  return { ...place, iid, rules, one, settings, owner, approve, status, merge }
}

/** The user of a project's access token. */
async function newBot(project_id: number) {
  const made = await world.as('owner').post(`/projects/${project_id}/access_tokens`, {
    name: 'bot',
    scopes: ['api'],
    access_level: 40,
    expires_at: '2027-01-01',
  })
  return world.app.client(made.json().token)
}

describe('/projects/:id/approval_rules', () => {
  it('are added, listed, changed and deleted', async () => {
    const { project, rules, owner } = await open()
    const [branch] = (await owner.get(`/projects/${project.id}/protected_branches`)).json()
    const group = world.groups.shut
    const made = await owner.post(rules, {
      name: 'Security',
      approvals_required: 1,
      user_ids: [world.users.maintainer.id],
      usernames: [world.users.developer.username.toUpperCase()],
      group_ids: [group.id],
      protected_branch_ids: [branch.id],
    })
    const named = [userOf('developer'), userOf('maintainer')].sort((a, b) => a.id - b.id)
    const eligible = [...named, userOf('owner')].sort((a, b) => a.id - b.id)
    const rule = {
      id: made.json().id,
      name: 'Security',
      rule_type: 'regular',
      report_type: null,
      eligible_approvers: eligible,
      approvals_required: 1,
      users: named,
      groups: [
        {
          id: group.id,
          name: group.name,
          path: group.path,
          full_name: group.full_name,
          full_path: group.full_path,
          description: '',
          visibility: 'private',
          web_url: `http://bloomery.test/groups/${group.full_path}`,
        },
      ],
      contains_hidden_groups: false,
      protected_branches: [
        {
          id: branch.id,
          project_id: project.id,
          name: 'main',
          created_at: expect.any(String),
          updated_at: expect.any(String),
          code_owner_approval_required: false,
        },
      ],
      applies_to_all_protected_branches: false,
    }
    expect(told(made)).toEqual([201, rule])
    expect(told(await world.as('reporter').get(rules))).toEqual([200, [rule]])
    expect(told(await world.as('reporter').get(`${rules}/${rule.id}`))).toEqual([200, rule])
    const changed = await owner.put(`${rules}/${rule.id}`, {
      name: 'Safety',
      approvals_required: 2,
      user_ids: [world.users.maintainer.id],
      group_ids: [],
    })
    const now = {
      ...rule,
      name: 'Safety',
      approvals_required: 2,
      users: [userOf('maintainer')],
      groups: [],
      eligible_approvers: [userOf('maintainer')],
    }
    expect(told(changed)).toEqual([200, now])
    expect(told(await owner.delete(`${rules}/${rule.id}`))).toEqual([204, ''])
    expect(told(await owner.delete(`${rules}/${rule.id}`))).toEqual([
      404,
      { message: '404 Not found' },
    ])
    expect(told(await owner.get(rules))).toEqual([200, []])
    const events = (await owner.get(`/projects/${project.id}/audit_events`)).json()
    const said = events.map(({ details }: { details: { custom_message: string } }) => details)
    expect(said.slice(0, 3)).toMatchObject([
      { target_type: 'ApprovalProjectRule', target_details: 'Safety' },
      { target_type: 'ApprovalProjectRule', target_details: 'Security' },
      { target_type: 'ApprovalProjectRule', target_details: 'Security' },
    ])
  })

  it('know one rule for everybody, which is the number that the project asks for', async () => {
    const { project, rules, one, owner } = await open()
    const made = await owner.post(rules, { name: 'Two of us', approvals_required: 2 })
    expect(made.json()).toMatchObject({
      name: 'All Members',
      rule_type: 'any_approver',
      approvals_required: 2,
      eligible_approvers: [],
      users: [],
    })
    const number = async () => (await owner.get(`/projects/${project.id}`)).json()
    expect((await number()).approvals_before_merge).toBe(2)
    const again = { name: 'x', approvals_required: 1, rule_type: 'any_approver' }
    expect(told(await owner.post(rules, again))).toEqual([
      400,
      { message: { rule_type: ['any-approver for the project already exists'] } },
    ])
    const state = (await owner.get(`${one}/approval_state`)).json()
    expect(state.rules).toMatchObject([
      { id: made.json().id, approvals_required: 2, approved: false },
    ])
    await owner.put(`/projects/${project.id}`, { approvals_before_merge: 3 })
    expect((await owner.get(rules)).json()).toMatchObject([{ approvals_required: 3 }])
    await owner.put(`${rules}/${made.json().id}`, { approvals_required: 1 })
    expect((await number()).approvals_before_merge).toBe(1)
    const elsewhere = await open()
    const untouched = async () => [
      (await owner.get(elsewhere.settings)).json().approvals_before_merge,
      (await owner.get(elsewhere.one)).json().approvals_before_merge,
    ]
    await owner.put(`${rules}/${made.json().id}`, { approvals_required: 2 })
    await owner.post(`${one}/approvals`, { approvals_required: 4 })
    expect((await owner.get(one)).json().approvals_before_merge).toBe(4)
    expect(await untouched()).toEqual([0, null])
    await owner.delete(`${rules}/${made.json().id}`)
    expect((await number()).approvals_before_merge).toBe(0)
  })

  it('refuse bad input, which changes nothing', async () => {
    const { rules, owner } = await open()
    const { user: stranger } = await world.newUser()
    const hidden = await world.newGroup({ visibility: 'private' })
    const post = async (body: object, who: Who = 'owner') =>
      told(await world.as(who).post(rules, body))
    expect(await post({})).toEqual([
      400,
      { error: 'name is missing, approvals_required is missing' },
    ])
    expect(await post({ name: 'a', approvals_required: 101 })).toEqual([
      400,
      { error: 'approvals_required does not have a valid value' },
    ])
    const users = { user_ids: [world.users.owner.id] }
    const named = { name: 'a', approvals_required: 1 }
    expect(await post({ ...named, ...users, name: ' ' })).toEqual([
      400,
      { message: { name: ["can't be blank"] } },
    ])
    expect(await post({ ...named, ...users, name: 'a'.repeat(256) })).toEqual([
      400,
      { message: { name: ['is too long (maximum is 255 characters)'] } },
    ])
    const many = Array.from({ length: 101 }, (_, at) => at + 1)
    expect(await post({ ...named, user_ids: many, group_ids: many })).toEqual([
      400,
      { message: { user_ids: ['must be at most 100'], group_ids: ['must be at most 100'] } },
    ])
    const foreign = {
      user_ids: [stranger.id],
      group_ids: [hidden.id],
      protected_branch_ids: [999_999],
    }
    const refusal = {
      message: {
        user_ids: ['must be members of the project'],
        group_ids: ['must exist'],
        protected_branches: ['all must exist within the project'],
      },
    }
    expect(await post({ ...named, ...foreign })).toEqual([400, refusal])
    const outside = { ...named, usernames: ['nobody-of-that-name'] }
    expect(await post(outside)).toEqual([
      400,
      { message: { user_ids: ['must be members of the project'] } },
    ])
    expect(await post({ ...named, rule_type: 'regular' })).toEqual([
      400,
      { message: { base: ['a regular rule must name users or groups'] } },
    ])
    expect((await owner.get(rules)).json()).toEqual([])
    const made = await owner.post(rules, { ...named, ...users })
    expect(made.statusCode).toBe(201)
    expect(await post({ ...named, ...users })).toEqual([
      400,
      { message: { name: ['has already been taken'] } },
    ])
    expect(await post({ ...named, ...users }, 'developer')).toEqual([
      403,
      { message: '403 Forbidden' },
    ])
    expect(told(await world.as('guest').get(rules))).toEqual([403, { message: '403 Forbidden' }])
    expect(told(await world.as('anonymous').get(rules))).toEqual([
      401,
      { message: '401 Unauthorized' },
    ])
  })

  it('keep to themselves whom they name', async () => {
    const { project, rules, one, owner } = await open()
    const [branch] = (await owner.get(`/projects/${project.id}/protected_branches`)).json()
    const add = async (name: string, who: 'maintainer' | 'owner') => {
      const made = await owner.post(rules, {
        ...{ name, approvals_required: 1, protected_branch_ids: [branch.id] },
        ...{ user_ids: [world.users[who].id], group_ids: [world.groups.open.id] },
      })
      return made.json()
    }
    const first = await add('First', 'maintainer')
    const second = await add('Second', 'owner')
    // The project's second rule, by its own id, copied with its own people.
    const changed = await owner.put(`${one}/approval_rules/${second.id}`, { approvals_required: 2 })
    expect(changed.json()).toMatchObject({ name: 'Second', users: [userOf('owner')] })
    const copies = (await owner.get(`${one}/approval_rules`)).json()
    expect(copies.map(({ users }: { users: unknown }) => users)).toEqual([
      [userOf('maintainer')],
      [userOf('owner')],
    ])
    const nobody = { user_ids: [], group_ids: [], protected_branch_ids: [] }
    expect(told(await owner.put(`${rules}/${second.id}`, nobody))).toEqual([
      400,
      { message: { base: ['a regular rule must name users or groups'] } },
    ])
    expect((await owner.get(`${rules}/${second.id}`)).json()).toEqual(second)
    const url = `${rules}/${second.id}`
    expect((await owner.put(url, { ...nobody, approvals_required: 0 })).statusCode).toBe(200)
    expect((await owner.get(`${rules}/${first.id}`)).json()).toEqual(first)
    expect((await owner.get(`${rules}/${second.id}`)).json()).toMatchObject({
      users: [],
      groups: [],
      protected_branches: [],
    })
    await owner.delete(`${rules}/${second.id}`)
    expect((await owner.get(rules)).json()).toEqual([first])
  })

  it('tell who may approve by them: active Developers of group and project, and administrators', async () => {
    const { project, rules, owner, approve, one, status } = await open()
    const group = await world.newGroup({ visibility: 'public' })
    const admin = world.as('admin')
    const add = async (inGroup: number, inProject: number | undefined) => {
      const { user } = await world.newUser()
      await admin.post(`/groups/${group.id}/members`, { user_id: user.id, access_level: inGroup })
      if (inProject !== undefined) {
        const member = { user_id: user.id, access_level: inProject }
        await owner.post(`/projects/${project.id}/members`, member)
      }
      return user
    }
    const both = await add(30, 30)
    await add(20, 30)
    await add(30, 20)
    await add(30, undefined)
    const blocked = await add(30, 30)
    await admin.post(`/users/${blocked.id}/block`)
    const root = (await admin.get('/user')).json()
    await admin.post(`/groups/${group.id}/members`, { user_id: root.id, access_level: 30 })
    const body = { name: 'Team', approvals_required: 2, group_ids: [group.id] }
    const made = (await owner.post(rules, body)).json()
    const idsOf = (users: { id: number }[]) => users.map(({ id }) => id)
    expect(idsOf(made.eligible_approvers)).toEqual([root.id, both.id].sort((a, b) => a - b))
    await approve('admin')
    const { suggested_approvers } = (await owner.get(`${one}/approvals`)).json()
    expect(idsOf(suggested_approvers)).toEqual([both.id])
    await owner.put(`${rules}/${made.id}`, { approvals_required: 1 })
    expect(await status()).toBe('mergeable')
  })

  it('list at most a hundred of those who may approve by one', async () => {
    const group = await world.newMemberedGroup()
    const { project } = await newBranches(world, { options: { group } })
    const ids: number[] = []
    for (let at = 0; at < 98; at++) ids.push((await world.newUser()).user.id)
    const members = { user_id: ids.join(','), access_level: 30 }
    const added = await world.as('owner').post(`/groups/${group.id}/members`, members)
    expect(added.statusCode).toBe(201)
    const rule = { name: 'All', approvals_required: 1, group_ids: [group.id] }
    const made = await world.as('owner').post(`/projects/${project.id}/approval_rules`, rule)
    expect(made.json().eligible_approvers).toHaveLength(100)
  })

  it('name groups alone, not the namespaces of users, nor groups that are being deleted', async () => {
    const { rules, owner } = await open()
    const own = (await owner.get(`/namespaces/${world.users.owner.username}`)).json()
    const deleted = await world.newGroup({ visibility: 'public' })
    await world.as('admin').delete(`/groups/${deleted.id}`)
    for (const { id } of [own, deleted]) {
      const body = { name: 'a', approvals_required: 1, group_ids: [id] }
      expect(told(await owner.post(rules, body))).toEqual([
        400,
        { message: { group_ids: ['must exist'] } },
      ])
    }
  })

  it('hide the groups that the caller does not see', async () => {
    const { rules, owner } = await open()
    const hidden = await world.newGroup({ visibility: 'private' })
    await world.as('admin').post(`/groups/${hidden.id}/members`, {
      user_id: world.users.owner.id,
      access_level: 30,
    })
    await owner.post(rules, { name: 'Hidden', approvals_required: 1, group_ids: [hidden.id] })
    const [seen] = (await owner.get(rules)).json()
    expect([seen.groups.length, seen.contains_hidden_groups]).toEqual([1, false])
    expect(seen.eligible_approvers).toEqual([userOf('owner')])
    const [shown] = (await world.as('developer').get(rules)).json()
    expect([shown.groups, shown.contains_hidden_groups]).toEqual([[], true])
    expect(shown.eligible_approvers).toEqual([])
    // Whoever does not see a group takes it away only if they say so.
    const maintainer = world.as('maintainer')
    const url = `${rules}/${shown.id}`
    const body = { group_ids: [world.groups.open.id] }
    expect((await maintainer.put(url, body)).json().contains_hidden_groups).toBe(true)
    expect((await owner.get(url)).json().groups).toHaveLength(2)
    const removed = await maintainer.put(url, { ...body, remove_hidden_groups: true })
    expect(removed.json().contains_hidden_groups).toBe(false)
    expect((await owner.get(url)).json().groups).toHaveLength(1)
  })
})

describe('what a merge needs', () => {
  it('is as many approvals as the project asks for, by Developers other than the author', async () => {
    const { one, settings, owner, approve, status, merge } = await open()
    expect(await status()).toBe('mergeable')
    const answer = await owner.post(settings, { approvals_before_merge: 2 })
    expect(told(answer)).toEqual([
      201,
      {
        approvals_before_merge: 2,
        reset_approvals_on_push: true,
        selective_code_owner_removals: false,
        disable_overriding_approvers_per_merge_request: false,
        merge_requests_author_approval: false,
        merge_requests_disable_committers_approval: false,
        require_password_to_approve: false,
      },
    ])
    expect(told(await world.as('reporter').get(settings))).toEqual([200, answer.json()])
    expect([await status(), await merge()]).toEqual(['not_approved', 405])
    const own = await approve('developer')
    expect(own.json()).toMatchObject({
      user_has_approved: true,
      approved: false,
      approvals_required: 2,
      approvals_left: 2,
      approval_rules_left: [{ id: null, name: 'All Members', rule_type: 'any_approver' }],
      suggested_approvers: [],
      has_approval_rules: true,
    })
    expect((await approve('maintainer')).json()).toMatchObject({ approvals_left: 1 })
    expect([await status(), await merge()]).toEqual(['not_approved', 405])
    const last = await approve('owner')
    expect(last.json()).toMatchObject({
      approved: true,
      approvals_left: 0,
      approval_rules_left: [],
    })
    const [listed] = (await owner.get(`${one.split('/').slice(0, -1).join('/')}`)).json()
    expect([listed.detailed_merge_status, await status()]).toEqual(['mergeable', 'mergeable'])
    await world.as('maintainer').post(`${one}/unapprove`)
    expect([await status(), await merge()]).toEqual(['not_approved', 405])
    await owner.post(settings, { merge_requests_author_approval: true })
    expect([await status(), await merge()]).toEqual(['mergeable', 200])
  })

  it('is an approval by each rule about its target branch', async () => {
    const { project, rules, one, owner, approve, status, merge } = await open()
    const [branch] = (await owner.get(`/projects/${project.id}/protected_branches`)).json()
    const { id: other } = (
      await owner.post(`/projects/${project.id}/protected_branches`, { name: 'release/*' })
    ).json()
    const rule = (name: string, body: object) =>
      owner.post(rules, { name, approvals_required: 1, ...body })
    const maintainer = { user_ids: [world.users.maintainer.id] }
    const ids = { user_ids: [world.users.owner.id] }
    const security = await rule('Security', { ...maintainer, protected_branch_ids: [branch.id] })
    await rule('Elsewhere', { ...ids, protected_branch_ids: [other] })
    const all = await rule('Protected', { ...ids, applies_to_all_protected_branches: true })
    const state = async () => (await world.as('reporter').get(`${one}/approval_state`)).json()
    expect(await state()).toEqual({
      approval_rules_overwritten: false,
      rules: [
        {
          id: security.json().id,
          name: 'Security',
          rule_type: 'regular',
          report_type: null,
          eligible_approvers: [userOf('maintainer')],
          approvals_required: 1,
          users: [userOf('maintainer')],
          groups: [],
          contains_hidden_groups: false,
          section: null,
          source_rule: null,
          overridden: false,
          code_owner: false,
          approved_by: [],
          approved: false,
        },
        expect.objectContaining({ id: all.json().id, name: 'Protected', approved: false }),
      ],
    })
    const before = (await owner.get(`${one}/approvals`)).json()
    expect(before.suggested_approvers).toEqual(
      [userOf('maintainer'), userOf('owner')].sort((a, b) => a.id - b.id),
    )
    await approve('admin')
    expect([await status(), await merge()]).toEqual(['not_approved', 405])
    await approve('owner')
    expect([await status(), await merge()]).toEqual(['not_approved', 405])
    await approve('maintainer')
    expect((await state()).rules.map(({ approved }: { approved: boolean }) => approved)).toEqual([
      true,
      true,
    ])
    expect([await status(), await merge()]).toEqual(['mergeable', 200])
  })

  it('is asked of the protected branches of the project itself', async () => {
    const { project, rules, owner, status } = await open()
    const elsewhere = await open()
    expect(await status()).toBe('mergeable')
    await owner.delete(`/projects/${project.id}/protected_branches/main`)
    const body = { name: 'Protected', approvals_required: 1, user_ids: [world.users.owner.id] }
    await owner.post(rules, { ...body, applies_to_all_protected_branches: true })
    const protections = await owner.get(`/projects/${elsewhere.project.id}/protected_branches`)
    expect(protections.json()).toMatchObject([{ name: 'main' }])
    expect(await status()).toBe('mergeable')
    await owner.post(`/projects/${project.id}/protected_branches`, { name: 'ma*' })
    expect(await status()).toBe('not_approved')
  })

  it('counts members of groups as long as they are Developers', async () => {
    const { rules, owner, approve, status } = await open()
    const group = await world.newGroup({ visibility: 'public' })
    const members = `/groups/${group.id}/members`
    const user_id = world.users.maintainer.id
    const admin = world.as('admin')
    await owner.post(rules, { name: 'Team', approvals_required: 1, group_ids: [group.id] })
    await approve('maintainer')
    expect(await status()).toBe('not_approved')
    await admin.post(members, { user_id, access_level: 20 })
    expect(await status()).toBe('not_approved')
    await admin.put(`${members}/${user_id}`, { access_level: 30 })
    expect(await status()).toBe('mergeable')
    await admin.delete(`${members}/${user_id}`)
    expect(await status()).toBe('not_approved')
  })

  it('does not count whoever has lost access or is blocked since', async () => {
    const { project, settings, owner, status, one } = await open()
    await owner.post(settings, { approvals_before_merge: 1 })
    const { user, client } = await world.newUser()
    const members = `/projects/${project.id}/members`
    await owner.post(members, { user_id: user.id, access_level: 30 })
    expect((await client.post(`${one}/approve`)).statusCode).toBe(201)
    expect(await status()).toBe('mergeable')
    await owner.put(`${members}/${user.id}`, { access_level: 20 })
    expect(await status()).toBe('not_approved')
    await owner.put(`${members}/${user.id}`, { access_level: 30 })
    expect(await status()).toBe('mergeable')
    await world.as('admin').post(`/users/${user.id}/block`)
    expect(await status()).toBe('not_approved')
  })

  it('is asked of /merge, of auto-merge and of what was asked for when it was made', async () => {
    const { one, settings, owner, approve, status } = await open()
    await owner.post(settings, { approvals_before_merge: 1 })
    await owner.post(`${one}/notes`, { body: '/merge' })
    await world.app.worker.drain()
    expect((await owner.get(one)).json().state).toBe('opened')
    const auto = await owner.put(`${one}/merge`, { merge_when_pipeline_succeeds: true })
    expect(auto.statusCode).toBe(405)
    await owner.post(`${one}/notes`, { body: '/approve' })
    expect(await status()).toBe('mergeable')
    const more = await owner.post(`${one}/approvals`, { approvals_required: 2 })
    expect(more.json()).toMatchObject({ approvals_required: 2, approvals_left: 1 })
    expect(await status()).toBe('not_approved')
    expect(told(await owner.post(`${one}/approvals`, { approvals_required: 0 }))).toEqual([
      400,
      { message: { approvals_required: ['must be greater than or equal to 1'] } },
    ])
    await approve('maintainer')
    await owner.post(`${one}/notes`, { body: '/merge' })
    await world.app.worker.drain()
    expect((await owner.get(one)).json().state).toBe('merged')
  })

  it('is asked again when the target moves', async () => {
    const { project, one, settings, owner, approve } = await open()
    await owner.post(settings, { approvals_before_merge: 1 })
    const repository = projectRepository(world.app.config, project)
    const lock = join(repository.path, 'refs/heads/main.lock')
    const { id } = (await owner.get(one)).json()
    const isNoted = async () =>
      (
        await world.app.db
          .selectFrom('merge_requests')
          .select('merging')
          .where('issuable_id', '=', id)
          .executeTakeFirstOrThrow()
      ).merging !== null
    /** Asks for a merge, which waits for a lock while the approval is revoked. */
    const mergeMeanwhile = async () => {
      await approve('maintainer')
      writeFileSync(lock, '')
      const merge = owner.put(`${one}/merge`)
      await expect.poll(isNoted, { interval: 5 }).toBe(true)
      await world.as('maintainer').post(`${one}/unapprove`)
      rmSync(lock)
      return told(await merge)
    }
    let answer = await mergeMeanwhile()
    // A busy machine may take longer than git waits for a lock: then it is asked for once more.
    for (let tries = 0; tries < 5 && (answer[1] as Answer).merge_error; tries++) {
      answer = await mergeMeanwhile()
    }
    expect(answer).toEqual([405, { message: '405 Method Not Allowed' }])
    const commits = await owner.get(`/projects/${project.id}/repository/commits?ref_name=main`)
    expect(commits.json()).toHaveLength(1)
    expect((await owner.get(one)).json().state).toBe('opened')
    await approve('maintainer')
    expect((await owner.put(`${one}/merge`)).statusCode).toBe(200)
  })
})

describe('a list', () => {
  it('says of each merge request what it needs itself', async () => {
    const first = await open()
    const { project, owner } = first
    await world.commit(project, { other: 'x\n' }, { branch: 'other', start_branch: 'main' })
    await world.commit(project, { third: 'x\n' }, { branch: 'third', start_branch: 'main' })
    const second = await newRequest(world, first, { source_branch: 'other' })
    const third = await newRequest(world, first, { source_branch: 'third' })
    const elsewhere = await open()
    const rule = (name: string, who: 'maintainer' | 'owner') => ({
      ...{ name, approvals_required: 1 },
      user_ids: [world.users[who].id],
    })
    const statuses = async () => {
      const all = await owner.get('/merge_requests?scope=all&per_page=100')
      const of = (project_id: number, iid: number) =>
        all.json().find((one: Listed) => one.project_id === project_id && one.iid === iid)
          .detailed_merge_status
      return [
        ...[first.iid, second.iid, third.iid].map((iid) => of(project.id, iid)),
        of(elsewhere.project.id, elsewhere.iid),
      ]
    }
    for (const iid of [second.iid, third.iid]) await owner.get(`${first.url}/${iid}`)
    for (const { one } of [first, elsewhere]) await owner.get(one)
    const ready = 'mergeable'
    const missing = 'not_approved'
    expect(await statuses()).toEqual([ready, ready, ready, ready])
    await owner.post(`${first.url}/${third.iid}/approval_rules`, rule('Own', 'owner'))
    expect(await statuses()).toEqual([ready, ready, missing, ready])
    await owner.post(first.rules, rule('Project', 'maintainer'))
    expect(await statuses()).toEqual([missing, missing, missing, ready])
    await first.approve('maintainer')
    expect(await statuses()).toEqual([ready, missing, missing, ready])
  })
})

describe('a push', () => {
  it('ends what was approved before, at once', async () => {
    const { project, one, settings, owner, approve, status, merge } = await open()
    await owner.post(settings, { approvals_before_merge: 1 })
    await approve('maintainer')
    expect(await status()).toBe('mergeable')
    await world.commit(project, { more: 'more\n' }, { branch: 'topic', message: 'More' })
    // No task has run since.
    expect([await status(), await merge()]).toEqual(['not_approved', 405])
    const approvals = async () => (await owner.get(`${one}/approvals`)).json()
    expect(await approvals()).toMatchObject({ approved_by: [], approvals_left: 1 })
    expect((await approve('maintainer')).statusCode).toBe(201)
    expect((await approve('maintainer')).statusCode).toBe(401)
    await world.app.worker.drain()
    expect(await approvals()).toMatchObject({ approvals_left: 0, user_has_approved: false })
    await world.commit(project, { most: 'most\n' }, { branch: 'topic', message: 'Most' })
    await world.app.worker.drain()
    const rows = await world.app.db.selectFrom('merge_request_approvals').selectAll().execute()
    const { id } = (await owner.get(one)).json()
    expect(rows.filter(({ issuable_id }) => issuable_id === id)).toEqual([])
  })

  it('leaves the approvals of other merge requests', async () => {
    const place = await open()
    const { project, url, one, owner } = place
    await world.commit(project, { other: 'x\n' }, { branch: 'other', start_branch: 'main' })
    const { iid } = await newRequest(world, place, { source_branch: 'other' })
    const other = `${url}/${iid}`
    const maintainer = world.as('maintainer')
    const approvers = async (at: string) =>
      (await owner.get(`${at}/approvals`)).json().approved_by.length
    const approveBoth = async () => {
      for (const at of [one, other]) await maintainer.post(`${at}/approve`)
      expect([await approvers(one), await approvers(other)]).toEqual([1, 1])
    }
    await approveBoth()
    await world.commit(project, { more: 'more\n' }, { branch: 'topic', message: 'More' })
    await world.app.worker.drain()
    expect([await approvers(one), await approvers(other)]).toEqual([0, 1])
    await approveBoth()
    await maintainer.post(`${one}/unapprove`)
    expect([await approvers(one), await approvers(other)]).toEqual([0, 1])
    await approveBoth()
    const bot = await newBot(project.id)
    expect((await bot.put(`${one}/reset_approvals`)).statusCode).toBe(202)
    expect([await approvers(one), await approvers(other)]).toEqual([0, 1])
  })

  it('leaves approvals where the project says so', async () => {
    const { project, one, settings, owner, approve, status, merge } = await open()
    await owner.post(settings, { approvals_before_merge: 1, reset_approvals_on_push: false })
    await approve('maintainer')
    await world.commit(project, { more: 'more\n' }, { branch: 'topic', message: 'More' })
    await world.app.worker.drain()
    expect((await approve('maintainer')).statusCode).toBe(401)
    expect((await owner.get(`${one}/approvals`)).json().approvals_left).toBe(0)
    expect([await status(), await merge()]).toEqual(['mergeable', 200])
  })
})

describe('what counts', () => {
  it('is no approval by whoever committed, where the project says so', async () => {
    const { settings, one, owner, approve, status } = await open()
    await owner.post(settings, {
      approvals_before_merge: 1,
      merge_requests_author_approval: true,
      merge_requests_disable_committers_approval: true,
    })
    const commits = (await owner.get(`${one}/commits`)).json()
    const committer = Object.values(world.users).find(
      ({ email }) => email === commits[0].committer_email,
    )
    expect(committer).toBeDefined()
    const who = (Object.entries(world.users).find(([, user]) => user === committer) ?? [])[0] as Who
    const mayApprove = async (as: Who) =>
      (await world.as(as).get(`${one}/approvals`)).json().user_can_approve
    const another = who === 'maintainer' ? 'owner' : 'maintainer'
    expect([await mayApprove(who), await mayApprove(another)]).toEqual([false, true])
    expect(told(await approve(who))).toEqual([401, { message: '401 Unauthorized' }])
    await world.as(who).post(`${one}/notes`, { body: '/approve' })
    expect(await status()).toBe('not_approved')
    await approve(another)
    expect(await status()).toBe('mergeable')
  })

  it('knows committers by their further addresses, once these are confirmed, and by that of their commits', async () => {
    const { project, settings, url, owner } = await open()
    await owner.post(settings, { merge_requests_disable_committers_approval: true })
    const { user, client } = await world.newUser()
    await owner.post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 30 })
    const author_email = `${user.username}@elsewhere.test`
    const newer = await client.post(`/projects/${project.id}/repository/commits`, {
      ...{ branch: 'theirs', start_branch: 'main', commit_message: 'x', author_email },
      actions: [{ action: 'create', file_path: 'theirs', content: 'x' }],
    })
    expect(newer.json()).toMatchObject({ author_email, committer_email: user.email })
    const { iid } = await newRequest(world, { url }, { source_branch: 'theirs' })
    const approve = async (who: Client) => (await who.post(`${url}/${iid}/approve`)).statusCode
    // The committer's own address is one of the commit's.
    expect(await approve(client)).toBe(401)
    const { user: writer, client: writing } = await world.newUser()
    await owner.post(`/projects/${project.id}/members`, { user_id: writer.id, access_level: 30 })
    const row = { user_id: writer.id, email: author_email, created_at: '2026-01-01T00:00:00.000Z' }
    await world.app.db.insertInto('emails').values(row).execute()
    expect(await approve(writing)).toBe(201)
    await writing.post(`${url}/${iid}/unapprove`)
    const confirmed = { confirmed_at: '2026-01-01T00:00:00.000Z' }
    await world.app.db
      .updateTable('emails')
      .set(confirmed)
      .where('email', '=', author_email)
      .execute()
    expect(await approve(writing)).toBe(401)
    expect(await approve(world.as('owner'))).toBe(201)
    await world.app.db.deleteFrom('emails').where('email', '=', author_email).execute()
    await world.app.db
      .updateTable('users')
      .set({ commit_email: author_email })
      .where('id', '=', writer.id)
      .execute()
    expect(await approve(writing)).toBe(401)
    expect(await approve(world.as('maintainer'))).toBe(201)
  })

  it('is no approval without the password, where the project asks for it', async () => {
    const { project, settings, one, owner, status } = await open()
    await owner.post(settings, { approvals_before_merge: 1, require_password_to_approve: true })
    const password = 'a very long password'
    const { user, client } = await world.newUser({ password_digest: await hashPassword(password) })
    await owner.post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 30 })
    const url = `${one}/approve`
    for (const body of [{}, { approval_password: 'wrong' }]) {
      expect(told(await client.post(url, body))).toEqual([401, { message: '401 Unauthorized' }])
    }
    await client.post(`${one}/notes`, { body: '/approve' })
    expect(await status()).toBe('not_approved')
    const given = await client.post(url, { approval_password: password })
    expect(given.json()).toMatchObject({ approved: true, require_password_to_approve: true })
    expect(await status()).toBe('mergeable')
  })

  it('is set by Maintainers, in words that are known', async () => {
    const { settings, owner } = await open()
    expect(told(await owner.post(settings, {}))).toEqual([
      400,
      {
        error:
          'approvals_before_merge, reset_approvals_on_push, disable_overriding_approvers_per_merge_request, merge_requests_author_approval, merge_requests_disable_committers_approval, require_password_to_approve, selective_code_owner_removals are missing, at least one parameter must be provided',
      },
    ])
    const both = { selective_code_owner_removals: true, reset_approvals_on_push: true }
    expect(told(await owner.post(settings, both))).toEqual([
      400,
      {
        message: {
          selective_code_owner_removals: [
            'can only be enabled when reset_approvals_on_push is disabled',
          ],
        },
      },
    ])
    const body = { approvals_before_merge: 1 }
    expect((await world.as('developer').post(settings, body)).statusCode).toBe(403)
    expect((await world.as('guest').get(settings)).statusCode).toBe(403)
  })
})

describe('rules of a merge request', () => {
  it('begin as those of its project and take their place', async () => {
    const { rules, one, owner, status } = await open()
    const url = `${one}/approval_rules`
    const body = { name: 'Security', approvals_required: 1, user_ids: [world.users.maintainer.id] }
    const { id } = (await owner.post(rules, body)).json()
    const developer = world.as('developer')
    expect((await developer.get(url)).json()).toMatchObject([
      { id, name: 'Security', source_rule: null, overridden: false },
    ])
    const made = await developer.post(url, {
      name: 'Design',
      approvals_required: 1,
      user_ids: [world.users.owner.id],
    })
    expect(told(made)).toEqual([
      201,
      {
        id: made.json().id,
        name: 'Design',
        rule_type: 'regular',
        report_type: null,
        eligible_approvers: [userOf('owner')],
        approvals_required: 1,
        users: [userOf('owner')],
        groups: [],
        contains_hidden_groups: false,
        section: null,
        source_rule: null,
        overridden: false,
      },
    ])
    const [copy, own] = (await developer.get(url)).json()
    expect(copy).toMatchObject({ name: 'Security', source_rule: { id, approvals_required: 1 } })
    expect(told(await developer.get(`${url}/${own.id}`))).toEqual([200, own])
    // By the id of the project's rule, as a client has read it before.
    const changed = await developer.put(`${url}/${id}`, { approvals_required: 2 })
    expect(changed.json()).toMatchObject({ id: copy.id, approvals_required: 2, overridden: true })
    expect(told(await developer.put(`${url}/${copy.id}`, { approvals_required: 0 }))).toEqual([
      400,
      { message: { approvals_required: ['must be greater than or equal to 1'] } },
    ])
    // What the project asks for later holds for the copy too.
    await owner.put(`${rules}/${id}`, { approvals_required: 3 })
    expect((await developer.get(`${url}/${copy.id}`)).json()).toMatchObject({
      ...{ approvals_required: 3, overridden: false },
      source_rule: { id, approvals_required: 3 },
    })
    const others = { user_ids: [world.users.owner.id] }
    expect((await developer.put(`${url}/${copy.id}`, others)).json().overridden).toBe(true)
    await developer.put(`${url}/${copy.id}`, { user_ids: [world.users.maintainer.id] })
    const raised = (await developer.get(`${one}/approval_state`)).json()
    expect(raised.rules).toMatchObject([{ approvals_required: 3 }, { approvals_required: 1 }])
    await owner.put(`${rules}/${id}`, { approvals_required: 1 })
    const state = (await developer.get(`${one}/approval_state`)).json()
    expect(state.approval_rules_overwritten).toBe(true)
    expect(state.rules.map(({ name }: { name: string }) => name)).toEqual(['Security', 'Design'])
    expect((await owner.get(rules)).json()).toMatchObject([
      { name: 'Security', approvals_required: 1 },
    ])
    expect(told(await developer.delete(`${url}/${own.id}`))).toEqual([204, ''])
    expect(told(await developer.delete(`${url}/${copy.id}`))).toEqual([
      422,
      { message: 'The last rule of the project cannot be deleted from a merge request' },
    ])
    await developer.post(url, { ...body, name: 'Design' })
    for (const { id: left } of (await developer.get(url)).json()) {
      expect(told(await developer.delete(`${url}/${left}`))).toEqual([204, ''])
    }
    expect((await developer.get(url)).json()).toMatchObject([{ id, overridden: false }])
    expect(await status()).toBe('not_approved')
    const again = { approval_project_rule_id: id, name: 'Again', approvals_required: 3 }
    expect((await developer.post(url, again)).json()).toMatchObject({
      name: 'Again',
      approvals_required: 3,
      users: [userOf('maintainer')],
      source_rule: { id },
    })
  })

  it('are changed by Developers, while it is open and its project allows it', async () => {
    const { one, settings, owner } = await open()
    const url = `${one}/approval_rules`
    const body = { name: 'Mine', approvals_required: 1 }
    expect((await world.as('reporter').post(url, body)).statusCode).toBe(403)
    expect((await world.as('anonymous').post(url, body)).statusCode).toBe(401)
    expect(told(await owner.delete(`${url}/999999`))).toEqual([404, { message: '404 Not found' }])
    expect(told(await owner.get(`${url}/999999`))).toEqual([404, { message: '404 Not found' }])
    await owner.post(settings, { disable_overriding_approvers_per_merge_request: true })
    const refused = [422, { message: 'Overriding approvals is disabled' }]
    expect(told(await owner.post(url, body))).toEqual(refused)
    expect(told(await owner.post(`${one}/approvals`, { approvals_required: 1 }))).toEqual(refused)
    await owner.post(settings, { disable_overriding_approvers_per_merge_request: false })
    await owner.put(one, { state_event: 'close' })
    expect((await owner.post(url, body)).statusCode).toBe(405)
  })

  it('has its approvals revoked by the user of a token alone', async () => {
    const { project, one, owner, approve } = await open()
    await approve('maintainer')
    expect(told(await owner.put(`${one}/reset_approvals`))).toEqual([
      401,
      { message: '401 Unauthorized' },
    ])
    const bot = await newBot(project.id)
    expect((await bot.put(`${one}/reset_approvals`)).statusCode).toBe(202)
    expect((await owner.get(`${one}/approvals`)).json().approved_by).toEqual([])
  })
})

describe('on the free tier', () => {
  let freeApp: TestApp
  let free: World
  beforeAll(async () => {
    freeApp = await startApp({ BLOOMERY_TIER: 'free' })
    free = await newWorld(freeApp)
  })
  afterAll(() => freeApp.close())

  it('approvals block nothing, outlive pushes, and have no rules', async () => {
    const place = await newBranches(free)
    const { iid } = await newRequest(free, place)
    const { project, url } = place
    const owner = free.as('owner')
    await freeApp.db
      .updateTable('projects')
      .set({ approvals_before_merge: 2 })
      .where('id', '=', project.id)
      .execute()
    expect((await owner.get(`/projects/${project.id}/approval_rules`)).statusCode).toBe(404)
    expect((await owner.get(`/projects/${project.id}/approvals`)).statusCode).toBe(404)
    const one = `${url}/${iid}`
    const state = await owner.get(`${one}/approval_state`)
    expect(state.json()).toEqual({ approval_rules_overwritten: false, rules: [] })
    const approved = await free.as('developer').post(`${one}/approve`)
    expect(approved.json()).toMatchObject({ approved: true })
    expect(approved.json()).not.toHaveProperty('approvals_required')
    await free.commit(project, { more: 'more\n' }, { branch: 'topic', message: 'More' })
    await freeApp.worker.drain()
    expect((await owner.get(`${one}/approvals`)).json()).toMatchObject({ approved: true })
    await free.commit(project, { other: 'x\n' }, { branch: 'other', start_branch: 'main' })
    const other = await newRequest(free, place, { source_branch: 'other' })
    const unapproved = (await owner.get(`${url}/${other.iid}/approvals`)).json()
    expect(unapproved).toMatchObject({ approved: false, approved_by: [] })
    expect((await owner.get(one)).json().detailed_merge_status).toBe('mergeable')
    expect((await owner.put(`${one}/merge`)).statusCode).toBe(200)
  })
})
