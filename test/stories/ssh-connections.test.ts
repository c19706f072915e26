// Signing in over SSH, what a connection may hold open, and clients that do not behave.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { zeroOid } from '../../src/git/names.ts'
import { encodePacket, flushPacket } from '../../src/git/pkt-line.ts'
import type { Project } from '../../src/subjects/project.ts'
import { GitSsh, type GitSshOptions } from '../../src/transports/git-ssh/git-ssh.ts'
import { runRealGit, WorkingCopy } from '../kit/git.ts'
import { newSshWorld, openChannel, type SshWorld, speak } from '../kit/ssh.ts'
import { newKeyPair } from '../kit/ssh-key.ts'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})

const others: GitSsh[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(others.splice(0).map((ssh) => ssh.close()))
})

/** A second door to the same server, with limits of its own. */
async function openDoor(limits: GitSshOptions['limits']): Promise<{ ssh: GitSsh; port: number }> {
  const { db, git, config, clock, server, secretKey } = world.app
  const services = { db, git, config, clock: clock.now, secretKey }
  const ssh = new GitSsh({ services, log: server.log, baseUrlAt: () => 'http://x.test', limits })
  others.push(ssh)
  return { ssh, port: await ssh.listen('127.0.0.1', 0) }
}

async function knock(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  return socket
}

const notAllowed = "ERROR: The command you're trying to execute is not allowed."
const noProcesses = () =>
  vi.waitFor(() => expect(world.app.git.git.spawner.running).toBe(0), { timeout: 20_000 })

describe('signing in', () => {
  it.each(['ed25519', 'rsa', 'ecdsa'] as const)(
    'with a key of kind %s is welcomed',
    async (kind) => {
      const pair = newKeyPair(kind)
      const { client: api, user } = await world.newUser()
      const { id } = (await api.post('/user/keys', { title: 'k', key: pair.public })).json()
      const client = await world.connect(pair)
      expect(await speak(client, undefined)).toEqual({
        status: 0,
        stdout: `Welcome to GitLab, @${user.username}!\n`,
        stderr: '',
      })
      client.end()
      const used = (await api.get(`/user/keys/${id}`)).json()
      expect(used.last_used_at).toBe('2026-03-01T12:00:00.000Z')
    },
  )

  it('works when the right key is the second one offered', async () => {
    const env = world.env(newKeyPair(), await world.keyOf('owner'))
    const { status } = await runRealGit(['ls-remote', world.sshUrl(world.projects.shut)], { env })
    expect(status).toBe(0)
  })

  it('is denied with an unknown, an expired and a signing key', async () => {
    const { client, user } = await world.newUser()
    const expired = await world.addKey(client, { expires_at: '2026-03-02' })
    await world.app.db
      .updateTable('ssh_keys')
      .set({ expires_at: '2026-03-01T12:00:00.000Z' })
      .where('id', '=', expired.id)
      .execute()
    const signing = await world.addKey(client, { usage_type: 'signing' })
    expect((await client.get(`/users/${user.id}/keys`)).json()).toHaveLength(2)
    for (const key of [newKeyPair(), expired, signing]) {
      const env = world.env(key)
      const url = world.sshUrl(world.projects.open)
      const { status, stderr } = await runRealGit(['ls-remote', url], { env })
      expect([status, stderr]).toEqual([
        128,
        expect.stringContaining('Permission denied (publickey).'),
      ])
    }
  })

  it('is denied to other user names, passwords and nobody', async () => {
    const key = await world.keyOf('owner')
    const { username } = world.users.owner
    const failure = /All configured authentication methods failed/
    await expect(world.connect(key, { username: 'root' })).rejects.toThrow(failure)
    await expect(world.connect(key, { username })).rejects.toThrow(failure)
    const token = world.token('owner')
    await expect(world.connect(undefined, { password: token })).rejects.toThrow(failure)
    await expect(world.connect(undefined)).rejects.toThrow(failure)
  })

  it('tells a blocked user so, whatever they ask for', async () => {
    const { client: api, user } = await world.newUser()
    const key = await world.addKey(api)
    const connected = await world.connect(key)
    const { db } = world.app
    await db.updateTable('users').set({ state: 'blocked' }).where('id', '=', user.id).execute()
    const blocked = { status: 1, stdout: '' }
    for (const client of [connected, await world.connect(key)]) {
      for (const command of [undefined, `git-upload-pack '${world.projects.open.full_path}'`]) {
        expect(await speak(client, command)).toEqual({
          ...blocked,
          stderr: expect.stringContaining('ERROR: Your account has been blocked.'),
        })
      }
      client.end()
    }
  })
})

describe('a command', () => {
  it.each([
    'id',
    'sh -i',
    "git-upload-pack 'a b'; id",
    'git-upload-pack --upload-pack=x',
    "git-upload-pack '--upload-pack=x'",
    "git-upload-pack 'a/b' && id",
    'git-upload-pack `id`',
    "git-upload-pack 'a/b\0c'",
    "git-upload-pack 'a\nb'",
    "git-receive-pack 'a/b' --quiet",
    'scp -t /tmp',
    '',
  ])('%j is not allowed', async (command) => {
    const client = await world.connect(await world.keyOf('owner'))
    const before = world.app.git.git.spawner.spawned
    expect(await speak(client, command)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(notAllowed),
    })
    expect(world.app.git.git.spawner.spawned).toBe(before)
    client.end()
  })

  it('for large files is told where they are and how to get them there', async () => {
    const { full_path } = world.projects.open
    const ask = async (who: 'reporter' | 'owner', operation: string) => {
      const client = await world.connect(await world.keyOf(who))
      const spoken = await speak(client, `git-lfs-authenticate ${full_path}.git ${operation}`)
      client.end()
      return spoken
    }
    const { status, stdout } = await ask('owner', 'upload')
    const told = JSON.parse(stdout)
    expect([status, told]).toEqual([
      0,
      {
        href: expect.stringMatching(`^http://.*/${full_path}.git/info/lfs$`),
        header: { Authorization: expect.stringMatching(/^Basic /) },
        expires_in: 1800,
      },
    ])
    const batch = await world.app.server.inject({
      method: 'POST',
      url: `/${full_path}.git/info/lfs/objects/batch`,
      headers: {
        authorization: told.header.Authorization,
        'content-type': 'application/vnd.git-lfs+json',
      },
      payload: JSON.stringify({ operation: 'upload', objects: [{ oid: 'a'.repeat(64), size: 1 }] }),
    })
    expect(batch.json()).toMatchObject({ objects: [{ actions: { upload: {} } }] })
    expect((await ask('reporter', 'download')).status).toBe(0)
    expect(await ask('reporter', 'upload')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('ERROR: You are not allowed to push code to this project.'),
    })
  })

  it('gets no terminal, no environment, no subsystem and no tunnel', async () => {
    const client = await world.connect(await world.keyOf('owner'))
    await expect(
      new Promise((resolve, reject) => {
        client.shell((error, channel) => (error ? reject(error) : resolve(channel)))
      }),
    ).rejects.toThrow('Unable to request a pseudo-terminal')
    await expect(
      new Promise((resolve, reject) => {
        client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp)))
      }),
    ).rejects.toThrow('Unable to start subsystem: sftp')
    await expect(
      new Promise((resolve, reject) => {
        client.forwardOut('127.0.0.1', 1, '127.0.0.1', world.sshPort, (error, channel) =>
          error ? reject(error) : resolve(channel),
        )
      }),
    ).rejects.toThrow('Channel open failure')
    await expect(
      new Promise((resolve, reject) => {
        client.forwardIn('127.0.0.1', 0, (error, port) => (error ? reject(error) : resolve(port)))
      }),
    ).rejects.toThrow('Unable to bind')
    const path = world.projects.open.full_path
    const spoken = await speak(client, `git-upload-pack '${path}'`, {
      env: { GIT_TRACE: '1', GIT_DIR: '/', GIT_PROTOCOL: 'version=2 $(id)' },
      stdin: flushPacket,
    })
    expect(spoken).toMatchObject({ status: 0, stderr: '' })
    expect(spoken.stdout).not.toContain('version 2')
    client.end()
  })

  it('runs beside others on one connection, up to ten', async () => {
    const client = await world.connect(await world.keyOf('owner'))
    const paths = [world.projects.open, world.projects.inside, world.projects.shut]
    const line = ({ full_path }: Project) => `git-upload-pack '${full_path}'`
    const spoken = await Promise.all(
      paths.map((project) => speak(client, line(project), { stdin: flushPacket })),
    )
    expect(spoken.map(({ status }) => status)).toEqual([0, 0, 0])
    const open10 = await Promise.all(
      Array.from({ length: 10 }, () => openChannel(client, line(world.projects.open))),
    )
    await expect(openChannel(client, line(world.projects.open))).rejects.toThrow(
      'Channel open failure',
    )
    await Promise.all(
      open10.map((channel) => {
        channel.resume().end(flushPacket)
        return once(channel, 'close')
      }),
    )
    expect(await speak(client, undefined)).toMatchObject({ status: 0 })
    client.end()
  })
})

describe('a client', () => {
  it('that never says a word is cut off, and so is one that stops half way', async () => {
    const { ssh, port } = await openDoor({ handshake_ms: 200 })
    const silent = await knock(port)
    const stopping = await knock(port)
    stopping.write('SSH-2.0-Half\r\n')
    await Promise.all([silent, stopping].map((socket) => once(socket, 'close')))
    await vi.waitFor(() => expect(ssh.connections).toBe(0))
  })

  it('that talks no SSH is cut off at once', async () => {
    const socket = await knock(world.sshPort)
    socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(2000))
    await once(socket, 'close')
  })

  it('that tries too many keys is cut off', async () => {
    const { port } = await openDoor({ attempts_max: 3 })
    const keys = Array.from({ length: 10 }, () => newKeyPair())
    let tried = 0
    const attempt = world.connect(undefined, {
      port,
      authHandler: (_left, _isPartial, next) => {
        const key = keys[tried++]
        next({ type: 'publickey', username: 'git', key: key?.private ?? '' })
      },
    })
    await expect(attempt).rejects.toThrow()
    expect(tried).toBeLessThanOrEqual(4)
  })

  it('that is one too many from an address, or in all, is not let in', async () => {
    const perAddress = await openDoor({ connections_per_address_max: 2 })
    const inAll = await openDoor({ connections_max: 2 })
    for (const { ssh, port, refusal } of [
      { ...perAddress, refusal: 'Too many connections from your address, at most 2 at once.' },
      { ...inAll, refusal: 'Too many connections, at most 2 at once.' },
    ]) {
      const first = await knock(port)
      await knock(port)
      const refused = await knock(port)
      const text = refused.toArray()
      await once(refused, 'close')
      expect(String(Buffer.concat(await text))).toBe(`${refusal} Try again later.\r\n`)
      expect(world.app.log.at(-1)).toMatchObject({
        msg: 'ssh connection refused',
        reason: `${refusal} Try again later.`,
      })
      expect(ssh.connections).toBe(2)
      first.destroy()
      await vi.waitFor(() => expect(ssh.connections).toBe(1))
      await world.connect(await world.keyOf('owner'), { port })
    }
  })

  it('that asks for nothing is sent away', async () => {
    const { port } = await openDoor({ idle_ms: 200 })
    const client = await world.connect(await world.keyOf('owner'), { port })
    await once(client, 'close')
  })

  it('that stands still within a command loses it, and git with it', async () => {
    const { port } = await openDoor({ stall_ms: 300 })
    const client = await world.connect(await world.keyOf('owner'), { port })
    const channel = await openChannel(client, `git-upload-pack '${world.projects.open.full_path}'`)
    channel.resume()
    await once(channel, 'close')
    await noProcesses()
    expect(await speak(client, undefined)).toMatchObject({ status: 0 })
    client.end()
  })

  it('that says what it wants and then nothing more loses its fetch', async () => {
    const { port } = await openDoor({ wait_ms: 300 })
    const project = await world.newProject()
    const copy = await world.begin(project)
    const tip = await copy.commit({ a: 'a' })
    await copy.must(['push', '--quiet', 'origin', 'HEAD:main'])
    await noProcesses()
    const client = await world.connect(await world.keyOf('owner'), { port })
    const channel = await openChannel(client, `git-upload-pack '${project.full_path}'`)
    channel.resume()
    channel.write(Buffer.concat([encodePacket(`want ${tip} side-band-64k\n`), flushPacket]))
    await once(channel, 'close')
    await noProcesses()
    client.end()
  })

  it('that takes packets of no size is cut off', async () => {
    const client = await world.connect(await world.keyOf('owner'))
    const { _protocol } = client as unknown as {
      _protocol: { session: (id: number, window: number, packet: number) => void }
    }
    const session = _protocol.session.bind(_protocol)
    _protocol.session = (id, window) => session(id, window, 0)
    const isClosed = once(client, 'close')
    client.exec('id', () => {})
    await isClosed
  })
})

/** A project with some megabytes, and what a client sends to have them all. */
async function newLargeProject() {
  const project = await world.newProject()
  const copy = await world.begin(project)
  const tip = await copy.commit({ large: randomBytes(12 * 1024 * 1024) })
  await copy.must(['push', '--quiet', 'origin', 'HEAD:main'])
  const request = Buffer.concat([
    encodePacket(`want ${tip}\n`),
    flushPacket,
    encodePacket('done\n'),
  ])
  return { project, request }
}

async function newPack() {
  const copy = new WorkingCopy()
  await copy.must(['init', '--quiet'])
  const tip = await copy.commit({ large: randomBytes(4 * 1024 * 1024) })
  const name = await copy.must(['pack-objects', '--quiet', '--revs', 'made'], { stdin: `${tip}\n` })
  const command = encodePacket(`${zeroOid} ${tip} refs/heads/new\0 report-status side-band-64k`)
  const pack = readFileSync(`${copy.path}/made-${name}.pack`)
  return { tip, head: Buffer.concat([command, flushPacket]), pack }
}

it('a client that sends more than it was told it might is cut off', async () => {
  const { project, request } = await newLargeProject()
  const client = await world.connect(await world.keyOf('owner'))
  // To the client it looks like a broken connection.
  client.on('error', () => {})
  const isClosed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  const channel = await openChannel(client, `git-upload-pack '${project.full_path}'`)
  channel.on('error', () => {})
  channel.write(request)
  await once(channel, 'readable')
  // git waits for its reader, so nobody takes what comes now.
  const { outgoing } = channel as unknown as { outgoing: { window: number } }
  outgoing.window = Number.MAX_SAFE_INTEGER
  // Of a size that does not divide the window, else the library drops what is beyond it.
  for (let times = 0; times < 600; times++) channel.write(randomBytes(30_001))
  await isClosed
  await noProcesses()
})

describe('a client that goes away', () => {
  it.each(['its connection', 'its channel'])('with %s leaves no git behind', async (what) => {
    const { project, request } = await newLargeProject()
    const client = await world.connect(await world.keyOf('owner'))
    const channel = await openChannel(client, `git-upload-pack '${project.full_path}'`)
    channel.write(request)
    await once(channel, 'readable')
    // More is there than fits into all windows and buffers, so git waits for the reader.
    await vi.waitFor(() => expect(world.app.git.git.spawner.running).toBe(1))
    if (what === 'its connection') client.destroy()
    else channel.close()
    await noProcesses()
    client.end()
  })

  it.each(['its connection', 'its channel'])(
    'with %s within a push leaves nothing of it',
    async (what) => {
      const project = await world.newProject()
      const { head, pack } = await newPack()
      const client = await world.connect(await world.keyOf('owner'))
      const channel = await openChannel(client, `git-receive-pack '${project.full_path}'`)
      channel.on('error', () => {}).resume()
      channel.write(Buffer.concat([head, pack.subarray(0, pack.length / 2)]))
      await vi.waitFor(() => expect(world.leftovers(project)).not.toEqual([]))
      if (what === 'its connection') client.destroy()
      else channel.close()
      await noProcesses()
      await vi.waitFor(() => expect(world.leftovers(project)).toEqual([]))
      expect(await world.refs(project)).toEqual({})
      client.end()
    },
  )

  it('cannot be told from one that stays, as long as the pack is whole', async () => {
    const project = await world.newProject()
    const { tip, head, pack } = await newPack()
    const client = await world.connect(await world.keyOf('owner'))
    const channel = await openChannel(client, `git-receive-pack '${project.full_path}'`)
    let told = ''
    channel.on('data', (data: Buffer) => {
      told += data.toString('latin1')
    })
    // Some clients keep their side open until they have read the report.
    channel.write(Buffer.concat([head, pack]))
    await once(channel, 'close')
    expect(told).toContain('unpack ok')
    expect(await world.refs(project)).toEqual({ 'refs/heads/new': tip })
    client.end()
  })
})

describe('stopping', () => {
  it('waits for commands that run, and lets nobody else in', async () => {
    const { ssh, port } = await openDoor({})
    const key = await world.keyOf('owner')
    const idle = await world.connect(key, { port })
    const busy = await world.connect(key, { port })
    const channel = await openChannel(busy, `git-upload-pack '${world.projects.open.full_path}'`)
    const idleIsClosed = once(idle, 'close')
    let isStopped = false
    const stopping = ssh.close().then(() => {
      isStopped = true
    })
    await idleIsClosed
    await expect(world.connect(key, { port })).rejects.toThrow('ECONNREFUSED')
    await expect(openChannel(busy, 'id')).rejects.toThrow('Channel open failure')
    expect(isStopped).toBe(false)
    const status = once(channel, 'exit')
    channel.resume().end(flushPacket)
    expect(await status).toEqual([0])
    await stopping
  })
})
