import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { presentBasicUser } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** A merge request of the developer; the maintainer is asked for a review. */
async function open() {
  const place = await newBranches(world)
  const { maintainer } = world.users
  const { iid } = await newRequest(world, place, { reviewer_ids: [maintainer.id] })
  const one = `${place.url}/${iid}`
  const states = async () => {
    const found = (await world.as('reporter').get(`${one}/reviewers`)).json()
    return found.map(({ user, state }: { user: { username: string }; state: string }) => [
      user.username,
      state,
    ])
  }
  const bodies = async () => {
    const notes = (await world.as('reporter').get(`${one}/notes?sort=asc`)).json()
    return notes.map(({ body }: { body: string }) => body)
  }
  return { one, states, bodies, name: maintainer.username }
}

describe('Reviewers', () => {
  it('are listed with what each did last', async () => {
    const { one } = await open()
    const listed = await world.as('reporter').get(`${one}/reviewers`)
    const user = presentBasicUser(world.users.maintainer, 'http://bloomery.test')
    const created_at = expect.stringMatching(/^\d{4}-/)
    expect([listed.statusCode, listed.json()]).toEqual([
      200,
      [{ user, state: 'unreviewed', created_at }],
    ])
    expect(listed.headers['x-total']).toBe('1')
    expect((await world.as('anonymous').get(`${one}/reviewers`)).statusCode).toBe(404)
    expect((await world.as('outsider').get(`${one}/reviewers`)).statusCode).toBe(404)
  })

  it('are named by the record and in lists where they ask for changes', async () => {
    const { one } = await open()
    const client = world.as('maintainer')
    const list = one.replace(/\/\d+$/, '')
    const iid = Number(one.split('/').at(-1))
    const requested = async () => {
      const record = (await client.get(`${one}?with_changes_requested=true`)).json()
      const listed = (await client.get(`${list}?with_changes_requested=true`)).json()
      const row = listed.find((found: { iid: number }) => found.iid === iid)
      return [record.changes_requested_by, row.changes_requested_by]
    }
    expect((await client.get(one)).json()).not.toHaveProperty('changes_requested_by')
    expect(await requested()).toEqual([[], []])
    await client.post(`${one}/notes`, { body: '/request_changes' })
    const user = presentBasicUser(world.users.maintainer, 'http://bloomery.test')
    expect(await requested()).toEqual([[user], [user]])
    await client.post(`${one}/approve`)
    expect(await requested()).toEqual([[], []])
  })

  it('start a review by a draft, and finish it with a summary', async () => {
    const { one, states, bodies, name } = await open()
    const client = world.as('maintainer')
    await client.post(`${one}/draft_notes`, { note: 'First' })
    expect(await states()).toEqual([[name, 'review_started']])
    const done = await client.post(`${one}/draft_notes/bulk_publish`, {
      note: 'All in all',
      reviewer_state: 'reviewed',
    })
    expect([done.statusCode, done.body]).toEqual([204, ''])
    expect(await states()).toEqual([[name, 'reviewed']])
    expect(await bodies()).toEqual([
      expect.stringContaining('requested review'),
      'First',
      'All in all',
    ])
    // The summary is no thread that somebody would have to resolve.
    const threads = (await client.get(`${one}/discussions`)).json()
    expect(threads.slice(-2)).toMatchObject([
      { individual_note: false, notes: [{ type: 'DiscussionNote', resolvable: true }] },
      { individual_note: true, notes: [{ type: null, body: 'All in all', resolvable: false }] },
    ])
  })

  it('request changes, which revokes their approval and blocks nothing', async () => {
    const { one, states, bodies, name } = await open()
    const client = world.as('maintainer')
    await client.post(`${one}/approve`)
    expect(await states()).toEqual([[name, 'approved']])
    await client.post(`${one}/draft_notes/bulk_publish`, { reviewer_state: 'requested_changes' })
    expect(await states()).toEqual([[name, 'requested_changes']])
    expect((await client.get(`${one}/approvals`)).json().approved_by).toEqual([])
    expect((await bodies()).slice(-2)).toEqual([
      'unapproved this merge request',
      'requested changes',
    ])
    await world.app.worker.drain()
    expect((await client.get(one)).json().detailed_merge_status).toBe('mergeable')
    await client.post(`${one}/approve`)
    expect(await states()).toEqual([[name, 'approved']])
    await client.post(`${one}/unapprove`)
    expect(await states()).toEqual([[name, 'unapproved']])
  })

  it('do so by quick actions too', async () => {
    const { one, states, name } = await open()
    const client = world.as('maintainer')
    const write = (body: string) => client.post(`${one}/notes`, { body })
    expect((await write('/request_changes')).statusCode).toBe(202)
    expect(await states()).toEqual([[name, 'requested_changes']])
    await write('/submit_review')
    expect(await states()).toEqual([[name, 'reviewed']])
    await write('/submit_review requested_changes')
    expect(await states()).toEqual([[name, 'requested_changes']])
    await write('/submit_review approve')
    expect(await states()).toEqual([[name, 'approved']])
    await write('/submit_review perhaps')
    expect(await states()).toEqual([[name, 'approved']])
  })

  it('are whoever finishes a review, but not the author', async () => {
    const { one, states, name } = await open()
    const finish = (who: 'owner' | 'developer') =>
      world.as(who).post(`${one}/draft_notes/bulk_publish`, { reviewer_state: 'requested_changes' })
    expect((await finish('developer')).statusCode).toBe(204)
    expect(await states()).toEqual([[name, 'unreviewed']])
    expect((await finish('owner')).statusCode).toBe(204)
    expect(await states()).toEqual(
      expect.arrayContaining([[world.users.owner.username, 'requested_changes']]),
    )
  })

  it('are asked by several at once', async () => {
    const { one, states } = await open()
    const { owner, maintainer } = world.users
    const reviewer_ids = [owner.id, maintainer.id]
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.as('developer').put(one, { reviewer_ids })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    expect((await states()).toSorted()).toEqual([
      [maintainer.username, 'unreviewed'],
      [owner.username, 'unreviewed'],
    ])
  })

  it('keep their state when another one is asked, and lose it when they are removed', async () => {
    const { one, states, name } = await open()
    await world.as('maintainer').post(`${one}/notes`, { body: '/request_changes' })
    const ask = (...reviewer_ids: number[]) => world.as('developer').put(one, { reviewer_ids })
    await ask(world.users.maintainer.id)
    expect(await states()).toEqual([[name, 'requested_changes']])
    await ask()
    expect(await states()).toEqual([])
    await ask(world.users.maintainer.id)
    expect(await states()).toEqual([[name, 'unreviewed']])
  })

  it('are asked once more by /request_review, and begin anew', async () => {
    const { one, states, bodies, name } = await open()
    const reviewer = world.as('maintainer')
    const todos = async () => {
      const found = (await reviewer.get('/todos?action=review_requested')).json()
      return found.filter(({ target_url }: { target_url: string }) =>
        one.endsWith(target_url.split('/-')[1] ?? '?'),
      ).length
    }
    const ask = (who: 'developer' | 'reporter' = 'developer') =>
      world.as(who).post(`${one}/notes`, { body: `/request_review @${name}` })
    const before = await todos()
    const count = (await bodies()).length
    // Who has not reviewed yet is not asked twice.
    expect((await ask()).statusCode).toBe(202)
    expect([await states(), await todos()]).toEqual([[[name, 'unreviewed']], before])

    for (const [state, act] of [
      ['approved', () => reviewer.post(`${one}/approve`)],
      ['requested_changes', () => reviewer.post(`${one}/notes`, { body: '/request_changes' })],
      ['reviewed', () => reviewer.post(`${one}/notes`, { body: '/submit_review' })],
    ] as const) {
      await act()
      expect([await states(), await todos()]).toEqual([[[name, state]], before - 1])
      await ask('reporter')
      expect(await states()).toEqual([[name, state]])
      const answer = await ask()
      expect([answer.statusCode, answer.json().summary]).toEqual([
        202,
        ['Applied the request_review command to this merge request.'],
      ])
      expect([await states(), await todos()]).toEqual([[[name, 'unreviewed']], before])
      expect((await reviewer.get(`${one}/approvals`)).json().approved_by).toEqual([])
    }
    expect((await bodies()).slice(count)).toEqual([
      'approved this merge request',
      `requested review from @${name} and removed approval`,
      'requested changes',
      `requested review from @${name}`,
      `requested review from @${name}`,
    ])
  })

  it('are left alone by what others do, and by what is done on other merge requests', async () => {
    const [first, second] = [await open(), await open()]
    const [maintainer, owner] = [world.as('maintainer'), world.as('owner')]
    const ownerName = world.users.owner.username
    for (const { one } of [first, second]) {
      await owner.post(`${one}/draft_notes/bulk_publish`, { reviewer_state: 'reviewed' })
      for (const client of [maintainer, owner]) await client.post(`${one}/approve`)
    }
    const seen = async ({ one, name, states }: typeof first) => {
      const { approved_by } = (await owner.get(`${one}/approvals`)).json()
      const approvers = approved_by.map(({ user }: { user: { username: string } }) => user.username)
      return [Object.fromEntries(await states()), approvers.includes(name), approvers.length]
    }
    const both = [{ [first.name]: 'approved', [ownerName]: 'approved' }, true, 2]
    const stateOfFirst = (state: string) => ({ [first.name]: state, [ownerName]: 'approved' })
    expect([await seen(first), await seen(second)]).toEqual([both, both])

    await maintainer.post(`${first.one}/unapprove`)
    expect([await seen(first), await seen(second)]).toEqual([
      [stateOfFirst('unapproved'), false, 1],
      both,
    ])
    await maintainer.post(`${first.one}/approve`)
    const again = { body: `/request_review @${first.name}` }
    await world.as('developer').post(`${first.one}/notes`, again)
    expect([await seen(first), await seen(second)]).toEqual([
      [stateOfFirst('unreviewed'), false, 1],
      both,
    ])
    const kept = { reviewer_ids: [world.users.owner.id] }
    await world.as('developer').put(first.one, kept)
    expect([await first.states(), await seen(second)]).toEqual([[[ownerName, 'approved']], both])
    // A draft begins no review of somebody who has finished one.
    await maintainer.post(`${second.one}/draft_notes`, { note: 'Besides' })
    expect(await seen(second)).toEqual(both)
  })

  it('are added by /request_review; the base tier keeps one of them', async () => {
    const { one, states } = await open()
    const { username } = world.users.owner
    await world.as('developer').post(`${one}/notes`, { body: `/request_review @${username}` })
    expect(await states()).toEqual(expect.arrayContaining([[username, 'unreviewed']]))
    await world.as('developer').post(`${one}/notes`, { body: '/request_review @nobody-here' })
    expect(await states()).toEqual(expect.arrayContaining([[username, 'unreviewed']]))
  })

  it('refuse states they do not have, and whoever may not approve', async () => {
    const { one, states, name } = await open()
    const post = async (who: 'reporter' | 'maintainer' | 'guest', body: object) => {
      const answer = await world.as(who).post(`${one}/draft_notes/bulk_publish`, body)
      return [answer.statusCode, answer.json()]
    }
    expect(await post('maintainer', { reviewer_state: 'approved' })).toEqual([
      400,
      { error: 'reviewer_state does not have a valid value' },
    ])
    expect(await post('reporter', { reviewer_state: 'requested_changes', note: 'No' })).toEqual([
      403,
      { message: '403 Forbidden' },
    ])
    expect(await post('maintainer', { note: 'x'.repeat(1_000_001) })).toEqual([
      400,
      {
        message: '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}',
      },
    ])
    expect(await states()).toEqual([[name, 'unreviewed']])
  })
})
