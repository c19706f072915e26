// Tests which approvals merge requests still need, and how many queries finding that out runs, at the API.
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Given = { owners?: string; on?: World }
type RuleJson = Record<'id' | 'name' | 'approvals_required' | 'approved', unknown>

/** A project whose branches `main` and `release` are protected, and an open merge request of the developer into `main`. */
async function open({ owners, on = world }: Given = {}) {
  const files = { 'README.md': '# Readme\n', ...(owners && { CODEOWNERS: owners }) }
  const place = await newBranches(on, { files })
  const { project, url } = place
  const at = `/projects/${project.id}`
  const owner = on.as('owner')
  const send = async (method: 'post' | 'put' | 'patch', path: string, body: object) => {
    const answer = await owner[method](path, body)
    if (answer.statusCode >= 300) throw new Error(`${path} ${answer.statusCode} ${answer.body}`)
    return answer.json()
  }
  const release = await send('post', `${at}/protected_branches`, { name: 'release' })
  const { iid } = await newRequest(on, place)
  const one = `${url}/${iid}`
  const get = async (path: string) => (await owner.get(path)).json()
  return {
    ...{ project, url, at, one, release, send },
    /** Sets approval settings of the project. */
    set: (settings: object) => send('post', `${at}/approvals`, settings),
    /** Adds a rule to the project, by which the maintainer approves. */
    rule: (rule: object) =>
      send('post', `${at}/approval_rules`, {
        ...{ name: 'Project', approvals_required: 1, user_ids: [on.users.maintainer.id] },
        ...rule,
      }),
    /** Says whether a branch asks for the approval of code owners. */
    bind: (branch: string, code_owner_approval_required: boolean) =>
      send('patch', `${at}/protected_branches/${branch}`, { code_owner_approval_required }),
    approve: (who: Who, request = one) => on.as(who).post(`${request}/approve`),
    state: () => get(`${one}/approval_state`),
    /** The name of each rule, how many approvals it asks for, and whether it has them. */
    rules: async () =>
      (await get(`${one}/approval_state`)).rules.map((rule: RuleJson) => [
        rule.name,
        rule.approvals_required,
        rule.approved,
      ]),
    approvals: () => get(`${one}/approvals`),
    status: async (request = one) => (await get(request)).detailed_merge_status,
    /** Counts the queries of a request after one that brought everything up to date. */
    queriesFor: async (path = one) => {
      await owner.get(path)
      return (await on.app.count(() => owner.get(path))).queries
    },
  }
}

/** A line of CODEOWNERS about all files. */
const lineOf = (who: Exclude<Who, 'anonymous' | 'admin'>) => `* @${world.users[who].username}\n`

describe('The number of approvals from anybody', () => {
  it('is none in a project that asks for nothing', async () => {
    const { state, status, approvals } = await open()
    expect(await state()).toEqual({ approval_rules_overwritten: false, rules: [] })
    expect(await approvals()).toMatchObject({ approvals_required: 0, has_approval_rules: false })
    expect(await status()).toBe('mergeable')
  })

  it('is the larger one of project and merge request', async () => {
    const { set, send, one, rules, approvals } = await open()
    await set({ approvals_before_merge: 1 })
    expect(await rules()).toEqual([['All Members', 1, false]])
    await send('post', `${one}/approvals`, { approvals_required: 2 })
    expect(await rules()).toEqual([['All Members', 2, false]])
    await set({ approvals_before_merge: 3 })
    expect(await rules()).toEqual([['All Members', 3, false]])
    expect(await approvals()).toMatchObject({ approvals_required: 3, approvals_left: 3 })
  })

  it('is the number of the rule for everybody, which is shown even if it asks for none', async () => {
    const { rule, send, set, one, state, status } = await open()
    const other = await rule({ name: 'First' })
    const { id } = await rule({ user_ids: [], approvals_required: 0 })
    const shown = async () =>
      (await state()).rules.map((found: RuleJson) => [found.id, found.approvals_required])
    const listed = async () =>
      (await world.as('owner').get(`${one}/approval_rules`))
        .json()
        .map((found: RuleJson) => [found.id, found.approvals_required])
    expect(await shown()).toEqual([
      [id, 0],
      [other.id, 1],
    ])
    await set({ approvals_before_merge: 2 })
    expect(await shown()).toEqual([
      [id, 2],
      [other.id, 1],
    ])
    expect(await listed()).toEqual([
      [other.id, 1],
      [id, 2],
    ])
    await send('post', `${one}/approvals`, { approvals_required: 3 })
    expect(await listed()).toEqual([
      [other.id, 1],
      [id, 3],
    ])
    expect(await status()).toBe('not_approved')
  })

  it('counts no surplus approval of one rule for another', async () => {
    const { set, rule, approve, approvals, status } = await open()
    await set({ approvals_before_merge: 1 })
    await rule({ approvals_required: 3 })
    for (const who of ['owner', 'maintainer', 'admin'] as const) await approve(who)
    expect(await approvals()).toMatchObject({ approvals_required: 4, approvals_left: 2 })
    expect(await status()).toBe('not_approved')
  })
})

describe('An approval', () => {
  it.each([
    [true, false, 'not_approved'],
    [false, true, 'not_approved'],
    [true, true, 'not_approved'],
    [false, false, 'mergeable'],
  ])(
    'is followed by a push: reset_approvals_on_push %s and excluded committers %s make the status %s',
    async (reset_approvals_on_push, merge_requests_disable_committers_approval, expected) => {
      const { project, set, approve, approvals, status } = await open()
      const settings = { reset_approvals_on_push, merge_requests_disable_committers_approval }
      await set({ approvals_before_merge: 1, ...settings })
      await approve('maintainer')
      expect(await status()).toBe('mergeable')
      await world.commit(project, { more: 'more\n' }, { branch: 'topic', message: 'More' })
      expect(await status()).toBe(expected)
      const { approved_by } = await approvals()
      expect(approved_by).toHaveLength(expected === 'mergeable' ? 1 : 0)
    },
  )

  it.each([
    [true, ['maintainer'], 'not_approved'],
    [false, ['maintainer', 'owner'], 'mergeable'],
  ])(
    'is followed by a push to an owned file: selective_code_owner_removals %s keeps those of %j, status %s',
    async (selective_code_owner_removals, left, expected) => {
      const owners = `/topic @${world.users.owner.username}\n`
      const { at, bind, set, send, approve, approvals, status } = await open({ owners })
      await bind('main', true)
      await set({ reset_approvals_on_push: false, selective_code_owner_removals })
      await approve('maintainer')
      expect(await status()).toBe('not_approved')
      await approve('owner')
      expect(await status()).toBe('mergeable')
      const body = { branch: 'topic', commit_message: 'More', content: 'more\n' }
      await send('put', `${at}/repository/files/topic`, body)
      expect(await status()).toBe(expected)
      const { approved_by } = await approvals()
      const names = approved_by.map(({ user }: { user: { id: number } }) =>
        Object.entries(world.users).flatMap(([who, { id }]) => (id === user.id ? [who] : [])),
      )
      expect(names.flat().toSorted()).toEqual(left)
    },
  )

  it('of a code owner ends with a push also while those of committers do not count', async () => {
    const owners = `/topic @${world.users.maintainer.username}\n`
    const { at, one, bind, set, send, approve, status } = await open({ owners })
    await bind('main', true)
    await set({
      ...{ reset_approvals_on_push: false, selective_code_owner_removals: true },
      merge_requests_disable_committers_approval: true,
    })
    await send('put', one, { reviewer_ids: [world.users.maintainer.id] })
    await approve('maintainer')
    expect(await status()).toBe('mergeable')
    const body = { branch: 'topic', commit_message: 'More', content: 'more\n' }
    await send('put', `${at}/repository/files/topic`, body)
    expect(await status()).toBe('not_approved')
    const reviewers = await world.as('owner').get(`${one}/reviewers`)
    expect(reviewers.json()).toMatchObject([{ state: 'unreviewed' }])
    // Nor does it come back when those of committers count again.
    await set({ merge_requests_disable_committers_approval: false })
    expect(await status()).toBe('not_approved')
    expect((await world.as('owner').put(`${one}/merge`)).statusCode).toBe(405)
  })

  it('counts only for rules that name its user', async () => {
    const { rule, approve, rules } = await open()
    await rule({})
    await approve('owner')
    expect(await rules()).toEqual([['Project', 1, false]])
    await approve('maintainer')
    expect(await rules()).toEqual([['Project', 1, true]])
  })

  it('of the author is listed, and counts if the project allows it', async () => {
    const { set, approve, approvals, rules } = await open()
    await set({ approvals_before_merge: 1 })
    await approve('developer')
    expect((await approvals()).approved_by).toHaveLength(1)
    expect(await rules()).toEqual([['All Members', 1, false]])
    await set({ merge_requests_author_approval: true })
    expect(await rules()).toEqual([['All Members', 1, true]])
  })

  it('counts as long as its user is a Developer of the project', async () => {
    const { at, one, send, set, status } = await open()
    await set({ approvals_before_merge: 1, merge_requests_author_approval: true })
    const { user, client } = await world.newUser()
    await send('post', `${at}/members`, { user_id: user.id, access_level: 30 })
    await client.post(`${one}/approve`)
    expect(await status()).toBe('mergeable')
    await send('put', `${at}/members/${user.id}`, { access_level: 20 })
    expect(await status()).toBe('not_approved')
  })
})

describe('Rules about branches', () => {
  it('hold only for merge requests into these branches', async () => {
    const { at, release, rule, rules, status, send } = await open()
    const { id } = await rule({ protected_branch_ids: [release.id] })
    expect([await rules(), await status()]).toEqual([[], 'mergeable'])
    const protections = (await world.as('owner').get(`${at}/protected_branches`)).json()
    const protected_branch_ids = protections.map((one: { id: number }) => one.id)
    expect(protected_branch_ids).toHaveLength(2)
    await send('put', `${at}/approval_rules/${id}`, { protected_branch_ids })
    expect([await rules(), await status()]).toEqual([[['Project', 1, false]], 'not_approved'])
  })

  it('hold for every protected branch and no other, if they are about all protected branches', async () => {
    const { rule, rules, status, at } = await open()
    await rule({ applies_to_all_protected_branches: true })
    expect([await rules(), await status()]).toEqual([[['Project', 1, false]], 'not_approved'])
    await world.as('owner').delete(`${at}/protected_branches/main`)
    expect([await rules(), await status()]).toEqual([[], 'mergeable'])
    await world.as('owner').delete(`${at}/protected_branches/release`)
    expect([await rules(), await status()]).toEqual([[], 'mergeable'])
  })
})

describe('Rules of code owners', () => {
  it('bind if one of the protections with that setting matches the target branch', async () => {
    const { bind, rules, status } = await open({ owners: lineOf('maintainer') })
    await bind('release', true)
    expect([await rules(), await status()]).toEqual([[['*', 0, true]], 'mergeable'])
    await bind('main', true)
    expect([await rules(), await status()]).toEqual([[['*', 1, false]], 'not_approved'])
    await bind('release', false)
    expect(await rules()).toEqual([['*', 1, false]])
  })

  it('count the author only if the project does, and never a user who cannot approve', async () => {
    const team = '[Team][3]\n* @@developer @@maintainer\n'
    const owners = `${lineOf('developer')}${team}[Nobody]\n${lineOf('reporter')}`
    const { bind, set, rules } = await open({ owners })
    await bind('main', true)
    expect(await rules()).toEqual([
      ['*', 0, true],
      ['*', 1, false],
      ['*', 0, true],
    ])
    await set({ merge_requests_author_approval: true })
    expect(await rules()).toEqual([
      ['*', 1, false],
      ['*', 2, false],
      ['*', 0, true],
    ])
  })

  it('leave the rules of the project in force, and are no rules of the merge request itself', async () => {
    const { one, bind, rule, send, state, rules } = await open({ owners: lineOf('owner') })
    await bind('main', true)
    await rule({})
    const all = [
      ['Project', 1, false],
      ['*', 1, false],
    ]
    expect([await rules(), (await state()).approval_rules_overwritten]).toEqual([all, false])
    const own = { name: 'Own', approvals_required: 1, user_ids: [world.users.owner.id] }
    await send('post', `${one}/approval_rules`, own)
    expect(await rules()).toEqual([
      ['Project', 1, false],
      ['Own', 1, false],
      ['*', 1, false],
    ])
    expect((await state()).approval_rules_overwritten).toBe(true)
  })
})

describe('A list of merge requests', () => {
  it('evaluates each by its own rules, code owners and approvals', async () => {
    const first = await open({ owners: `/topic @${world.users.owner.username}\n` })
    const { project, url, at, one, bind, rule, send, approve } = first
    await bind('main', true)
    for (const branch of ['plain', 'own', 'release']) {
      await world.commit(project, { [branch]: 'x\n' }, { branch, start_branch: 'main' })
    }
    const request = async (source_branch: string, target_branch = 'main') => {
      const { iid } = await newRequest(world, first, { source_branch, target_branch })
      return `${url}/${iid}`
    }
    const plain = await request('plain')
    const own = await request('own')
    const release = await request('plain', 'release')
    const elsewhere = await open()
    await elsewhere.rule({ protected_branch_ids: [elsewhere.release.id] })
    const requests = [one, plain, own, release, elsewhere.one]
    const statuses = async () => {
      const listed = (await world.as('owner').get('/merge_requests?scope=all&per_page=100')).json()
      return requests.map((path) => {
        const found = listed.find(
          ({ project_id, iid }: { project_id: number; iid: number }) =>
            `/projects/${project_id}/merge_requests/${iid}` === path,
        )
        return found.detailed_merge_status === 'mergeable'
      })
    }
    // A look at each brings it up to date.
    for (const path of requests) await world.as('owner').get(path)
    // The first one alone changes a file that has an owner.
    expect(await statuses()).toEqual([false, true, true, true, true])
    await approve('maintainer', one)
    expect(await statuses()).toEqual([false, true, true, true, true])
    await approve('owner', one)
    expect(await statuses()).toEqual([true, true, true, true, true])
    await send('post', `${own}/approval_rules`, {
      ...{ name: 'Own', approvals_required: 1, user_ids: [world.users.owner.id] },
    })
    expect(await statuses()).toEqual([true, true, false, true, true])
    const main = (await world.as('owner').get(`${at}/protected_branches/main`)).json()
    await rule({ protected_branch_ids: [main.id] })
    expect(await statuses()).toEqual([true, false, false, true, true])
    await approve('maintainer', plain)
    await approve('maintainer', own)
    expect(await statuses()).toEqual([true, true, false, true, true])
    await send('post', `${release}/approvals`, { approvals_required: 1 })
    expect(await statuses()).toEqual([true, true, false, false, true])
  })
})

describe('Finding what merge requests need', () => {
  it('runs no query if the project asks for nothing, and two if no rule is about the target branch', async () => {
    const { url, one, at, release, rule, queriesFor, set } = await open()
    const both = async () => [await queriesFor(url), await queriesFor(one)]
    const [list, single] = (await both()) as [number, number]
    await rule({ protected_branch_ids: [release.id] })
    expect(await both()).toEqual([list + 2, single + 2])
    await set({ approvals_before_merge: 1 })
    expect(await both()).toEqual([list + 4, single + 4])
    await rule({ name: 'Second' })
    expect(await both()).toEqual([list + 4, single + 4])
    await world.as('owner').put(one, { state_event: 'close' })
    expect(await queriesFor(`${at}/merge_requests`)).toBe(list)
  })

  it('runs one more query for approvals if rules name users', async () => {
    const { rule, set, approve, queriesFor } = await open()
    await set({ approvals_before_merge: 1 })
    await approve('maintainer')
    const before = await queriesFor()
    await rule({ user_ids: [] })
    expect(await queriesFor()).toBe(before)
    await rule({ name: 'Named' })
    expect(await queriesFor()).toBe(before + 1)
  })

  it('runs one more query for all rules about all protected branches together', async () => {
    const { rule, set, queriesFor } = await open()
    await set({ approvals_before_merge: 1 })
    const before = await queriesFor()
    for (const name of ['First', 'Second']) {
      await rule({ name, applies_to_all_protected_branches: true })
      expect(await queriesFor()).toBe(before + 1)
    }
  })

  it('runs one more query for all rules of code owners together, and another if they bind', async () => {
    const queriesWith = async (owners: string) => {
      const { bind, rules, set, queriesFor } = await open({ owners })
      await set({ approvals_before_merge: 1 })
      const counts = [(await rules()).length, await queriesFor()]
      await bind('main', true)
      return [...counts, await queriesFor()] as [number, number, number]
    }
    const [none, without] = await queriesWith('# nobody\n')
    const [one, loose, bound] = await queriesWith(lineOf('maintainer'))
    expect([none, one]).toEqual([1, 2])
    expect([loose, bound]).toEqual([without + 1, without + 2])
    const several = `${lineOf('maintainer')}[Second]\n${lineOf('owner')}`
    expect(await queriesWith(several)).toEqual([3, loose, bound])
  })

  it('runs six queries for a list of rules only if one of them is of code owners', async () => {
    const queriesWith = async (owners: string) => {
      const { one, bind, rule, queriesFor } = await open({ owners })
      await bind('main', true)
      await rule({})
      return queriesFor(`${one}/approval_rules`)
    }
    expect(await queriesWith(lineOf('owner'))).toBe((await queriesWith('# nobody\n')) + 6)
  })
})

describe('On the free tier', () => {
  it('merge requests need no approvals', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const on = await newWorld(app)
      const { project, status, state } = await open({ on })
      await app.db
        .updateTable('projects')
        .set({ approvals_before_merge: 1 })
        .where('id', '=', project.id)
        .execute()
      expect([await status(), await state()]).toEqual([
        'mergeable',
        { approval_rules_overwritten: false, rules: [] },
      ])
    } finally {
      await app.close()
    }
  })
})
