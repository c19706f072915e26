// What records say their caller may do, beside what the operations answer: docs/access-matrix has it, which tests of
// its own compare with every operation.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../test/kit/app.ts'
import { everybody, newWorld, type Who, type World } from '../../test/kit/world.ts'
import { abilityRoutes } from './abilities.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const matrixFolder = join(import.meta.dirname, '../../docs/access-matrix')
const matrix = new Map(
  // The first table of each domain; what differs elsewhere has a table with a longer name.
  readdirSync(matrixFolder)
    .filter((name) => /^[a-z]+\.md$/.test(name))
    .flatMap((name) => readFileSync(join(matrixFolder, name), 'utf8').split('\n'))
    .filter((line) => /^\| [A-Z]+ \//.test(line))
    .map((line) => {
      const [name = '', ...statuses] = line.slice(2, -2).split(' | ')
      return [name.replace(/ \(\w+\)$/, ''), statuses.map(Number)]
    }),
)

/** What an operation of the matrix answers to whoever may not use it. */
const refusals = [401, 403, 404]

/** What the matrix says the caller may do of the kind. */
function expected(kind: keyof typeof abilityRoutes, who: Who): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries<string>(abilityRoutes[kind]).map(([name, route]) => {
      const status = matrix.get(route)?.[everybody.indexOf(who)]
      if (status === undefined) throw new Error(`${route} is not in the access matrix`)
      return [name, !refusals.includes(status)]
    }),
  )
}

const insiders = everybody.filter((who) => !['anonymous', 'outsider'].includes(who))

describe('with_abilities', () => {
  it.each(insiders)(
    'tells a %s of a project, a group and the instance what operations answer',
    async (who) => {
      const client = world.as(who)
      const project = await client.get(`/projects/${world.projects.shut.id}?with_abilities=true`)
      expect(project.json().abilities).toEqual({
        ...expected('project', who),
        clone_by_ssh: true,
      })
      const group = await client.get(`/groups/${world.groups.shut.id}?with_abilities=true`)
      expect(group.json().abilities).toEqual({
        ...expected('group', who),
        create_subgroup: ['maintainer', 'owner', 'admin'].includes(who),
      })
      const user = await client.get('/user?with_abilities=true')
      expect(user.json().abilities).toEqual(expected('user', who))
    },
  )

  it('is asked for: without it records are as they are', async () => {
    const client = world.as('owner')
    for (const path of [
      `/projects/${world.projects.shut.id}`,
      `/groups/${world.groups.shut.id}`,
      '/user',
    ]) {
      const plain = (await client.get(path)).json()
      expect(plain).not.toHaveProperty('abilities')
      const whole = (await client.get(`${path}?with_abilities=true`)).json()
      const { abilities: _, starred, ...rest } = whole
      expect(starred).toBe(path.startsWith('/projects') ? false : undefined)
      expect(rest).toEqual(plain)
      const wrong = await client.get(`${path}?with_abilities=maybe`)
      expect([wrong.statusCode, wrong.json()]).toEqual([
        400,
        { error: 'with_abilities is invalid' },
      ])
    }
  })

  it('tells visitors of an open project that they may read', async () => {
    const shown = await world
      .as('anonymous')
      .get(`/projects/${world.projects.open.id}?with_abilities=true`)
    const may = Object.entries(shown.json().abilities).flatMap(([name, is]) => (is ? [name] : []))
    expect(may).toEqual([
      'download_code',
      'read_pipelines',
      'read_environments',
      'read_merge_requests',
      'read_licenses',
      'clone_by_ssh',
    ])
  })

  it('changes with the project: an archived one is read, not changed', async () => {
    const project = await world.newProject()
    const read = async () =>
      (await world.as('owner').get(`/projects/${project.id}?with_abilities=true`)).json().abilities
    expect(await read()).toMatchObject({
      push_code: true,
      create_issues: true,
      archive_project: true,
    })
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect(await read()).toMatchObject({
      push_code: false,
      create_issues: false,
      archive_project: true,
    })
  })

  it('leaves nothing of a higher tier', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const shown = await app.client(rootToken).get('/user?with_abilities=true')
      expect(shown.json().abilities).toMatchObject({
        administrate_users: true,
        move_storage: false,
      })
    } finally {
      await app.close()
    }
  })

  it('takes as many queries, whatever may be done', async () => {
    const ask = (who: Who) => () =>
      world.as(who).get(`/projects/${world.projects.shut.id}?with_abilities=true`)
    await ask('owner')()
    const { queries } = await world.app.count(ask('owner'))
    expect(queries).toBeLessThanOrEqual(20)
  })
})

describe('abilities of one issue and one merge request', () => {
  it('are what the operations allow its author, an assignee and each role', async () => {
    const project = await world.newProject({
      group: world.groups.open,
      visibility: 'public',
      files: { a: 'a' },
    })
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    const at = `/projects/${project.id}`
    const { user, client } = await world.newUser()
    const issue = (await client.post(`${at}/issues`, { title: 'Sweep' })).json()
    const request = (
      await world.as('developer').post(`${at}/merge_requests`, {
        ...{ title: 'Broom', source_branch: 'topic', target_branch: 'main' },
      })
    ).json()
    const abilitiesOf = async (asker: Pick<typeof client, 'get'>, path: string) => {
      const { abilities } = (await asker.get(`${at}/${path}?with_abilities=true`)).json()
      return Object.keys(abilities).filter((name) => abilities[name])
    }
    const ofIssue = (asker: typeof client) => abilitiesOf(asker, `issues/${issue.iid}`)
    const ofRequest = (asker: typeof client) => abilitiesOf(asker, `merge_requests/${request.iid}`)
    expect(await ofIssue(world.as('anonymous'))).toEqual([])
    expect(await ofIssue(world.as('outsider'))).toEqual(['discuss'])
    expect(await ofIssue(client)).toEqual(['update', 'discuss'])
    const ofReporters = [
      'update',
      'change_details',
      'discuss',
      'write_internal_notes',
      'track_time',
    ]
    expect(await ofIssue(world.as('reporter'))).toEqual(ofReporters)
    expect(await ofIssue(world.as('owner'))).toEqual([...ofReporters, 'remove'])

    expect(await ofRequest(world.as('anonymous'))).toEqual([])
    expect(await ofRequest(world.as('reporter'))).toEqual(['discuss', 'write_internal_notes'])
    const ofDevelopers = [...ofReporters, 'resolve_threads']
    expect(await ofRequest(world.as('developer'))).toEqual(ofDevelopers)
    await world.as('developer').put(`${at}/merge_requests/${request.iid}`, {
      assignee_ids: [user.id],
    })
    expect(await ofRequest(client)).toEqual(['update', 'discuss'])
    const plain = await world.as('owner').get(`${at}/issues/${issue.iid}`)
    expect(plain.json()).not.toHaveProperty('abilities')
  })
})
