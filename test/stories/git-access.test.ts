// Who may fetch and push over HTTP, and what the others are answered (docs/api/git-access.md, "Who may fetch
// and push", "Credentials").
import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenScope } from '../../src/access/actor.ts'
import { insertPersonalToken } from '../../src/features/people/tokens/token.ts'
import { hashPassword } from '../../src/kernel/secrets.ts'
import type { Project } from '../../src/subjects/project.ts'
import { type GitWorld, newGitWorld, runRealGit } from '../kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

const denied = 'HTTP Basic: Access denied\n'
const hidden =
  "The project you were looking for could not be found or you don't have permission to view it.\n"
const noPush = 'You are not allowed to push code to this project.\n'
const noFetch = 'You are not allowed to download code from this project.\n'
const blocked = 'Your account has been blocked.\n'
const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

type Asked = { status: number; body: string; challenge: string | null }

async function ask(
  project: Pick<Project, 'full_path'>,
  service: string,
  authorization?: string,
): Promise<Asked> {
  const url = `${world.url}/${project.full_path}.git/info/refs?service=git-${service}-pack`
  const answer = await fetch(url, { headers: authorization ? { authorization } : {} })
  const challenge = answer.headers.get('www-authenticate')
  return { status: answer.status, body: await answer.text(), challenge }
}

async function tokenOf(
  user_id: number,
  scopes: TokenScope[],
  fields: { expires_at?: string } = {},
): Promise<string> {
  const { text } = await insertPersonalToken(world.app.db, world.app.clock.now, {
    user_id,
    name: 'a',
    scopes,
    expires_at: null,
    ...fields,
  })
  return text
}

describe('a request without credentials', () => {
  it.each([
    ['open', 'upload', 200],
    ['open', 'receive', 401],
    ['inside', 'upload', 401],
    ['shut', 'upload', 401],
    ['shut', 'receive', 401],
  ] as const)(
    'of the %s project for %s-pack is answered with %i',
    async (place, service, status) => {
      const answer = await ask(world.projects[place], service)
      expect(answer.status).toBe(status)
      if (status === 401) {
        expect(answer).toEqual({ status, body: denied, challenge: 'Basic realm="GitLab"' })
      }
    },
  )

  it('cannot tell a project that does not exist from one that is private', async () => {
    expect(await ask({ full_path: 'no/such' }, 'upload')).toEqual(
      await ask(world.projects.shut, 'upload'),
    )
  })
})

describe('a request with a token', () => {
  it.each([
    ['outsider', 'open', 'upload', 200, ''],
    ['outsider', 'open', 'receive', 403, noPush],
    ['outsider', 'inside', 'upload', 200, ''],
    ['outsider', 'shut', 'upload', 404, hidden],
    ['outsider', 'shut', 'receive', 404, hidden],
    ['guest', 'open', 'upload', 200, ''],
    ['guest', 'shut', 'upload', 403, noFetch],
    ['guest', 'shut', 'receive', 403, noFetch],
    ['reporter', 'shut', 'upload', 200, ''],
    ['reporter', 'shut', 'receive', 403, noPush],
    ['developer', 'shut', 'receive', 200, ''],
    ['admin', 'shut', 'receive', 200, ''],
  ] as const)(
    'of %s of the %s project for %s-pack is answered with %i',
    async (who, place, service, status, body) => {
      const answer = await ask(world.projects[place], service, basic('x', world.token(who)))
      expect(answer.status).toBe(status)
      if (status !== 200) expect([answer.body, answer.challenge]).toEqual([body, null])
    },
  )

  it.each([
    [['read_repository'], 200, 403],
    [['write_repository'], 200, 200],
    [['api'], 200, 200],
    [['read_api'], 403, 403],
    [['read_user'], 403, 403],
  ] as [TokenScope[], number, number][])(
    'of scope %j may fetch (%i) and push (%i)',
    async (scopes, fetches, pushes) => {
      const token = await tokenOf(world.users.owner.id, scopes)
      const fetched = await ask(world.projects.shut, 'upload', basic('x', token))
      const pushed = await ask(world.projects.shut, 'receive', basic('x', token))
      expect([fetched.status, pushed.status]).toEqual([fetches, pushes])
      if (fetches === 403) expect(fetched.body).toBe('You are not allowed to download code.\n')
      if (pushes === 403) expect(pushed.body).toBe('You are not allowed to upload code.\n')
    },
  )

  it.each(['anyone', 'oauth2', 'x-token-auth', ''])(
    'takes it under the name "%s"',
    async (name) => {
      const token = world.token('developer')
      expect((await ask(world.projects.shut, 'upload', basic(name, token))).status).toBe(200)
    },
  )

  it('denies one that is wrong, expired, revoked, empty or sent by another scheme', async () => {
    const { id } = world.users.owner
    const expired = await tokenOf(id, ['api'], { expires_at: '2026-03-01' })
    const revoked = await tokenOf(id, ['api'])
    const owner = world.users.owner.username
    await world.app.db
      .updateTable('personal_access_tokens')
      .set({ revoked: true })
      .where('user_id', '=', id)
      .where('id', '=', (eb) =>
        eb
          .selectFrom('personal_access_tokens')
          .select((inner) => inner.fn.max('id').as('id'))
          .where('user_id', '=', id),
      )
      .execute()
    const headers = [
      basic(owner, 'glpat-no-such-token-0000000'),
      basic(owner, expired),
      basic(owner, revoked),
      basic(owner, ''),
      'Basic !!!',
      `Basic ${Buffer.from(world.token('owner')).toString('base64')}`,
      `Bearer ${world.token('owner')}`,
      'Negotiate abc',
    ]
    for (const header of headers) {
      expect([header, await ask(world.projects.shut, 'upload', header)]).toEqual([
        header,
        { status: 401, body: denied, challenge: 'Basic realm="GitLab"' },
      ])
    }
  })
})

describe('a request with a password', () => {
  const password = 'correct horse battery'
  const newMember = async () => {
    const { user } = await world.newUser({ password_digest: await hashPassword(password) })
    return user
  }

  it('is taken with the name or the e-mail address, in any case', async () => {
    const user = await newMember()
    for (const name of [user.username, user.username.toUpperCase(), user.email]) {
      const answer = await ask(world.projects.inside, 'upload', basic(name, password))
      expect([name, answer.status]).toEqual([name, 200])
    }
  })

  it('is denied when either is wrong', async () => {
    const user = await newMember()
    for (const [name, given] of [
      [user.username, 'wrong'],
      ['nobody-at-all', password],
      [world.users.owner.username, password],
    ] as const) {
      const answer = await ask(world.projects.inside, 'upload', basic(name, given))
      expect(answer).toEqual({ status: 401, body: denied, challenge: 'Basic realm="GitLab"' })
    }
  })

  it('of a blocked account is told so, by password and by token', async () => {
    const { user, token } = await world.newUser({
      password_digest: await hashPassword(password),
      state: 'blocked',
    })
    for (const given of [password, token]) {
      const answer = await ask(world.projects.open, 'upload', basic(user.username, given))
      expect([answer.status, answer.body, answer.challenge]).toEqual([403, blocked, null])
    }
  })
})

describe('a path', () => {
  it('without .git is sent on, and git follows', async () => {
    const { full_path } = world.projects.open
    const url = `${world.url}/${full_path}`
    const answer = await fetch(`${url}/info/refs?service=git-upload-pack`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      301,
      `${url}.git/info/refs?service=git-upload-pack`,
    ])
    expect((await runRealGit(['ls-remote', url])).stdout).toContain('refs/heads/main')
  })

  it('in other letters is the same', async () => {
    const full_path = world.projects.open.full_path.toUpperCase()
    expect((await ask({ full_path }, 'upload')).status).toBe(200)
  })

  it('that a project had before still serves, and a pusher is told the new one', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    const path = `${project.path}-moved`
    const moved = await world.as('owner').put(`/projects/${project.id}`, { path })
    expect(moved.statusCode).toBe(200)
    await copy.must(['fetch', 'origin'])
    await copy.commit()
    const { status, stderr } = await copy.run(['push', 'origin', 'HEAD:new'])
    const now = project.full_path.replace(/[^/]+$/, path)
    expect(status).toBe(0)
    expect(stderr).toContain(`remote: Project '${project.full_path}' was moved to '${now}'.`)
    expect(stderr).toContain(`remote:   git remote set-url origin ${world.url}/${now}.git`)
  })

  it.each([
    '/../../etc/passwd.git/info/refs?service=git-upload-pack',
    '/%2e%2e/%2e%2e/etc.git/info/refs?service=git-upload-pack',
    '/group%00/x.git/info/refs?service=git-upload-pack',
    '/--upload-pack=x/y.git/info/refs?service=git-upload-pack',
  ])('%s leads nowhere', async (path) => {
    const answer = await fetch(`${world.url}${path}`, {
      headers: { authorization: basic('x', world.token('admin')) },
    })
    expect([answer.status, await answer.text()]).toEqual([404, hidden])
  })

  it('of another command or method is refused', async () => {
    const url = `${world.url}/${world.projects.open.full_path}.git/info/refs`
    for (const query of ['?service=git-upload-archive', '?service=upload-pack', '']) {
      const answer = await fetch(url + query)
      const text = "The command you're trying to execute is not allowed.\n"
      expect([query, answer.status, await answer.text()]).toEqual([query, 403, text])
    }
    const head = await fetch(`${url}?service=git-upload-pack`, { method: 'HEAD' })
    expect(head.status).toBe(403)
    const posted = await fetch(`${url}?service=git-upload-pack`, { method: 'POST' })
    expect(posted.status).toBe(404)
  })

  it('of a file of the repository is none: there is no dumb protocol', async () => {
    const url = `${world.url}/${world.projects.open.full_path}.git`
    for (const name of ['HEAD', 'config', 'objects/info/packs', 'info/refs/../../config']) {
      expect([name, (await fetch(`${url}/${name}`)).status]).toEqual([name, 404])
    }
  })
})

describe('an archived project', () => {
  it('may be fetched and not pushed to', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    await world.app.db
      .updateTable('projects')
      .set({ archived: true })
      .where('id', '=', project.id)
      .execute()
    await copy.must(['fetch', 'origin'])
    await copy.commit()
    const { status, stderr } = await copy.run(['push', 'origin', 'HEAD:new'])
    expect(status).toBe(128)
    expect(stderr).toContain(`remote: ${noPush.trim()}`)
    expect(stderr).toContain('The requested URL returned error: 403')
  })
})

describe('what git shows', () => {
  it.each([
    ['outsider', 'fetch', `remote: ${hidden.trim()}`, 'not found'],
    ['guest', 'fetch', `remote: ${noFetch.trim()}`, '403'],
    ['reporter', 'push', `remote: ${noPush.trim()}`, '403'],
  ] as const)('%s at a %s is what the server says', async (who, command, text, end) => {
    const { shut } = world.projects
    const copy = await world.begin(shut, who)
    await copy.commit()
    const { status, stderr } = await copy.run(
      command === 'fetch' ? ['fetch', 'origin'] : ['push', 'origin', 'HEAD:new'],
    )
    expect([status, stderr]).toEqual([128, expect.stringContaining(text)])
    expect(stderr).toContain(end)
  })
})
