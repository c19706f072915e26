import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { presentBasicUser } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const name = (who: Exclude<Who, 'anonymous' | 'admin'>) => world.users[who].username
const basic = (who: Exclude<Who, 'anonymous' | 'admin'>) =>
  presentBasicUser(world.users[who], 'http://bloomery.test')

type Rule = { name: string; section: string; approvals_required: number; approved: boolean }
type Given = { owners: string; changes?: Record<string, string>; path?: string; binds?: boolean }

/** A project with that CODEOWNERS, and an open merge request of the developer that makes the changes. */
async function open({ owners, changes, path = 'CODEOWNERS', binds = true }: Given, on = world) {
  const files = { 'README.md': '# Readme\n', [path]: owners }
  const place = await newBranches(on, { files, ...(changes && { changes }) })
  const { project, url } = place
  const owner = on.as('owner')
  const protection = `/projects/${project.id}/protected_branches/main`
  const bind = (code_owner_approval_required: boolean) =>
    owner.patch(protection, { code_owner_approval_required })
  expect((await bind(binds)).statusCode).toBe(200)
  const { iid } = await newRequest(on, place)
  const one = `${url}/${iid}`
  const state = async () => (await owner.get(`${one}/approval_state`)).json()
  const rules = async () =>
    (await state()).rules.map((rule: Rule) => [
      rule.section,
      rule.name,
      rule.approvals_required,
      rule.approved,
    ])
  const status = async () => (await owner.get(one)).json().detailed_merge_status
  const approve = (who: Who) => on.as(who).post(`${one}/approve`)
  const merge = async () => (await owner.put(`${one}/merge`)).statusCode
  return { ...place, iid, one, owner, bind, state, rules, status, approve, merge }
}

describe('CODEOWNERS', () => {
  it('makes a rule for each line that is about changed files', async () => {
    const { one, owner, state, status, approve, merge } = await open({
      owners: `/topic @${name('maintainer')}\n/other @${name('owner')}\n`,
    })
    const rule = {
      id: expect.any(Number),
      name: '/topic',
      rule_type: 'code_owner',
      report_type: null,
      eligible_approvers: [basic('maintainer')],
      approvals_required: 1,
      users: [basic('maintainer')],
      groups: [],
      contains_hidden_groups: false,
      section: 'codeowners',
      source_rule: null,
      overridden: false,
    }
    const shown = { ...rule, code_owner: true, approved_by: [], approved: false }
    expect(await state()).toEqual({ approval_rules_overwritten: false, rules: [shown] })
    expect((await owner.get(`${one}/approval_rules`)).json()).toEqual([rule])
    const [{ id }] = (await owner.get(`${one}/approval_rules`)).json()
    expect((await owner.get(`${one}/approval_rules/${id}`)).json()).toEqual(rule)
    expect((await owner.get(`${one}/approvals`)).json()).toMatchObject({
      approved: false,
      approvals_required: 1,
      approvals_left: 1,
      approval_rules_left: [{ id, name: '/topic', rule_type: 'code_owner' }],
      suggested_approvers: [basic('maintainer')],
    })
    expect([await status(), await merge()]).toEqual(['not_approved', 405])
    await approve('owner')
    expect([await status(), await merge()]).toEqual(['not_approved', 405])
    await approve('maintainer')
    const approved = { ...shown, approved_by: [basic('maintainer')], approved: true }
    expect((await state()).rules).toEqual([approved])
    expect([await status(), await merge()]).toEqual(['mergeable', 200])
  })

  it('is changed by nobody, and stays beside the rules of a merge request and of its project', async () => {
    const { project, one, owner, rules } = await open({ owners: `* @${name('maintainer')}\n` })
    const [{ id }] = (await owner.get(`${one}/approval_rules`)).json()
    const at = `${one}/approval_rules/${id}`
    expect((await owner.put(at, { approvals_required: 0 })).statusCode).toBe(404)
    expect((await owner.delete(at)).statusCode).toBe(404)
    const given = { name: 'Project', approvals_required: 1, user_ids: [world.users.owner.id] }
    await owner.post(`/projects/${project.id}/approval_rules`, given)
    const ofOwners = ['codeowners', '*', 1, false]
    expect(await rules()).toEqual([[null, 'Project', 1, false], ofOwners])
    await owner.post(`${one}/approval_rules`, { ...given, name: 'Own' })
    const all = [[null, 'Project', 1, false], [null, 'Own', 1, false], ofOwners]
    expect(await rules()).toEqual(all)
    await world.commit(project, { more: 'm\n' }, { branch: 'topic', message: 'More' })
    await world.app.worker.drain()
    expect(await rules()).toEqual(all)
  })

  it('binds where the branch is protected so, at once', async () => {
    const { bind, rules, status } = await open({
      owners: `* @${name('maintainer')}\n`,
      binds: false,
    })
    expect(await rules()).toEqual([['codeowners', '*', 0, true]])
    expect(await status()).toBe('mergeable')
    await bind(true)
    expect(await rules()).toEqual([['codeowners', '*', 1, false]])
    expect(await status()).toBe('not_approved')
  })

  it.each(['docs/CODEOWNERS', '.gitlab/CODEOWNERS'])(
    'is read from %s, unless there is one before it',
    async (path) => {
      const { project, rules } = await open({ owners: `* @${name('maintainer')}\n`, path })
      expect(await rules()).toEqual([['codeowners', '*', 1, false]])
      await world.commit(project, { CODEOWNERS: '# nobody\n' })
      expect(await rules()).toEqual([])
    },
  )

  it('is the one of the target branch, as it is now', async () => {
    const { project, rules, status, owner } = await open({
      owners: '# nobody\n',
      changes: { CODEOWNERS2: 'x\n' },
    })
    expect([await rules(), await status()]).toEqual([[], 'mergeable'])
    const update = { branch: 'main', commit_message: 'x', content: `* @${name('owner')}\n` }
    await owner.put(`/projects/${project.id}/repository/files/CODEOWNERS`, update)
    // A merge request is merged by what is in force at that moment, though nobody has looked at it since.
    expect(await status()).toBe('not_approved')
    expect(await rules()).toEqual([['codeowners', '*', 1, false]])
  })

  it('follows what the merge request itself changes', async () => {
    const owners = `/a @${name('owner')}\n/b @${name('maintainer')}\n`
    const another = await open({ owners, changes: { a: 'a\n' } })
    const ofAnother = await another.rules()
    expect(ofAnother).toEqual([['codeowners', '/a', 1, false]])
    const { project, rules } = await open({ owners })
    expect(await rules()).toEqual([])
    await world.commit(project, { b: 'b\n' }, { branch: 'topic', message: 'b' })
    await world.app.worker.drain()
    expect(await rules()).toEqual([['codeowners', '/b', 1, false]])
    await world.commit(project, { b: null, a: 'a\n' }, { branch: 'topic', message: 'a' })
    await world.app.worker.drain()
    expect([await rules(), await another.rules()]).toEqual([ofAnother, ofAnother])
  })

  it('has sections: the last line that fits counts in each, some are optional, some ask for more', async () => {
    const { rules } = await open({
      owners: [
        `* @${name('owner')}`,
        `*.md @${name('maintainer')}`,
        '[Docs][2]',
        `*.md @${name('owner')} @${name('maintainer')}`,
        '!/docs/secret.md',
        '^[Style]',
        `* @${name('owner')}`,
        '[One][3]',
        `/docs/ @${name('owner')}`,
        '[Nobody]',
        '* @nobody-of-that-name',
        '[Author]',
        `* @${name('developer')}`,
      ].join('\n'),
      changes: { 'docs/a.md': 'a\n', 'docs/secret.md': 'b\n' },
    })
    expect(await rules()).toEqual([
      ['codeowners', '*.md', 1, false],
      ['Docs', '*.md', 2, false],
      ['Style', '*', 0, true],
      // Nobody is asked for more approvals than there are owners.
      ['One', '/docs/', 1, false],
      ['Nobody', '*', 0, true],
      ['Author', '*', 0, true],
    ])
  })

  it('names groups, addresses and roles', async () => {
    const group = await world.newMemberedGroup()
    const { approve, state } = await open({
      owners: [
        '[Group]',
        `* @${group.full_path.toUpperCase()}`,
        '[Address]',
        `* ${world.users.maintainer.email.toUpperCase()}`,
        '[Role]',
        '* @@maintainer',
      ].join('\n'),
    })
    await approve('owner')
    const approvers = async () =>
      (await state()).rules.map(
        (rule: { section: string; approved_by: { username: string }[] }) => [
          rule.section,
          rule.approved_by.map(({ username }) => username),
        ],
      )
    const owner = name('owner')
    const maintainer = name('maintainer')
    expect(await approvers()).toEqual([
      ['Group', [owner]],
      ['Address', []],
      ['Role', []],
    ])
    await approve('maintainer')
    expect(await approvers()).toEqual([
      ['Group', [maintainer, owner]],
      ['Address', [maintainer]],
      ['Role', [maintainer]],
    ])
  })

  it('names no namespaces of users, nor groups that are being deleted', async () => {
    const deleted = await world.newMemberedGroup()
    await world.as('admin').delete(`/groups/${deleted.id}`)
    const { state } = await open({
      owners: `* @${name('maintainer')} @${deleted.full_path}\n`,
    })
    expect((await state()).rules).toMatchObject([
      { users: [basic('maintainer')], groups: [], contains_hidden_groups: false },
    ])
  })

  it('does not count who is blocked, nor who is no Developer of the project but an administrator', async () => {
    const { user, client } = await world.newUser()
    const { project, one, owner, rules } = await open({ owners: `* @${user.username}\n` })
    expect(await rules()).toEqual([['codeowners', '*', 0, true]])
    const members = `/projects/${project.id}/members`
    await owner.post(members, { user_id: user.id, access_level: 30 })
    expect(await rules()).toEqual([['codeowners', '*', 1, false]])
    await client.post(`${one}/approve`)
    expect(await rules()).toEqual([['codeowners', '*', 1, true]])
    const admin = world.as('admin')
    await admin.post(`/users/${user.id}/block`)
    expect(await rules()).toEqual([['codeowners', '*', 0, true]])
    const { username } = (await admin.get('/user')).json()
    const ofAdmin = await open({ owners: `* @${username}\n` })
    expect(await ofAdmin.rules()).toEqual([['codeowners', '*', 1, false]])
  })

  it('leaves the approval to Maintainers where it is too large', async () => {
    const { rules, approve } = await open({ owners: `# ${'x'.repeat(1024 * 1024)}\n` })
    const shown = (isApproved: boolean) => ['codeowners', 'CODEOWNERS (too large)', 1, isApproved]
    expect(await rules()).toEqual([shown(false)])
    await approve('maintainer')
    expect(await rules()).toEqual([shown(true)])
  })

  it('holds thousands of lines against thousands of files', async () => {
    const files = Array.from({ length: 1500 }, (_, at) => [`src/module-${at}/file.ts`, 'x\n'])
    const lines = Array.from({ length: 1500 }, (_, at) => `/lib/part-${at}/**/*.ts @x\n`)
    const { rules } = await open({
      owners: `* @${name('owner')}\n${lines.join('')}module-7/ @${name('maintainer')}\n`,
      changes: Object.fromEntries(files),
    })
    expect(await rules()).toEqual([
      ['codeowners', '*', 1, false],
      ['codeowners', 'module-7/', 1, false],
    ])
  })

  it('is left to Maintainers where its patterns take too long', async () => {
    // Each of them takes milliseconds to match each path.
    const pattern = `/${'**/a/'.repeat(800)}b*`
    const folder = 'a/'.repeat(240)
    const { rules } = await open({
      owners: `${pattern} @${name('owner')}\n`.repeat(250),
      changes: { [`${folder}x`]: 'x\n', [`${folder}y`]: 'y\n', [`${folder}z`]: 'z\n' },
    })
    expect(await rules()).toEqual([['codeowners', 'CODEOWNERS (too large)', 1, false]])
  })

  it('may have long patterns and headings, and letters that cannot be stored', async () => {
    const long = '*'.repeat(3000)
    const { rules } = await open({
      owners: `[${'s'.repeat(5000)}]\n${long} @${name('owner')}\n[\0t]op* @${name('owner')}\n`,
    })
    expect(await rules()).toEqual([['s'.repeat(255), '[\ufffdt]op*', 1, false]])
    const { rules: others } = await open({ owners: `${long} @${name('owner')}\n` })
    expect(await others()).toEqual([['codeowners', long, 1, false]])
  })

  it('counts the first hundred owners of a line', async () => {
    const strangers = Array.from({ length: 99 }, (_, at) => `@stranger-${at}`).join(' ')
    const { rules } = await open({
      owners: [
        `/topic ${strangers} @${name('maintainer')}`,
        '[Late]',
        `/topic ${strangers} @one-more @${name('maintainer')}`,
      ].join('\n'),
    })
    expect(await rules()).toEqual([
      ['codeowners', '/topic', 1, false],
      ['Late', '/topic', 0, true],
    ])
  })

  it('may have made more rules than a statement takes values', async () => {
    const { project, one, owner, status } = await open({ owners: `* @${name('owner')}\n` })
    expect(await status()).toBe('not_approved')
    const { id: issuable_id } = (await owner.get(one)).json()
    const { db } = world.app
    for (let at = 0; at < 17_000; at += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => ({
        ...{ project_id: project.id, issuable_id, approvals_required: 1 },
        ...{ rule_type: 'code_owner' as const, section: 'many', name: String(at + index) },
        created_at: '2026-03-01T00:00:00.000Z',
      }))
      await db.insertInto('approval_rules').values(rows).execute()
    }
    expect(await status()).toBe('not_approved')
    await world.as('owner').post(`${one}/approve`)
    expect(await status()).toBe('mergeable')
  })

  describe('with selective_code_owner_removals', () => {
    const owners = () =>
      `/a @${name('owner')}\n/b @${name('maintainer')}\n/c @${name('maintainer')}\n`

    async function openApproved(given: Partial<Given> = {}) {
      const opened = await open({ owners: owners(), changes: { a: '1\n', b: '1\n' }, ...given })
      const { project, one, owner, approve } = opened
      const settings = `/projects/${project.id}/approvals`
      const body = { reset_approvals_on_push: false, selective_code_owner_removals: true }
      expect((await owner.post(settings, body)).json()).toMatchObject(body)
      await owner.put(one, { reviewer_ids: [world.users.owner.id, world.users.maintainer.id] })
      await approve('owner')
      await approve('maintainer')
      const approvers = async () =>
        (await owner.get(`${one}/approvals`))
          .json()
          .approved_by.map(({ user }: { user: { username: string } }) => user.username)
          .sort()
      const reviewers = async () =>
        (await owner.get(`${one}/reviewers`))
          .json()
          .map((reviewer: { user: { username: string }; state: string }) => [
            reviewer.user.username,
            reviewer.state,
          ])
      /** Who has approved it, and its status, which a look at the merge request brings up to date. */
      const seen = async () => {
        const shown = await opened.status()
        return [await approvers(), shown]
      }
      const push = async (file_path: string, action = 'update') => {
        const commit = {
          ...{ branch: 'topic', commit_message: 'More' },
          actions: [{ action, file_path, content: '2\n' }],
        }
        const url = `/projects/${project.id}/repository/commits`
        expect((await owner.post(url, commit)).statusCode).toBe(201)
      }
      return { ...opened, settings, seen, reviewers, push }
    }

    it('ends the approvals of those whose files a push changes, and no others', async () => {
      const { rules, approve, seen, reviewers, push, merge } = await openApproved()
      const [a, b] = [name('owner'), name('maintainer')]
      expect(await seen()).toEqual([[a, b].sort(), 'mergeable'])
      await push('not-owned', 'create')
      // Whoever has approved it may approve its newest head as well.
      await seen()
      expect((await approve('owner')).statusCode).toBe(201)
      expect((await approve('owner')).statusCode).toBe(401)
      expect(await seen()).toEqual([[a, b].sort(), 'mergeable'])
      await push('a')
      // At the moment of effect, though no task has run since.
      expect(await merge()).toBe(405)
      expect(await seen()).toEqual([[b], 'not_approved'])
      await world.app.worker.drain()
      expect(await reviewers()).toEqual(
        expect.arrayContaining([
          [a, 'unreviewed'],
          [b, 'approved'],
        ]),
      )
      expect(await rules()).toEqual([
        ['codeowners', '/a', 1, false],
        ['codeowners', '/b', 1, true],
      ])
      await approve('owner')
      expect(await seen()).toEqual([[a, b].sort(), 'mergeable'])
      // Each approval is about the head it was given at, however many pushes ago.
      await push('b')
      expect(await seen()).toEqual([[a], 'not_approved'])
    })

    it('ends none for what comes from the target branch', async () => {
      const { project, one, owner, seen } = await openApproved()
      const tip = async () =>
        (await owner.get(`/projects/${project.id}/repository/branches/main`)).json().commit.id
      const { sha: before } = (await owner.get(one)).json()
      await world.commit(project, { c: 'of the target\n' })
      expect((await owner.put(`${one}/rebase`)).statusCode).toBe(202)
      await world.app.worker.drain()
      const { sha, diff_refs } = (await owner.get(one)).json()
      expect([sha, diff_refs.base_sha]).toEqual([expect.not.stringMatching(before), await tip()])
      expect(await seen()).toEqual([[name('owner'), name('maintainer')].sort(), 'mergeable'])
    })

    it('ends those of Maintainers where CODEOWNERS is too large', async () => {
      const { seen, push } = await openApproved({ owners: `# ${'x'.repeat(1024 * 1024)}\n` })
      await push('a')
      expect(await seen()).toEqual([[], 'not_approved'])
    })

    it('is refused together with reset_approvals_on_push', async () => {
      const { settings, owner } = await openApproved()
      const error = 'can only be enabled when reset_approvals_on_push is disabled'
      for (const body of [
        { reset_approvals_on_push: true },
        { reset_approvals_on_push: true, selective_code_owner_removals: true },
      ]) {
        const refused = await owner.post(settings, body)
        expect([refused.statusCode, refused.json()]).toEqual([
          400,
          { message: { selective_code_owner_removals: [error] } },
        ])
      }
      expect((await owner.get(settings)).json()).toMatchObject({
        reset_approvals_on_push: false,
        selective_code_owner_removals: true,
      })
    })
  })

  it('has no effect on the free tier', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const on = await newWorld(app)
      const place = await newBranches(on, {
        files: { CODEOWNERS: `* @${on.users.owner.username}\n` },
      })
      await app.db
        .updateTable('protected_branches')
        .set({ code_owner_approval_required: true })
        .execute()
      const { iid } = await newRequest(on, place)
      const merged = await on.as('owner').put(`${place.url}/${iid}/merge`)
      expect(merged.statusCode).toBe(200)
      const file = `/projects/${place.project.id}/repository/files/new`
      const body = { branch: 'main', content: 'x', commit_message: 'x' }
      expect((await on.as('owner').post(file, body)).statusCode).toBe(201)
    } finally {
      await app.close()
    }
  })
})

describe('a change without a merge request', () => {
  const text = (...patterns: string[]) =>
    [
      'Pushes to protected branches that contain changes to files that',
      'match patterns defined in `CODEOWNERS` are disabled for',
      'this project. Please submit these changes via a merge request.',
      '',
      'The following pattern(s) from `CODEOWNERS` were matched:',
      ...patterns.map((pattern) => ` - ${pattern}`),
    ].join('\n')

  it('of a file that has an owner is refused by the API, whoever makes it', async () => {
    const { project, owner, head } = await open({
      owners: `/topic @${name('owner')}\n/docs/ @${name('owner')}\n`,
    })
    const base = `/projects/${project.id}/repository`
    const body = { branch: 'main', commit_message: 'x' }
    const content = 'new\n'
    const refused = [400, { message: text('/docs/') }]
    const told = async (answer: ReturnType<typeof owner.get>) => {
      const { statusCode, json } = await answer
      return [statusCode, json()]
    }
    const write = (who: Who, path: string) =>
      world.as(who).post(`${base}/files/${encodeURIComponent(path)}`, { ...body, content })
    expect(await told(write('owner', 'docs/a'))).toEqual(refused)
    expect(await told(write('admin', 'docs/a'))).toEqual(refused)
    const actions = [{ action: 'move', previous_path: 'README.md', file_path: 'docs/README.md' }]
    expect(await told(owner.post(`${base}/commits`, { ...body, actions }))).toEqual(refused)
    const picked = owner.post(`${base}/commits/${head}/cherry_pick`, { branch: 'main' })
    expect(await told(picked)).toEqual([400, { message: text('/topic') }])
    expect((await write('owner', 'free')).statusCode).toBe(201)
    const elsewhere = { ...body, branch: 'topic', content }
    expect((await owner.post(`${base}/files/docs%2Fa`, elsewhere)).statusCode).toBe(201)
  })

  it('is let to those whom the protection names', async () => {
    const { project, owner } = await open({ owners: `* @${name('owner')}\n` })
    const base = `/projects/${project.id}`
    const write = async (who: Who, path: string) => {
      const body = { branch: 'main', commit_message: 'x', content: 'x' }
      return (await world.as(who).post(`${base}/repository/files/${path}`, body)).statusCode
    }
    expect(await write('maintainer', 'a')).toBe(400)
    const allowed_to_push = [{ user_id: world.users.maintainer.id }]
    await owner.patch(`${base}/protected_branches/main`, { allowed_to_push })
    expect(await write('maintainer', 'a')).toBe(201)
    expect(await write('owner', 'b')).toBe(400)
  })
})
