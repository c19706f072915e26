import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { presentBasicUser } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const name = (who: 'owner' | 'maintainer' | 'developer') => world.users[who].username
const basic = (who: 'owner' | 'maintainer' | 'developer') =>
  presentBasicUser(world.users[who], 'http://bloomery.test')

/** A project with that CODEOWNERS, and where its code owners are asked for. */
async function open(owners: string, visibility: 'private' | 'public' = 'private') {
  const files = { CODEOWNERS: owners, 'src/a.ts': 'a\n', 'README.md': '# R\n' }
  const group = world.groups[visibility === 'public' ? 'open' : 'shut']
  const project = await world.newProject({ files, visibility, group })
  const url = (path: string, query = '') =>
    `/projects/${project.id}/repository/files/${encodeURIComponent(path)}/code_owners${query}`
  return { project, url }
}

describe('GET /projects/:id/repository/files/:file_path/code_owners', () => {
  it('lists the last line of each section that is about the file, with its owners', async () => {
    const group = await world.newMemberedGroup()
    const { url } = await open(
      [
        `* @${name('developer')}`,
        `/src/ @${name('owner')} ${world.users.maintainer.email} @nobody-of-that-name`,
        `^[Groups][2] @${group.full_path}`,
        '*.ts',
        '[Roles]',
        '*.ts @@maintainer',
        '[Elsewhere]',
        `/docs/ @${name('owner')}`,
      ].join('\n'),
    )
    const answer = await world.as('guest').get(url('src/a.ts'))
    expect(answer.statusCode).toBe(403)
    const shown = await world.as('reporter').get(url('src/a.ts'))
    expect([shown.statusCode, shown.json()]).toEqual([
      200,
      [
        {
          section: 'codeowners',
          pattern: '/src/',
          optional: false,
          approvals_required: 1,
          users: [basic('owner'), basic('maintainer')],
          groups: [],
          roles: [],
        },
        {
          section: 'Groups',
          pattern: '*.ts',
          optional: true,
          approvals_required: 0,
          users: [],
          groups: [
            {
              id: group.id,
              name: group.name,
              full_path: group.full_path,
              web_url: `http://bloomery.test/groups/${group.full_path}`,
            },
          ],
          roles: [],
        },
        {
          section: 'Roles',
          pattern: '*.ts',
          optional: false,
          approvals_required: 1,
          users: [],
          groups: [],
          roles: ['maintainer'],
        },
      ],
    ])
    const readme = (await world.as('reporter').get(url('README.md'))).json()
    expect(readme).toMatchObject([{ pattern: '*', users: [basic('developer')] }])
  })

  it('shows no groups that the reader does not see, nor accounts that are blocked', async () => {
    const group = await world.newMemberedGroup()
    const { user } = await world.newUser({ state: 'blocked' })
    const { url } = await open(`* @${group.full_path} @${user.username}\n`, 'public')
    const shown = await world.as('anonymous').get(url('README.md'))
    expect([shown.statusCode, shown.json()]).toMatchObject([200, [{ users: [], groups: [] }]])
  })

  it('is as of the commit that is asked for', async () => {
    const { project, url } = await open('# nobody\n')
    const owner = world.as('owner')
    await owner.post(`/projects/${project.id}/repository/commits`, {
      ...{ branch: 'topic', start_branch: 'main', commit_message: 'Owners' },
      actions: [
        { action: 'update', file_path: 'CODEOWNERS', content: `* @${name('owner')}\n` },
        { action: 'create', file_path: 'new.ts', content: 'n\n' },
      ],
    })
    expect((await owner.get(url('README.md'))).json()).toEqual([])
    expect((await owner.get(url('new.ts', '?ref=topic'))).json()).toMatchObject([{ pattern: '*' }])
    for (const [path, query, message] of [
      ['new.ts', '', '404 File Not Found'],
      ['new.ts', '?ref=nowhere', '404 Commit Not Found'],
    ] as const) {
      const missing = await owner.get(url(path, query))
      expect([missing.statusCode, missing.json()]).toEqual([404, { message }])
    }
    expect((await owner.get(url('../a'))).json()).toEqual({
      error: 'file_path should be a valid file path',
    })
  })

  it('is Maintainers and Owners where the file is too large', async () => {
    const { url } = await open(`# ${'x'.repeat(1024 * 1024)}\n`)
    expect((await world.as('owner').get(url('README.md'))).json()).toMatchObject([
      { pattern: 'CODEOWNERS (too large)', users: [], roles: ['maintainer', 'owner'] },
    ])
  })

  it('is not seen by whoever does not see the project, nor there on the free tier', async () => {
    const { url } = await open(`* @${name('owner')}\n`)
    expect((await world.as('anonymous').get(url('README.md'))).statusCode).toBe(404)
    expect((await world.as('outsider').get(url('README.md'))).statusCode).toBe(404)
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const free = await newWorld(app)
      const { id } = await free.newProject({ files: { a: 'a' } })
      const answer = await free.as('owner').get(`/projects/${id}/repository/files/a/code_owners`)
      expect(answer.statusCode).toBe(404)
    } finally {
      await app.close()
    }
  })
})
