// Requests no git client sends: each is refused with nothing left behind, and the server goes on.
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Oid, zeroOid } from '../../src/git/names.ts'
import { encodePacket, flushPacket } from '../../src/git/pkt-line.ts'
import { newCommit, newObject, newTree } from '../../src/git/write.ts'
import type { Project } from '../../src/subjects/project.ts'
import { type GitWorld, newGitWorld, processesOf, runRealGit, WorkingCopy } from '../kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

const authorization = () => `Basic ${Buffer.from(`x:${world.token('owner')}`).toString('base64')}`

async function post(
  project: Project,
  body: Buffer,
  {
    service = 'receive',
    headers = {},
  }: { service?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${world.url}/${project.full_path}.git/git-${service}-pack`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: {
      authorization: authorization(),
      'content-type': `application/x-git-${service}-pack-request`,
      ...headers,
    },
  })
  return { status: answer.status, text: await answer.text() }
}

type Command = { name: string | Buffer; oldOid?: string; newOid: string }

function commandList(commands: readonly Command[], capabilities = 'report-status'): Buffer {
  const lines = commands.map(({ name, oldOid = zeroOid, newOid }, index) =>
    encodePacket(
      Buffer.concat([
        Buffer.from(`${oldOid} ${newOid} `),
        Buffer.from(name),
        Buffer.from(index === 0 ? `\0 ${capabilities}` : ''),
      ]),
    ),
  )
  return Buffer.concat([...lines, flushPacket])
}

/** A pack with a commit of the given files on nothing, as git makes it. */
async function packOf(
  files: Record<string, string | Buffer>,
): Promise<{ tip: string; pack: Buffer; copy: WorkingCopy }> {
  const copy = new WorkingCopy()
  await copy.must(['init', '--quiet'])
  const tip = await copy.commit(files)
  return { tip, pack: await packFrom(copy, [tip]), copy }
}

async function packFrom(copy: WorkingCopy, lines: string[], args = ['--revs']): Promise<Buffer> {
  const name = await copy.must(['pack-objects', '--quiet', ...args, 'made'], {
    stdin: `${lines.join('\n')}\n`,
  })
  return readFileSync(`${copy.path}/made-${name}.pack`)
}

async function expectUntouched(project: Project): Promise<void> {
  expect(await world.refs(project)).toEqual({})
  expect(world.leftovers(project)).toEqual([])
  expect(await countObjects(project)).toBe(0)
}

async function countObjects(project: Project): Promise<number> {
  const { stdout } = await runRealGit(['count-objects', '-v'], {
    env: { GIT_DIR: world.repository(project) },
  })
  return [...stdout.matchAll(/^(count|in-pack|garbage): (\d+)$/gm)].reduce(
    (sum, match) => sum + Number(match[2]),
    0,
  )
}

describe('a command list', () => {
  it.each([
    ['of no packets', Buffer.from('hello there, server\n')],
    ['that ends within a packet', encodePacket('0'.repeat(100)).subarray(0, 50)],
    ['of a packet too long', Buffer.from(`ffff${'0'.repeat(70_000)}`)],
    ['of a packet shorter than its length', Buffer.from('0003')],
    ['of a command that is none', Buffer.concat([encodePacket('make me a sandwich'), flushPacket])],
    ['with short names', Buffer.concat([encodePacket('123 456 refs/heads/x\0'), flushPacket])],
    [
      'without a name',
      Buffer.concat([encodePacket(`${zeroOid} ${'1'.repeat(40)} \0`), flushPacket]),
    ],
    [
      'for another object format',
      commandList(
        [{ name: 'refs/heads/x', newOid: zeroOid }],
        'report-status object-format=sha256',
      ),
    ],
    [
      'with a certificate, which is not offered',
      Buffer.concat([encodePacket('push-cert\0report-status'), flushPacket]),
    ],
  ])('%s is answered with 400', async (_what, body) => {
    const project = await world.newProject()
    expect((await post(project, body)).status).toBe(400)
    await expectUntouched(project)
  })

  it.each([
    'refs/heads',
    'refs/tags',
    'refs/pipelines',
    'HEAD',
    'heads/x',
    'refs/heads/../../HEAD',
    'refs/heads/a..b',
    'refs/heads/.hidden',
    'refs/heads/x.lock',
    'refs/heads/a b',
    'refs/heads/a\\b',
    'refs/heads/a~1',
    'refs/heads/',
    'refs/heads/x\ny',
    Buffer.from('refs/heads/\xff', 'latin1'),
  ])('with the reference %s makes none', async (name) => {
    const project = await world.newProject()
    const { tip, pack } = await packOf({ a: 'a' })
    const body = Buffer.concat([commandList([{ name, newOid: tip }]), pack])
    const { status, text } = await post(project, body)
    expect([status, text]).toEqual([200, expect.stringContaining('funny refname')])
    expect(await world.refs(project)).toEqual({})
    expect(readFileSync(`${world.repository(project)}/HEAD`, 'utf8')).toBe('ref: refs/heads/main\n')
  })

  it('with one reference twice changes it not at all', async () => {
    const project = await world.newProject()
    const { tip, pack } = await packOf({ a: 'a' })
    const name = 'refs/heads/x'
    const body = Buffer.concat([
      commandList([
        { name, newOid: tip },
        { name, newOid: tip },
      ]),
      pack,
    ])
    const { text } = await post(project, body)
    expect(text.match(/multiple updates for ref not allowed/g)).toHaveLength(2)
    await expectUntouched(project)
  })

  it('that deletes what is not there is fine, and what has moved is not', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const tip = (await world.refs(project))['refs/heads/main'] ?? ''
    await world.commit(project, { b: 'b' }, { branch: 'free', start_branch: 'main' })
    const remove = async (name: string, oldOid: string) =>
      (await post(project, commandList([{ name, oldOid, newOid: zeroOid }]))).text
    expect(await remove('refs/heads/no-such', zeroOid)).toContain('ok refs/heads/no-such')
    expect(await remove('refs/heads/no-such', tip)).toContain('ng refs/heads/no-such')
    expect(await remove('refs/heads/free', zeroOid)).toContain('ng refs/heads/free')
    expect(await remove('refs/heads/free', tip)).toContain('ng refs/heads/free')
    expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/free', 'refs/heads/main'])
  })

  it('with an old value that is wrong loses against what is there', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const before = await world.refs(project)
    const { tip, pack } = await packOf({ other: 'x' })
    for (const oldOid of [zeroOid, '1'.repeat(40), tip]) {
      const command = { name: 'refs/heads/main', oldOid, newOid: tip }
      const { text } = await post(project, Buffer.concat([commandList([command]), pack]))
      expect(text).toContain('ng refs/heads/main')
    }
    expect(await world.refs(project)).toEqual(before)
  })

  it('of a lone flush packet is the question whether a push is let in', async () => {
    const answer = await post(await world.newProject(), flushPacket)
    expect(answer).toEqual({ status: 200, text: '' })
  })
})

describe('a pack', () => {
  const send = async (project: Project, tip: string, pack: Buffer) =>
    post(project, Buffer.concat([commandList([{ name: 'refs/heads/x', newOid: tip }]), pack]))

  it('that is sound is taken, so that the cases below mean something', async () => {
    const project = await world.newProject()
    const { tip, pack } = await packOf({ a: 'a' })
    expect((await send(project, tip, pack)).text).toContain('unpack ok')
    expect(await world.refs(project)).toEqual({ 'refs/heads/x': tip })
  })

  it.each([
    ['is missing', () => Buffer.alloc(0)],
    ['is something else', () => Buffer.from('not a pack at all, by no means')],
    ['is cut off', (pack: Buffer) => pack.subarray(0, pack.length - 30)],
    ['ends after its header', (pack: Buffer) => pack.subarray(0, 12)],
    [
      'has one byte changed',
      (pack: Buffer) => Buffer.from(pack.map((byte, at) => (at === 40 ? byte ^ 1 : byte))),
    ],
    [
      'has a wrong checksum',
      (pack: Buffer) =>
        Buffer.from(pack.map((byte, at) => (at === pack.length - 1 ? byte ^ 1 : byte))),
    ],
    [
      'promises more objects than it has',
      (pack: Buffer) => Buffer.from(pack.map((byte, at) => (at === 11 ? byte + 1 : byte))),
    ],
    [
      'promises four thousand million objects',
      (pack: Buffer) => Buffer.from(pack.map((byte, at) => (at >= 8 && at < 12 ? 0xff : byte))),
    ],
  ])('that %s leaves nothing', async (_what, change) => {
    const project = await world.newProject()
    const { tip, pack } = await packOf({ a: randomUUID() })
    const { status, text } = await send(project, tip, change(pack))
    expect([status, text]).toEqual([200, expect.stringMatching(/unpack (?!ok)/)])
    expect(text).toContain('ng refs/heads/x unpacker error')
    await expectUntouched(project)
  })

  it('without all it needs leaves nothing', async () => {
    const project = await world.newProject()
    const { tip, copy } = await packOf({ a: 'a' })
    const withoutTree = await packFrom(copy, [tip], [])
    expect((await send(project, tip, withoutTree)).text).toContain('ng refs/heads/x')
    await expectUntouched(project)
    const other = await packOf({ b: randomUUID() })
    const { text } = await send(project, tip, other.pack)
    expect(text).toContain('ng refs/heads/x missing necessary objects')
    await expectUntouched(project)
  })

  it('of no objects does not make up for them', async () => {
    const project = await world.newProject()
    const empty = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
    const { text } = await send(project, '1'.repeat(40), empty)
    expect(text).toContain('ng refs/heads/x missing necessary objects')
    await expectUntouched(project)
  })

  const dotGits = [
    '.git',
    '.GIT',
    'git~1',
    '.g\u200cit',
    '.git.',
    '.git ',
    '.git::$INDEX_ALLOCATION',
    '.git\\x',
  ]
  it.each([...dotGits, '.', '..'])('with a path "%s" is refused by fsck', async (name) => {
    const project = await world.newProject()
    const { tip, pack } = await craft(name)
    expect((await send(project, tip, pack)).text).toContain('ng refs/heads/x unpacker error')
    await expectUntouched(project)
  })

  it('with a symlink for .gitmodules or an evil URL in it is refused by fsck', async () => {
    const url = '[submodule "x"]\n\tpath = x\n\turl = -u./payload\n'
    for (const files of [
      { mode: '120000', content: '/etc/passwd' },
      { mode: '100644', content: url },
    ] as const) {
      const project = await world.newProject()
      const { tip, pack } = await craft('.gitmodules', files)
      expect((await send(project, tip, pack)).text).toContain('ng refs/heads/x unpacker error')
      await expectUntouched(project)
    }
  })

  /** A commit with one entry of that name, which git itself would not make. */
  async function craft(
    name: string,
    { mode = '100644', content = 'x' }: { mode?: '100644' | '120000'; content?: string } = {},
  ): Promise<{ tip: string; pack: Buffer }> {
    const copy = new WorkingCopy()
    await copy.must(['init', '--quiet'])
    const blob = newObject('blob', Buffer.from(content))
    const tree = newTree([{ mode, name: Buffer.from(name), oid: blob.oid }])
    const someone = { name: 'S', email: 's@bloomery.test' }
    const commit = newCommit({
      tree: tree.oid,
      parents: [],
      author: someone,
      committer: someone,
      date: new Date('2026-01-01T00:00:00Z'),
      message: 'x',
    })
    for (const { type, content: bytes } of [blob, tree, commit]) {
      await copy.must(['hash-object', '--literally', '-w', '-t', type, '--stdin'], { stdin: bytes })
    }
    const names: Oid[] = [blob.oid, tree.oid, commit.oid]
    return { tip: commit.oid, pack: await packFrom(copy, names, []) }
  }

  it('with a damaged commit is refused by fsck', async () => {
    const project = await world.newProject()
    const copy = new WorkingCopy()
    await copy.must(['init', '--quiet'])
    const tree = await copy.must(['hash-object', '-w', '-t', 'tree', '--stdin'])
    const text = `tree ${tree}\nauthor nobody\ncommitter nobody\n\nx`
    const tip = await copy.must(['hash-object', '--literally', '-w', '-t', 'commit', '--stdin'], {
      stdin: text,
    })
    const pack = await packFrom(copy, [tree, tip], [])
    expect((await send(project, tip, pack)).text).toContain('ng refs/heads/x unpacker error')
    await expectUntouched(project)
  })

  it('that is refused does not tell where repositories lie', async () => {
    const project = await world.newProject()
    const { tip, pack } = await packOf({ a: 'a' })
    const commands = commandList(
      [{ name: 'refs/heads/x', newOid: tip }],
      'report-status side-band-64k',
    )
    const { text } = await post(project, Buffer.concat([commands, pack.subarray(0, 60)]))
    expect(text).toMatch(/early EOF|fatal/)
    expect(text).not.toContain(world.app.config.data)
  })
})

describe('a compressed request', () => {
  it.each(['gzip', 'x-gzip'])('in %s is taken', async (encoding) => {
    const project = await world.newProject()
    const { tip, pack } = await packOf({ a: 'a' })
    const body = Buffer.concat([commandList([{ name: 'refs/heads/x', newOid: tip }]), pack])
    const headers = { 'content-encoding': encoding }
    expect((await post(project, gzipSync(body), { headers })).text).toContain('unpack ok')
  })

  it('that is cut off or none is refused', async () => {
    const project = await world.newProject()
    const { tip, pack } = await packOf({ a: randomBytes(5000) })
    const commands = commandList([{ name: 'refs/heads/x', newOid: tip }])
    const whole = gzipSync(Buffer.concat([commands, pack]))
    const headers = { 'content-encoding': 'gzip' }
    expect((await post(project, whole.subarray(0, 60), { headers })).status).toBe(400)
    expect((await post(project, Buffer.from('no gzip'), { headers })).status).toBe(400)
    const late = await post(project, whole.subarray(0, -200), { headers })
    expect(late.text).toContain('ng refs/heads/x unpacker error')
    await expectUntouched(project)
  })

  it('with more behind its end is taken for what it is', async () => {
    const project = await world.newProject()
    const { tip, pack } = await packOf({ a: 'a' })
    const body = gzipSync(
      Buffer.concat([commandList([{ name: 'refs/heads/x', newOid: tip }]), pack]),
    )
    const headers = { 'content-encoding': 'gzip' }
    const { text } = await post(project, Buffer.concat([body, Buffer.alloc(100)]), { headers })
    expect(text).toContain('unpack ok')
    expect(world.leftovers(project)).toEqual([])
  })

  it('to fetch, damaged, ends without leaving git behind', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const headers = { 'content-encoding': 'gzip' }
    for (const body of [
      Buffer.from('no gzip'),
      gzipSync(Buffer.from('0011command=fetch')).subarray(0, 15),
    ]) {
      await post(project, body, { service: 'upload', headers }).catch(() => {})
    }
    await expectNobody(project)
  })

  it('of another kind or type is answered with 415', async () => {
    const project = await world.newProject()
    const kinds: Record<string, string>[] = [
      { 'content-encoding': 'br' },
      { 'content-type': 'text/plain' },
    ]
    for (const headers of kinds) {
      expect((await post(project, flushPacket, { headers })).status).toBe(415)
    }
  })
})

/** No git works for the project any more, but for the kept reader. */
async function expectNobody(project: Project): Promise<void> {
  await world.app.git.objects.forget({ path: world.repository(project) })
  await vi.waitFor(() => expect(processesOf(world.repository(project))).toEqual([]), {
    timeout: 10_000,
  })
}

describe('a client that goes away', () => {
  /** Sends a request by hand, as far as `part` goes. */
  function begin(project: Project, service: string, part: Buffer, length = 10_000_000): Socket {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
    const head = [
      `POST /${project.full_path}.git/git-${service}-pack HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${authorization()}`,
      `Content-Type: application/x-git-${service}-pack-request`,
      `Content-Length: ${length}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write(part)
    socket.on('error', () => {})
    return socket
  }

  it.each([
    ['in the middle of its pack', 0.5],
    ['before its pack', 0],
  ])('%s leaves no process and no quarantine', async (_when, share) => {
    const project = await world.newProject()
    const { tip, pack } = await packOf({ a: randomBytes(300_000) })
    const commands = commandList([{ name: 'refs/heads/x', newOid: tip }])
    const part = pack.subarray(0, Math.floor(pack.length * share))
    const socket = begin(project, 'receive', Buffer.concat([commands, part]))
    await vi.waitFor(() => expect(world.leftovers(project)).not.toEqual([]))
    if (share > 0) {
      await vi.waitFor(() => expect(processesOf(world.repository(project))).not.toEqual([]))
    }
    socket.destroy()
    await vi.waitFor(() => expect(world.leftovers(project)).toEqual([]), { timeout: 10_000 })
    await expectNobody(project)
    await expectUntouched(project)
  })

  it('in the middle of its command list is no fault of the server', async () => {
    const project = await world.newProject()
    const before = world.app.log.filter(({ msg }) => msg === 'fault').length
    const socket = begin(project, 'receive', Buffer.from('00'))
    await new Promise((resolve) => socket.write('9', resolve))
    socket.destroy()
    await expectNobody(project)
    expect(world.app.log.filter(({ msg }) => msg === 'fault')).toHaveLength(before)
  })

  it('in the middle of a clone leaves no process', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    await copy.commit({ big: randomBytes(8_000_000) })
    await copy.must(['push', '--quiet', 'origin', 'HEAD:main'])
    const tip = (await world.refs(project))['refs/heads/main']
    const body = Buffer.concat([
      encodePacket(`want ${tip} side-band-64k\n`),
      flushPacket,
      encodePacket('done\n'),
    ])
    const socket = begin(project, 'upload', body, body.length)
    const isAnswered = new Promise((resolve) => socket.once('readable', resolve))
    // On a busy machine git may have ended when the answer is seen.
    const isThere = () => expect(processesOf(world.repository(project))).not.toEqual([])
    await vi.waitFor(isThere, { interval: 5, timeout: 10_000 })
    // The answer has begun; nobody reads the rest.
    await isAnswered
    socket.destroy()
    await expectNobody(project)
  })
})
