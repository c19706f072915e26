import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../test/kit/world.ts'
import type { Namespace } from '../subjects/namespace.ts'
import type { Project } from '../subjects/project.ts'
import { recomputeNamespaceAccess, recomputeProjectAccess } from './recompute-access.ts'

const levels = [10, 20, 30, 40, 50] as const
const today = '2026-03-01'
/** None, long past, ending today (so ended), and still to come. */
const expiries = [null, null, '2020-01-01', today, '2026-03-02'] as const

/** Sizes of the pool every random tree is laid out in. */
const sizes = { groups: 6, projects: 4, users: 4 }

/** Parents are earlier groups, so every plan is a forest. */
type Plan = {
  parents: (number | undefined)[]
  places: number[]
  members: { user: number; group?: number; project?: number; level: number; until: string | null }[]
  shares: {
    guests: number
    group?: number
    project?: number
    level: number
    until: string | null
  }[]
}

const index = (size: number) => fc.integer({ min: 0, max: size - 1 })
const source = fc.oneof(
  index(sizes.groups).map((group) => ({ group })),
  index(sizes.projects).map((project) => ({ project })),
)
const terms = { level: fc.constantFrom(...levels), until: fc.constantFrom(...expiries) }

const plans: fc.Arbitrary<Plan> = fc.record({
  parents: fc.tuple(
    ...Array.from({ length: sizes.groups }, (_, position) =>
      position === 0
        ? fc.constant(undefined)
        : fc.option(index(position), { nil: undefined, freq: 3 }),
    ),
  ),
  places: fc.array(index(sizes.groups), {
    minLength: sizes.projects,
    maxLength: sizes.projects,
  }),
  members: fc.uniqueArray(
    fc
      .tuple(source, fc.record({ user: index(sizes.users), ...terms }))
      .map(([where, rest]) => ({ ...where, ...rest })),
    { maxLength: 8, selector: ({ user, ...rest }) => `${user} ${sourceKey(rest)}` },
  ),
  shares: fc.uniqueArray(
    fc
      .tuple(source, fc.record({ guests: index(sizes.groups), ...terms }))
      .map(([where, rest]) => ({ ...where, ...rest }))
      .filter(({ guests, ...rest }) => !('group' in rest) || rest.group !== guests),
    { maxLength: 5, selector: ({ guests, ...rest }) => `${guests} ${sourceKey(rest)}` },
  ),
})

function sourceKey(of: { group?: number; project?: number }): string {
  return of.group === undefined ? `project ${of.project}` : `group ${of.group}`
}

const inForce = ({ until }: { until: string | null }) => until === null || until > today

/** The rule as it is written down, one user and one place at a time. */
function naiveLevels(plan: Plan) {
  const chain = (group: number): number[] => {
    const parent = plan.parents[group]
    return parent === undefined ? [group] : [group, ...chain(parent)]
  }
  const highest = (found: number[]) => Math.max(0, ...found)
  const members = plan.members.filter(inForce)
  const shares = plan.shares.filter(inForce)
  const byMembership = (user: number, groups: number[]) =>
    highest(
      members
        .filter((member) => member.user === user && groups.includes(member.group ?? -1))
        .map(({ level }) => level),
    )
  const byInvitation = (user: number, invitations: typeof shares) =>
    highest(
      invitations.map(({ guests, level }) => Math.min(level, byMembership(user, chain(guests)))),
    )
  const onGroup = (user: number, group: number) => {
    const above = chain(group)
    const invited = shares.filter((share) => above.includes(share.group ?? -1))
    return Math.max(byMembership(user, above), byInvitation(user, invited))
  }
  const onProject = (user: number, project: number) => {
    const own = members.filter((member) => member.user === user && member.project === project)
    const invited = shares.filter((share) => share.project === project)
    return Math.max(highest(own.map(({ level }) => level)), byInvitation(user, invited))
  }
  return { onGroup, onProject }
}

describe('access', () => {
  let world: World
  let groups: Namespace[]
  let projects: Project[]
  let users: number[]

  beforeAll(async () => {
    world = await newWorld()
    groups = await Promise.all(Array.from({ length: sizes.groups }, () => world.newGroup()))
    projects = []
    for (let made = 0; made < sizes.projects; made++) projects.push(await world.newProject())
    const people = await Promise.all(Array.from({ length: sizes.users }, () => world.newUser()))
    users = people.map(({ user }) => user.id)
  })

  const groupId = (position: number) => groups[position]?.id ?? 0
  const projectId = (position: number) => projects[position]?.id ?? 0
  const userId = (position: number) => users[position] ?? 0

  /** Empties the pool of the last plan and lays out its tree anew, still without anybody in it. */
  async function layOut(plan: Plan): Promise<void> {
    const { db } = world.app
    const groupIds = groups.map(({ id }) => id)
    const projectIds = projects.map(({ id }) => id)
    await db.deleteFrom('members').where('namespace_id', 'in', groupIds).execute()
    await db.deleteFrom('members').where('project_id', 'in', projectIds).execute()
    await db.deleteFrom('namespace_shares').where('namespace_id', 'in', groupIds).execute()
    await db.deleteFrom('project_shares').where('project_id', 'in', projectIds).execute()
    await db.deleteFrom('namespace_ancestors').where('namespace_id', 'in', groupIds).execute()
    for (const [position, parent] of plan.parents.entries()) {
      const rows = [{ namespace_id: groupId(position), ancestor_id: groupId(position), depth: 0 }]
      for (let at = parent, depth = 1; at !== undefined; at = plan.parents[at], depth++) {
        rows.push({ namespace_id: groupId(position), ancestor_id: groupId(at), depth })
      }
      await db.insertInto('namespace_ancestors').values(rows).execute()
    }
    for (const [position, place] of plan.places.entries()) {
      await db
        .updateTable('projects')
        .set({ namespace_id: groupId(place) })
        .where('id', '=', projectId(position))
        .execute()
    }
    await recomputeNamespaceAccess(db, groupIds, { today })
    await recomputeProjectAccess(db, projectIds, { today })
  }

  const sourceOf = (of: { group?: number; project?: number }) => ({
    namespace_id: of.group === undefined ? null : groupId(of.group),
    project_id: of.project === undefined ? null : projectId(of.project),
  })

  async function refreshAround(of: { group?: number; project?: number }): Promise<void> {
    const { db } = world.app
    if (of.group !== undefined) await recomputeNamespaceAccess(db, [groupId(of.group)], { today })
    else await recomputeProjectAccess(db, [projectId(of.project ?? 0)], { today })
  }

  async function addMember(member: Plan['members'][number]): Promise<void> {
    const row = {
      ...sourceOf(member),
      user_id: userId(member.user),
      access_level: member.level,
      expires_at: member.until,
      created_at: '2026-01-01T00:00:00.000Z',
    }
    await world.app.db.insertInto('members').values(row).execute()
    await refreshAround(member)
  }

  async function addShare(share: Plan['shares'][number]): Promise<void> {
    const { namespace_id, project_id } = sourceOf(share)
    const row = {
      shared_with_id: groupId(share.guests),
      access_level: share.level,
      expires_at: share.until,
      created_at: '2026-01-01T00:00:00.000Z',
    }
    const { db } = world.app
    if (namespace_id !== null) {
      await db
        .insertInto('namespace_shares')
        .values({ ...row, namespace_id })
        .execute()
    } else {
      await db
        .insertInto('project_shares')
        .values({ ...row, project_id: project_id ?? 0 })
        .execute()
    }
    await refreshAround(share)
  }

  async function storedLevels(): Promise<{ groups: object; projects: object }> {
    const { db } = world.app
    const onGroups = await db
      .selectFrom('namespace_access')
      .select(['user_id', 'namespace_id', 'access_level'])
      .where('user_id', 'in', users)
      .where(
        'namespace_id',
        'in',
        groups.map(({ id }) => id),
      )
      .execute()
    const onProjects = await db
      .selectFrom('project_access')
      .select(['user_id', 'project_id', 'access_level'])
      .where('user_id', 'in', users)
      .where(
        'project_id',
        'in',
        projects.map(({ id }) => id),
      )
      .execute()
    return {
      groups: Object.fromEntries(
        onGroups.map((row) => [`${row.user_id} on ${row.namespace_id}`, row.access_level]),
      ),
      projects: Object.fromEntries(
        onProjects.map((row) => [`${row.user_id} on ${row.project_id}`, row.access_level]),
      ),
    }
  }

  function expectedLevels(plan: Plan): { groups: object; projects: object } {
    const { onGroup, onProject } = naiveLevels(plan)
    const table = (
      size: number,
      id: (position: number) => number,
      level: (user: number, position: number) => number,
    ) => {
      const entries = users.flatMap((user, userPosition) =>
        Array.from({ length: size }, (_, position) => [
          `${user} on ${id(position)}`,
          level(userPosition, position),
        ]),
      )
      return Object.fromEntries(entries.filter(([, found]) => found !== 0))
    }
    return {
      groups: table(sizes.groups, groupId, onGroup),
      projects: table(sizes.projects, projectId, onProject),
    }
  }

  it('is after every change what the rule says, in random trees', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.boolean(), async (plan, sharesFirst) => {
        const { db } = world.app
        await layOut(plan)
        const addMembers = async () => {
          for (const member of plan.members) await addMember(member)
        }
        const addShares = async () => {
          for (const share of plan.shares) await addShare(share)
        }
        if (sharesFirst) {
          await addShares()
          await addMembers()
        } else {
          await addMembers()
          await addShares()
        }
        expect(await storedLevels()).toEqual(expectedLevels(plan))
        // Taking away is where a table that is kept rather than computed goes wrong.
        const [member, ...members] = plan.members
        if (member) {
          const { namespace_id, project_id } = sourceOf(member)
          await db
            .deleteFrom('members')
            .where('user_id', '=', userId(member.user))
            .where('namespace_id', namespace_id === null ? 'is' : '=', namespace_id)
            .where('project_id', project_id === null ? 'is' : '=', project_id)
            .execute()
          await refreshAround(member)
        }
        const [share, ...shares] = plan.shares
        if (share) {
          const { namespace_id, project_id } = sourceOf(share)
          const guests = groupId(share.guests)
          if (namespace_id !== null) {
            await db
              .deleteFrom('namespace_shares')
              .where('namespace_id', '=', namespace_id)
              .where('shared_with_id', '=', guests)
              .execute()
          } else {
            await db
              .deleteFrom('project_shares')
              .where('project_id', '=', project_id ?? 0)
              .where('shared_with_id', '=', guests)
              .execute()
          }
          await refreshAround(share)
        }
        expect(await storedLevels()).toEqual(expectedLevels({ ...plan, members, shares }))
      }),
      { numRuns: 60 },
    )
  }, 120_000)

  it('is at work through subgroups and invited groups', async () => {
    const top = await world.newGroup()
    const sub = await world.newGroup({ parent: top })
    const project = await world.newProject({ group: sub, files: { a: 'a' } })
    const company = await world.newGroup()
    const team = await world.newGroup({ parent: company })
    const { user, client } = await world.newUser()
    const admin = world.as('admin')
    const file = `/projects/${project.id}/repository/files/a?ref=main`
    const status = async () => (await client.get(file)).statusCode
    const permissions = async () => (await client.get(`/projects/${project.id}`)).json().permissions

    expect(await status()).toBe(404)
    // A member of the company is one of its team too, and the team is invited above the project.
    await admin.post(`/groups/${company.id}/members`, { user_id: user.id, access_level: 40 })
    await admin.post(`/groups/${top.id}/share`, { group_id: team.id, group_access: 10 })
    expect(await status()).toBe(403)
    await admin.post(`/projects/${project.id}/share`, { group_id: team.id, group_access: 30 })
    expect(await status()).toBe(200)
    expect(await permissions()).toEqual({
      project_access: { access_level: 30, notification_level: 3 },
      group_access: { access_level: 10, notification_level: 3 },
    })
    // Who was invited does not invite on: the team's own guests have nothing here.
    const guests = await world.newGroup()
    const guest = await world.newUser()
    const member = { user_id: guest.user.id, access_level: 50 }
    await admin.post(`/groups/${guests.id}/members`, member)
    await admin.post(`/groups/${team.id}/share`, { group_id: guests.id, group_access: 50 })
    expect((await guest.client.get(file)).statusCode).toBe(404)

    await admin.put(`/groups/${company.id}/members/${user.id}`, { access_level: 10 })
    expect(await status()).toBe(403)
    await admin.delete(`/groups/${company.id}/members/${user.id}`)
    expect(await status()).toBe(404)
  })
})
