// Receives a push without git-receive-pack: the server reads the commands, lets git index the pack into a quarantine,
// checks access, and only then moves objects and references. There are no hook scripts in repositories. Protocol:
// gitprotocol-pack, "Pushing Data To a Server".

import { setImmediate } from 'node:timers/promises'
import { isReadOnlyError } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import { serverVersion } from '../kernel/version.ts'
import type { Git } from './command.ts'
import { GitError } from './errors.ts'
import { isServerRef } from './hidden-refs.ts'
import { asOid, asRefName, zeroOid } from './names.ts'
import {
  encodeBandPackets,
  encodePacket,
  flushPacket,
  PacketError,
  type PacketReader,
} from './pkt-line.ts'
import {
  checkPushConnectivity,
  closeQuarantine,
  migrateQuarantine,
  openQuarantine,
  type PushContents,
  type Quarantine,
  storePackInQuarantine,
} from './quarantine.ts'
import { hasRoomForRefs, listRefs, readRef, tooManyRefsText } from './refs.ts'
import type { Repository } from './repository.ts'
import { type RefUpdate, updateRefs } from './update-refs.ts'

const capabilities = `report-status delete-refs side-band-64k quiet atomic ofs-delta push-options object-format=sha1 agent=bloomery/${serverVersion}`

/** Streams the first response to a push: all visible references and the capabilities of the server. */
export async function* advertiseForPush(repository: Repository): AsyncGenerator<Buffer> {
  const refs = await listRefs(repository, 'refs/')
  let more = `\0${capabilities}`
  for await (const run of refs.runs()) {
    const lines: Buffer[] = []
    for (const { name, oid } of run) {
      if (isServerRef(name)) continue
      lines.push(encodePacket(`${oid} ${name}${more}\n`))
      more = ''
    }
    if (lines.length > 0) yield Buffer.concat(lines)
  }
  yield Buffer.concat([
    ...(more === '' ? [] : [encodePacket(`${zeroOid} capabilities^{}${more}\n`)]),
    flushPacket,
  ])
}

/** A command that is refused whatever becomes of the rest of the push; `name` is as it was sent. */
type Malformed = { name: Buffer; reason: string }

export type PushRequest = {
  updates: RefUpdate[]
  malformed: Malformed[]
  /** Whether the client sends a pack: always when it sets any reference, accepted or not. */
  hasPack: boolean
  /** Whether the client has only a part of the history. */
  isShallow: boolean
  capabilities: ReadonlySet<string>
  options: string[]
}

const push_options_max = 1000

/**
 * Reads the commands and push options of a push; undefined if the client only asked whether it may push. gitprotocol-pack,
 * "Reference Update Request": lines `shallow <oid>`, then commands `<old> <new> <name>`, the first of which has the client's
 * capabilities after a NUL.
 */
export async function readPushRequest(reader: PacketReader): Promise<PushRequest | undefined> {
  const commands: Command[] = []
  let given: Set<string> | undefined
  let isShallow = false
  for await (const line of linesOf(reader)) {
    if (/^shallow [0-9a-f]{40}\n?$/.test(line.toString('latin1', 0, 50))) {
      isShallow = true
      continue
    }
    const nul = line.indexOf(0)
    if (!given) given = capabilitiesOf(nul < 0 ? '' : line.toString('utf8', nul + 1))
    commands.push(parseCommand(nul < 0 ? withoutNewline(line) : line.subarray(0, nul)))
    if (commands.length > limits.push_commands_max) {
      throw new PacketError(`A push moves at most ${limits.push_commands_max} references.`)
    }
  }
  if (!given) return undefined
  const options: string[] = []
  if (given.has('push-options')) {
    for await (const line of linesOf(reader)) {
      options.push(withoutNewline(line).toString('utf8'))
      if (options.length > push_options_max) throw new PacketError('Too many push options.')
    }
  }
  const hasPack = commands.some(({ newOid }) => newOid !== zeroOid)
  return { ...(await sortOut(commands)), hasPack, isShallow, capabilities: given, options }
}

/** The lines up to the next flush packet. */
async function* linesOf(reader: PacketReader): AsyncGenerator<Buffer> {
  for (;;) {
    const line = await reader.next()
    if (line === undefined || line === 'flush') return
    if (reader.read_bytes > limits.push_commands_bytes) {
      throw new PacketError('The command list is too long.')
    }
    yield line
  }
}

function withoutNewline(line: Buffer): Buffer {
  return line.at(-1) === 10 ? line.subarray(0, -1) : line
}

function capabilitiesOf(text: string): Set<string> {
  const given = new Set(text.trim().split(' ').filter(Boolean))
  for (const capability of given) {
    if (capability.startsWith('object-format=') && capability !== 'object-format=sha1') {
      throw new PacketError('The repository has another object format.')
    }
  }
  return given
}

type Command = { oldOid: RefUpdate['oldOid']; newOid: RefUpdate['newOid']; name: Buffer }

function parseCommand(line: Buffer): Command {
  const match = /^([0-9a-f]{40}) ([0-9a-f]{40}) $/.exec(line.toString('latin1', 0, 82))
  const oldOid = asOid(match?.[1] ?? '')
  const newOid = asOid(match?.[2] ?? '')
  if (!oldOid || !newOid || line.length <= 82)
    throw new PacketError('Malformed command line in push.')
  return { oldOid, newOid, name: line.subarray(82) }
}

/** Commands that are looked at before others get their turn. */
const sorted_commands = 2000

/** Separates the commands that may be carried out from those no push may hold. */
async function sortOut(
  commands: readonly Command[],
): Promise<Pick<PushRequest, 'updates' | 'malformed'>> {
  const counts = new Map<string, number>()
  for (const [at, { name }] of commands.entries()) {
    if (at % sorted_commands === sorted_commands - 1) await setImmediate()
    const key = name.toString('latin1')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const updates: RefUpdate[] = []
  const malformed: Malformed[] = []
  for (const [at, { name: bytes, oldOid, newOid }] of commands.entries()) {
    if (at % sorted_commands === sorted_commands - 1) await setImmediate()
    const text = bytes.toString('utf8')
    // Invalid UTF-8 would be decoded to a different name.
    const name = Buffer.from(text).equals(bytes) ? asRefName(text) : undefined
    const refuse = (reason: string) => malformed.push({ name: bytes, reason })
    if (!name) refuse('funny refname')
    else if (isServerRef(name)) refuse('deny updating a hidden ref')
    else if ((counts.get(bytes.toString('latin1')) ?? 0) > 1) {
      refuse('multiple updates for ref not allowed')
    } else updates.push({ name, oldOid, newOid })
  }
  return { updates, malformed }
}

export type PushHandlers = {
  /** Checks the updates once their objects are there. Returns why the push is refused, if it is. */
  check: (quarantine: Quarantine | undefined, brought: PushContents) => Promise<string | undefined>
  /** Writes what has to be stored before references move. Called once `check` has accepted the push. */
  prepare: () => Promise<void>
  /**
   * Checks once more, the references being locked and as the pusher says: much may have changed while
   * the pack came in. Returns why nothing may move any more, if so.
   */
  confirm: () => Promise<string | undefined>
}

/** The result of a push: one line for each reference, and messages for the pusher. */
export type PushResult = {
  unpack: 'ok' | string
  refs: { name: string | Buffer; problem?: string }[]
  messages: string[]
  accepted: RefUpdate[]
}

/**
 * Receives one push: stores its objects in quarantine, asks whether it is accepted, moves the objects in and updates the
 * references. `signal` cancels it before it is accepted; then nothing remains of it.
 */
export function receivePush(
  git: Git,
  repository: Repository,
  push: PushToReceive,
): Promise<PushResult> {
  return git.turns.hold('push', () => receiveInTurn(git, repository, push), push)
}

type PushToReceive = {
  request: PushRequest
  reader: PacketReader
  /** Of the pack. */
  bytes_max: number
  handlers: PushHandlers
  /** Why no objects are taken at all; what removes references goes on. */
  refusesPacks?: string | undefined
  signal?: AbortSignal
  /** Called while the push waits for its turn or for memory. */
  onWait?: () => void
}

async function receiveInTurn(
  git: Git,
  repository: Repository,
  push: PushToReceive,
): Promise<PushResult> {
  const { request, reader, bytes_max, signal, onWait } = push
  if (request.hasPack && push.refusesPacks !== undefined) {
    // The client sends everything before it reads the response.
    for await (const _ of reader.rest());
    return refuse(request, { reason: declined, messages: push.refusesPacks.split('\n') })
  }
  const quarantine = request.hasPack ? await openQuarantine(repository) : undefined
  let refusal: PushResult | undefined
  try {
    const stored =
      quarantine &&
      (await storePackInQuarantine({
        git,
        repository,
        quarantine,
        reader,
        bytes_max,
        signal,
        onWait,
      }))
    refusal = stored?.problem
      ? refuse(request, {
          reason: 'unpacker error',
          messages: messagesOf(repository, stored.stderr),
          unpack: stored.problem,
        })
      : await checkAndPrepare(git, repository, {
          ...push,
          quarantine,
          objects: stored?.objects ?? 0,
        })
    if (!refusal && quarantine) await migrateQuarantine(repository, quarantine)
  } finally {
    if (quarantine) await closeQuarantine(quarantine)
  }
  if (refusal) return refusal
  const moved = await moveRefs(git, repository, { request, confirm: push.handlers.confirm })
  const refusals = new Set(moved.flatMap(({ problem }) => problem?.text ?? []))
  return {
    unpack: 'ok',
    refs: [
      ...request.malformed.map(({ name, reason: problem }) => ({ name, problem })),
      ...moved.map(({ update, problem }) => ({ name: update.name, problem: problem?.reason })),
    ],
    messages: [...refusals].flatMap((text) => text.split('\n')),
    accepted: moved.filter(({ problem }) => problem === undefined).map(({ update }) => update),
  }
}

/**
 * Checks the push as a whole, its objects being there, and prepares the move of its references. Returns why the push is
 * refused, and then has prepared nothing; undefined when it is accepted.
 */
async function checkAndPrepare(
  git: Git,
  repository: Repository,
  push: {
    request: PushRequest
    handlers: PushHandlers
    quarantine: Quarantine | undefined
    /** How many objects the pack has. */
    objects: number
    signal?: AbortSignal
  },
): Promise<PushResult | undefined> {
  const { request, handlers, quarantine, objects, signal } = push
  const { updates, malformed } = request
  if (malformed.length > 0 && request.capabilities.has('atomic')) {
    return refuse(request, { reason: 'atomic push failure' })
  }
  if (updates.length === 0) return refuse(request, { reason: '' })
  const created = updates.filter(({ oldOid }) => oldOid === zeroOid).length
  if (!(await hasRoomForRefs(repository, created))) {
    return refuse(request, { reason: 'too many references', messages: [tooManyRefsText] })
  }
  const tips = updates.filter(({ newOid }) => newOid !== zeroOid).map(({ newOid }) => newOid)
  const brought = await checkPushConnectivity({
    git,
    repository,
    quarantine,
    tips,
    objects,
    signal,
  })
  if (!brought) {
    const reason = request.isShallow ? 'shallow update not allowed' : 'missing necessary objects'
    return refuse(request, { reason })
  }
  const text = await handlers.check(quarantine, brought)
  if (text !== undefined) {
    return refuse(request, { reason: declined, messages: text.split('\n') })
  }
  signal?.throwIfAborted()
  await handlers.prepare()
  return undefined
}

function refuse(
  { updates, malformed }: PushRequest,
  refusal: { reason: string; messages?: string[]; unpack?: string },
): PushResult {
  const { reason, messages = [], unpack = 'ok' } = refusal
  return {
    unpack,
    refs: [
      ...malformed.map(({ name, reason: problem }) => ({ name, problem })),
      ...updates.map(({ name }) => ({ name, problem: reason })),
    ],
    messages,
    accepted: [],
  }
}

const messages_max = 50

/** Returns the output of git as messages for the pusher, without the repository's path on this machine. */
function messagesOf({ path }: Repository, stderr: string): string[] {
  return stderr
    .replaceAll(path, 'repository')
    .replaceAll(/repository\/objects\/incoming-[0-9a-f-]+/g, 'incoming')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, messages_max)
}

const declined = 'pre-receive hook declined'

/** `text` is for the pusher, where the move was refused and did not merely fail. */
type Problem = { reason: string; text?: string }
type Moved = { update: RefUpdate; problem?: Problem }
type Move = { request: PushRequest; confirm: PushHandlers['confirm'] }

/**
 * Moves all references in one transaction if possible. Commands with wrong old values are reported before git is called.
 * If the transaction fails and the push is not atomic, the references are tried again in halves, so that one bad
 * reference among thousands costs only a few more runs of git.
 */
async function moveRefs(
  git: Git,
  repository: Repository,
  { request, confirm }: Move,
): Promise<Moved[]> {
  const { gone, stale, updates } = await sortByState(repository, request.updates)
  const isAtomic = request.capabilities.has('atomic')
  const problem = { reason: 'failed to update ref' }
  if (isAtomic && stale.length > 0) return request.updates.map((update) => ({ update, problem }))
  const halves = new Halves(git, repository, { isAtomic, confirm })
  return [
    ...gone.map((update) => ({ update })),
    ...stale.map((update) => ({ update, problem })),
    ...(await halves.move(updates)),
  ]
}

const turn_updates = 200

/** `gone` are removed already, `stale` have another value than the pusher knows of. */
async function sortByState(repository: Repository, all: readonly RefUpdate[]) {
  const gone: RefUpdate[] = []
  const stale: RefUpdate[] = []
  const updates: RefUpdate[] = []
  for (const [count, update] of all.entries()) {
    if (count % turn_updates === turn_updates - 1) await setImmediate()
    const present = readRef(repository, update.name) ?? zeroOid
    // Deleting a missing reference succeeds, as with git-receive-pack; git update-ref would fail.
    const isGone = present === zeroOid && update.oldOid === zeroOid && update.newOid === zeroOid
    if (isGone) gone.push(update)
    else if (present === update.oldOid) updates.push(update)
    else stale.push(update)
  }
  return { gone, stale, updates }
}

class Halves {
  readonly #git: Git
  readonly #repository: Repository
  readonly #how: { isAtomic: boolean; confirm: Move['confirm'] }
  #attempts = 0

  constructor(
    git: Git,
    repository: Repository,
    how: { isAtomic: boolean; confirm: Move['confirm'] },
  ) {
    this.#git = git
    this.#repository = repository
    this.#how = how
  }

  async move(updates: readonly RefUpdate[]): Promise<Moved[]> {
    const { isAtomic, confirm } = this.#how
    const problem: Problem | undefined =
      ++this.#attempts > limits.push_attempts_max
        ? { reason: 'failed to update ref' }
        : await tryUpdate(this.#git, this.#repository, { updates, confirm })
    if (problem === undefined) return updates.map((update) => ({ update }))
    const isRefused = problem.text !== undefined
    const isOver = isAtomic || isRefused || this.#attempts > limits.push_attempts_max
    if (isOver || updates.length === 1) return updates.map((update) => ({ update, problem }))
    const middle = updates.length >> 1
    return [
      ...(await this.move(updates.slice(0, middle))),
      ...(await this.move(updates.slice(middle))),
    ]
  }
}

const problems: Partial<Record<GitError['kind'], string>> = {
  'ref-moved': 'failed to update ref',
  'ref-conflict': 'failed to update ref',
  locked: 'failed to lock ref',
}

/** Thrown out of a move that the last look refuses. */
class RefusedMove extends Error {}

async function tryUpdate(
  git: Git,
  repository: Repository,
  { updates, confirm }: { updates: readonly RefUpdate[]; confirm: Move['confirm'] },
): Promise<Problem | undefined> {
  try {
    await updateRefs(git, repository, {
      updates,
      async confirm() {
        const text = await confirm()
        if (text !== undefined) throw new RefusedMove(text)
      },
    })
    return undefined
  } catch (error) {
    if (error instanceof RefusedMove) return { reason: declined, text: error.message }
    if (isReadOnlyError(error)) return { reason: declined, text: error.message }
    if (!(error instanceof GitError)) throw error
    return { reason: problems[error.kind] ?? 'failed to update ref' }
  }
}

/**
 * Formats the response to a push in the form that the client requested: report-status, on side band 1 if the client uses
 * side bands.
 */
export function formatPushReport(request: PushRequest, result: PushResult): Buffer {
  const hasBands = request.capabilities.has('side-band-64k')
  const parts: Buffer[] = []
  if (hasBands && result.messages.length > 0) {
    parts.push(...encodeBandPackets(2, Buffer.from(`${result.messages.join('\n')}\n`)))
  }
  if (request.capabilities.has('report-status')) {
    const report = Buffer.concat([
      encodePacket(`unpack ${result.unpack}\n`),
      ...result.refs.map(({ name, problem }) =>
        encodePacket(
          Buffer.concat([
            Buffer.from(problem === undefined ? 'ok ' : 'ng '),
            Buffer.from(name),
            Buffer.from(problem === undefined ? '\n' : ` ${problem}\n`),
          ]),
        ),
      ),
      flushPacket,
    ])
    parts.push(...(hasBands ? encodeBandPackets(1, report) : [report]))
  }
  if (hasBands) parts.push(flushPacket)
  return Buffer.concat(parts)
}
