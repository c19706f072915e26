// A push to where no project is, by either transport, and the commands of SSH that are about the account.
import { beforeAll, describe, expect, it } from 'vitest'
import { digestToken } from '../../src/kernel/ids.ts'
import { newSshWorld, SshCopy, type SshWorld, speak } from '../kit/ssh.ts'
import { newKeyPair } from '../kit/ssh-key.ts'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})

let made = 0
const newPath = () => `pushed-${world.users.owner.id}-${++made}`
const at = (full_path: string) => ({ full_path }) as Parameters<SshWorld['remote']>[0]
const remarks = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('remote: '))
    .map((line) => line.slice('remote: '.length).trimEnd())
    .filter(Boolean)

describe('a push to where no project is', () => {
  it('makes a private one over HTTP and says so once', async () => {
    const { user, token, client } = await world.newUser()
    const full_path = `${user.username}/${newPath()}`
    const copy = await world.begin(at(full_path))
    await copy.must([
      'remote',
      'set-url',
      'origin',
      world.remote(at(full_path), { password: token }),
    ])
    await copy.commit({ a: 'a' })
    const first = await copy.run(['push', 'origin', 'HEAD:trunk'])
    expect([first.status, remarks(first.stderr)]).toEqual([
      0,
      [
        `The private project ${full_path} was successfully created.`,
        'To configure the remote, run:',
        `  git remote add origin ${world.url}/${full_path}.git`,
        'To view the project, visit:',
        `  ${world.url}/${full_path}`,
      ],
    ])
    const shown = await client.get(`/projects/${encodeURIComponent(full_path)}`)
    expect(shown.json()).toMatchObject({
      path_with_namespace: full_path,
      visibility: 'private',
      default_branch: 'trunk',
    })
    await copy.commit({ b: 'b' })
    const second = await copy.run(['push', 'origin', 'HEAD:trunk'])
    expect([second.status, remarks(second.stderr)]).toEqual([0, []])
  })

  it('makes one over SSH, in a group where the pusher may', async () => {
    const full_path = `${world.groups.shut.full_path}/${newPath()}`
    const copy = new SshCopy(world.env(await world.keyOf('maintainer')))
    await copy.must(['init', '--quiet'])
    await copy.must(['remote', 'add', 'origin', world.sshUrl(at(full_path))])
    await copy.commit({ a: 'a' })
    const result = await copy.run(['push', 'origin', 'HEAD:main'])
    expect([result.status, remarks(result.stderr)[0]]).toEqual([
      0,
      `The private project ${full_path} was successfully created.`,
    ])
    const shown = await world.as('reporter').get(`/projects/${encodeURIComponent(full_path)}`)
    expect(shown.json()).toMatchObject({ empty_repo: false, visibility: 'private' })
  })

  it('makes none, and tells nothing, where the pusher may not or no namespace is', async () => {
    const group = world.groups.shut.full_path
    const hidden =
      "The project you were looking for could not be found or you don't have permission"
    const cases: [Parameters<SshWorld['token']>[0] | undefined, string][] = [
      ['reporter', `${group}/${newPath()}`],
      ['outsider', `${group}/${newPath()}`],
      ['owner', `no-such-group/${newPath()}`],
      ['owner', `${world.users.guest.username}/${newPath()}`],
      ['owner', `${group}/${newPath()}.wiki`],
      ['owner', newPath()],
    ]
    for (const [who, path] of cases) {
      const copy = await world.begin(at(path), who)
      await copy.commit()
      const { status, stderr } = await copy.run(['push', 'origin', 'HEAD:main'])
      expect([path, status, stderr]).toEqual([path, 128, expect.stringContaining(hidden)])
      const gone = await world.as('admin').get(`/projects/${encodeURIComponent(path)}`)
      expect(gone.statusCode).toBe(404)
    }
    const anonymous = await fetch(
      `${world.url}/${group}/${newPath()}.git/info/refs?service=git-receive-pack`,
    )
    expect(anonymous.status).toBe(401)
    const made = await world
      .as('owner')
      .post('/user/personal_access_tokens', { name: 't', scopes: ['read_repository'] })
    const path = `${group}/${newPath()}`
    const copy = await world.begin(at(path))
    const remote = world.remote(at(path), { password: made.json().token })
    await copy.commit()
    expect((await copy.run(['push', remote, 'HEAD:main'])).stderr).toContain(hidden)
  })

  it('is not made by a fetch, and says why it cannot be', async () => {
    const group = world.groups.shut.full_path
    const path = `${group}/${newPath()}`
    const copy = await world.begin(at(path))
    expect((await copy.run(['fetch', 'origin'])).status).toBe(128)
    expect((await world.as('admin').get(`/projects/${encodeURIComponent(path)}`)).statusCode).toBe(
      404,
    )
    const odd = `${group}/-wrong`
    const answer = await fetch(`${world.url}/${odd}.git/info/refs?service=git-receive-pack`, {
      headers: {
        authorization: `Basic ${Buffer.from(`x:${world.token('owner')}`).toString('base64')}`,
      },
    })
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining('Could not create project: Name can contain only letters'),
    ])
    const { user, token } = await world.newUser({ projects_limit: 0 })
    const none = await fetch(
      `${world.url}/${user.username}/x.git/info/refs?service=git-receive-pack`,
      { headers: { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` } },
    )
    expect([none.status, await none.text()]).toEqual([
      422,
      'Could not create project: Personal project creation is not allowed. Please contact your administrator with questions\n',
    ])
  })
})

describe('commands of SSH about the account', () => {
  const say = async (line: string, key?: { private: string; public: string }) => {
    const client = await world.connect(key ?? (await world.keyOf('developer')))
    const spoken = await speak(client, line)
    client.end()
    return spoken
  }

  it('welcome whoever asks who they are', async () => {
    const text = `Welcome to GitLab, @${world.users.developer.username}!\n`
    expect(await say('discover')).toMatchObject({ status: 0, stdout: text })
  })

  it.each([
    ['personal_access_token laptop api', ['api'], '2026-03-31'],
    [
      "personal_access_token 'my laptop' read_api,read_repository 1",
      ['read_api', 'read_repository'],
      '2026-03-03',
    ],
  ])('%s makes a token', async (line, scopes, expires_at) => {
    const { status, stdout } = await say(line)
    const [, token = ''] = /^Token: {3}(\S+)\n/.exec(stdout) ?? []
    expect([status, stdout]).toEqual([
      0,
      `Token:   ${token}\nScopes:  ${scopes.join(',')}\nExpires: ${expires_at}\n`,
    ])
    const self = await world.app.client(token).get('/personal_access_tokens/self')
    expect(self.json()).toMatchObject({ scopes, expires_at, active: true })
    expect(JSON.stringify(world.app.log)).not.toContain(token)
  })

  it.each([
    [
      'personal_access_token',
      'Usage: personal_access_token <name> <scope1[,scope2,...]> [ttl_days]',
    ],
    ['personal_access_token a', 'Usage: personal_access_token'],
    ['personal_access_token a api 1 2', 'Usage: personal_access_token'],
    ['personal_access_token a api x', "Invalid value for days_ttl: 'x'"],
    ['personal_access_token a api,sudo', "Invalid scope: 'sudo'. Valid scopes are: ["],
    ['personal_access_token a toString', "Invalid scope: 'toString'."],
    ['2fa_recovery_codes', 'Two-factor authentication is not enabled for this user'],
  ])('%s is refused', async (line, text) => {
    const { status, stdout, stderr } = await say(line)
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(`ERROR: ${text}`)])
  })

  it('make new recovery codes after a yes', async () => {
    const { user, client } = await world.newUser({ two_factor_enabled: true })
    const key = await world.addKey(client)
    const codes = async () =>
      (
        await world.app.db
          .selectFrom('two_factor_recovery_codes')
          .select('digest')
          .where('user_id', '=', user.id)
          .execute()
      ).map(({ digest }) => digest)
    const answer = async (stdin: string) => {
      const connection = await world.connect(key)
      const spoken = await speak(connection, '2fa_recovery_codes', { stdin: Buffer.from(stdin) })
      connection.end()
      return spoken
    }
    for (const said of ['no\n', '', 'y'.repeat(100)]) {
      expect(await answer(said)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('New recovery codes have *not* been generated.'),
      })
    }
    expect(await codes()).toEqual([])
    const { status, stdout } = await answer('yes\n')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^Are you sure you want to generate new two-factor recovery codes\?\nAny existing/,
    )
    const shown = stdout.match(/^[0-9a-f]{16}$/gm) ?? []
    expect(shown.map(digestToken).sort()).toEqual((await codes()).sort())
    expect(shown.length).toBe(10)
    expect(JSON.stringify(world.app.log)).not.toContain(shown[0])
  })

  it('make nothing for a deploy key', async () => {
    const key = newKeyPair()
    const project = await world.newProject()
    const body = { title: 'd', key: key.public }
    await world.as('owner').post(`/projects/${project.id}/deploy_keys`, body)
    expect((await say('discover', key)).stdout).toBe('Welcome to GitLab, Anonymous!\n')
    expect((await say('personal_access_token a api', key)).stderr).toContain(
      'Deploy keys cannot be used to create personal access tokens',
    )
  })
})
