// Receiving a push without git-receive-pack: the server reads the command list, lets git index the
// pack into a quarantine, asks who may, and only then moves objects and references. No hook script
// lies in any repository. Protocol: gitprotocol-pack, "Pushing Data To a Server".
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import { askGit, type Git, runGit } from './command.ts'
import { GitError } from './errors.ts'
import { syncFolder } from './fsync.ts'
import { asOid, asRefName, type RefName, zeroOid } from './names.ts'
import { bandPackets, flushPacket, PacketError, type PacketReader, packet } from './pkt-line.ts'
import { listRefs, type RefUpdate, updateRefs } from './refs.ts'
import type { Repository } from './repository.ts'

const agent = 'agent=bloomery/0.1.0'
const capabilities = `report-status delete-refs side-band-64k quiet atomic ofs-delta push-options object-format=sha1 ${agent}`

/** References clients neither see nor change: the server's own. */
const hiddenPrefixes = [
  'refs/keep-around/',
  'refs/pipelines/',
  'refs/merge-requests/',
  'refs/environments/',
]

export function isHiddenRef(name: string): boolean {
  return hiddenPrefixes.some((prefix) => name.startsWith(prefix))
}

/** What a pusher is told first: every visible reference and what the server can do. */
export function advertiseForPush(repository: Repository): Buffer {
  const refs = listRefs(repository, 'refs/').filter(({ name }) => !isHiddenRef(name))
  const lines = refs.map(({ name, oid }, index) =>
    packet(index === 0 ? `${oid} ${name}\0${capabilities}\n` : `${oid} ${name}\n`),
  )
  if (lines.length === 0) lines.push(packet(`${zeroOid} capabilities^{}\0${capabilities}\n`))
  return Buffer.concat([...lines, flushPacket])
}

export type PushRequest = {
  updates: RefUpdate[]
  /** Refused before anything else: not a name git accepts, or hidden. */
  malformed: { name: string; reason: string }[]
  capabilities: ReadonlySet<string>
  options: string[]
}

/** Reads the command list and the push options; undefined when the client only asked whether it may. */
export async function readPushRequest(reader: PacketReader): Promise<PushRequest | undefined> {
  const updates: RefUpdate[] = []
  const malformed: PushRequest['malformed'] = []
  let given: Set<string> | undefined
  for (;;) {
    const line = await reader.next()
    if (line === undefined || line === 'flush') break
    if (reader.read_bytes > limits.push_commands_bytes) {
      throw new PacketError('The command list is too long.')
    }
    const nul = line.indexOf(0)
    const text = line.toString('utf8', 0, nul < 0 ? line.length : nul).replace(/\n$/, '')
    if (!given)
      given = new Set(
        nul < 0
          ? []
          : line
              .toString('utf8', nul + 1)
              .trim()
              .split(' '),
      )
    const match = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/.exec(text)
    if (!match) throw new PacketError('A command is none.')
    const [, oldText = '', newText = '', nameText = ''] = match
    const name = asRefName(nameText)
    const oldOid = asOid(oldText)
    const newOid = asOid(newText)
    if (!name || !oldOid || !newOid) malformed.push({ name: nameText, reason: 'funny refname' })
    else if (isHiddenRef(name)) {
      malformed.push({ name, reason: 'deny updating a hidden ref' })
    } else updates.push({ name, oldOid, newOid })
  }
  if (!given) return undefined
  const options: string[] = []
  if (given.has('push-options')) {
    for (let line = await reader.next(); line && line !== 'flush'; line = await reader.next()) {
      options.push(line.toString('utf8').replace(/\n$/, ''))
      if (options.length > 1000) throw new PacketError('Too many push options.')
    }
  }
  return { updates, malformed, capabilities: given, options }
}

/** Pushed objects that nobody else sees until they are accepted. */
export type Quarantine = { path: string; env: Record<string, string> }

async function openQuarantine(repository: Repository): Promise<Quarantine> {
  const path = join(repository.path, 'objects', `incoming-${randomUUID()}`)
  await mkdir(join(path, 'pack'), { recursive: true })
  return {
    path,
    env: {
      GIT_OBJECT_DIRECTORY: path,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository.path, 'objects'),
      GIT_QUARANTINE_PATH: path,
    },
  }
}

/** What a pack of fewer objects becomes: loose objects (transfer.unpackLimit of git). */
const unpacked_objects_max = 100

/** Stores the pack that follows in the quarantine, checked object by object. */
async function storePack(
  git: Git,
  repository: Repository,
  quarantine: Quarantine,
  reader: PacketReader,
): Promise<void> {
  const head = await reader.peek(12)
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'PACK') {
    throw new GitError('failed', 'The pack is missing.', 'unpacker: no pack')
  }
  const objects = head.readUInt32BE(8)
  const args =
    objects < unpacked_objects_max
      ? ['unpack-objects', '-q', '--strict']
      : ['index-pack', '--stdin', '--fix-thin', '--strict', '--threads=2']
  await runGit(git, repository, {
    args,
    env: quarantine.env,
    stdin: Readable.from(reader.rest()),
    timeout_ms: 60 * 60_000,
  })
}

/** Whether everything the new tips need is there, in the quarantine or the repository. */
async function checkConnected(
  git: Git,
  repository: Repository,
  quarantine: Quarantine,
  updates: readonly RefUpdate[],
): Promise<void> {
  const tips = updates.filter(({ newOid }) => newOid !== zeroOid).map(({ newOid }) => newOid)
  if (tips.length === 0) return
  await runGit(git, repository, {
    args: ['rev-list', '--objects', '--stdin', '--not', '--all', '--quiet'],
    env: quarantine.env,
    stdin: `${tips.join('\n')}\n`,
    timeout_ms: 30 * 60_000,
  })
}

/** Moves accepted objects in; indexes last, since a pack counts once its index is there. */
async function migrate(repository: Repository, quarantine: Quarantine): Promise<void> {
  const objects = join(repository.path, 'objects')
  const order = (name: string) =>
    name.endsWith('.idx') ? 3 : name.endsWith('.rev') ? 2 : name.endsWith('.pack') ? 1 : 0
  for (const folder of await readdir(quarantine.path, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue
    const from = join(quarantine.path, folder.name)
    const to = join(objects, folder.name)
    const names = (await readdir(from)).sort((a, b) => order(a) - order(b))
    if (names.length === 0) continue
    await mkdir(to, { recursive: true })
    for (const name of names) await rename(join(from, name), join(to, name))
    await syncFolder(to)
  }
  await syncFolder(objects)
}

/** Whether `newOid` has `oldOid` in its history, seen with the quarantined objects. */
export async function isFastForward(
  git: Git,
  repository: Repository,
  quarantine: Quarantine | undefined,
  { oldOid, newOid }: Pick<RefUpdate, 'oldOid' | 'newOid'>,
): Promise<boolean> {
  return askGit(git, repository, {
    args: ['merge-base', '--is-ancestor', oldOid, newOid],
    env: quarantine?.env,
  })
}

export type PushDecision = {
  /** Judges the updates once their objects are there; answers why the push is refused, if it is. */
  check: (quarantine: Quarantine) => Promise<string | undefined>
  /** Runs when everything is accepted, before references move. */
  prepare: () => Promise<void>
}

/** What became of a push: one line a reference, and texts for the pusher. */
export type PushResult = {
  unpack: 'ok' | string
  refs: { name: string; problem?: string }[]
  messages: string[]
  accepted: RefUpdate[]
}

/** Receives one push: objects into quarantine, the decision, objects and references in. */
export async function receivePush(
  git: Git,
  repository: Repository,
  {
    request,
    reader,
    decision,
  }: { request: PushRequest; reader: PacketReader; decision: PushDecision },
): Promise<PushResult> {
  const { updates, malformed } = request
  const refuse = (reason: string, messages: string[] = [], unpack = 'ok'): PushResult => ({
    unpack,
    refs: [
      ...malformed.map(({ name, reason: problem }) => ({ name, problem })),
      ...updates.map(({ name }) => ({ name, problem: reason })),
    ],
    messages,
    accepted: [],
  })
  if (malformed.length > 0 && request.capabilities.has('atomic')) {
    return refuse('atomic push failure')
  }
  const quarantine = await openQuarantine(repository)
  try {
    if (updates.some(({ newOid }) => newOid !== zeroOid)) {
      try {
        // A push of what is there already may come without a pack only by mistake of the client.
        await storePack(git, repository, quarantine, reader)
        await checkConnected(git, repository, quarantine, updates)
      } catch (error) {
        if (!(error instanceof GitError)) throw error
        return refuse('unpacker error', lines(error.stderr), 'index-pack abnormal exit')
      }
    }
    const refusal = await decision.check(quarantine)
    if (refusal !== undefined) return refuse('pre-receive hook declined', refusal.split('\n'))
    await decision.prepare()
    await migrate(repository, quarantine)
  } finally {
    await rm(quarantine.path, { recursive: true, force: true })
  }
  const moved = await moveRefs(git, repository, request)
  return {
    unpack: 'ok',
    refs: [
      ...malformed.map(({ name, reason: problem }) => ({ name, problem })),
      ...moved.map(({ update, problem }) => ({ name: update.name, problem })),
    ],
    messages: [],
    accepted: moved.filter(({ problem }) => problem === undefined).map(({ update }) => update),
  }
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 50)
}

type Moved = { update: RefUpdate; problem?: string }

/** All at once where that works; else, unless the push is atomic, each for itself. */
async function moveRefs(git: Git, repository: Repository, request: PushRequest): Promise<Moved[]> {
  const { updates } = request
  const atOnce = await tryUpdate(git, repository, updates)
  if (atOnce === undefined) return updates.map((update) => ({ update }))
  if (request.capabilities.has('atomic') || updates.length === 1) {
    return updates.map((update) => ({ update, problem: atOnce }))
  }
  const moved: Moved[] = []
  for (const update of updates) {
    moved.push({ update, problem: await tryUpdate(git, repository, [update]) })
  }
  return moved
}

const problems: Partial<Record<GitError['kind'], string>> = {
  'ref-moved': 'failed to update ref',
  'ref-conflict': 'failed to update ref',
  locked: 'failed to lock ref',
}

async function tryUpdate(
  git: Git,
  repository: Repository,
  updates: readonly RefUpdate[],
): Promise<string | undefined> {
  try {
    await updateRefs(git, repository, updates)
    return undefined
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return problems[error.kind] ?? 'failed to update ref'
  }
}

/** The answer to a push as the client asked for it: report-status, on side band 1 if it has bands. */
export function formatReport(request: PushRequest, result: PushResult): Buffer {
  const hasBands = request.capabilities.has('side-band-64k')
  const parts: Buffer[] = []
  if (hasBands && result.messages.length > 0) {
    parts.push(...bandPackets(2, Buffer.from(`${result.messages.join('\n')}\n`)))
  }
  if (request.capabilities.has('report-status')) {
    const report = Buffer.concat([
      packet(`unpack ${result.unpack}\n`),
      ...result.refs.map(({ name, problem }) =>
        packet(problem === undefined ? `ok ${name}\n` : `ng ${name} ${problem}\n`),
      ),
      flushPacket,
    ])
    parts.push(...(hasBands ? bandPackets(1, report) : [report]))
  }
  if (hasBands) parts.push(flushPacket)
  return Buffer.concat(parts)
}

/** Branch names among references. */
export function branchNameOf(name: RefName): string | undefined {
  return name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : undefined
}

export function tagNameOf(name: RefName): string | undefined {
  return name.startsWith('refs/tags/') ? name.slice('refs/tags/'.length) : undefined
}
