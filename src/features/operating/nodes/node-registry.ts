// The registry of servers on the same PostgreSQL database. Each renews its own row and reads those of the others: locks
// of a running node are not stale, all nodes must have the same key and the same shared settings, and the time is that
// of the database.
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../../../config.ts'
import { databaseKeyOf } from '../../../db/after-commit.ts'
import type { Db } from '../../../db/db.ts'
import { closeRepositoriesAndCheckInUse } from '../../../git/close-and-check-in-use.ts'
import type { Repository } from '../../../git/repository.ts'
import { setEarliestServerStart, setHeldLockLookup } from '../../../git/stale-locks.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { monotonic_ms, systemClock } from '../../../kernel/clock.ts'
import { randomText } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { serverVersion } from '../../../kernel/version.ts'
import {
  deleteInUseQuestion,
  deleteLongSilentNodes,
  deleteNodes,
  insertInUseAnswer,
  insertInUseQuestion,
  insertNode,
  listInUseAnswers,
  listNodeRows,
  listUnansweredQuestions,
  type NewNode,
  type NodeRow,
  readDatabaseTime_ms,
  type SharedSettings,
  touchNode,
} from './node.store.ts'
import { NodeConflictError } from './node-conflict-error.ts'
import { refuseOtherDisks } from './storage-marker.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config' | 'secretKey'> & {
  onError: (error: unknown) => void
}

/** Smaller differences between clocks are ignored. */
const clear_ms = 250

/** Asks other processes that work on the same repositories. */
type OtherServers = { isInUseElsewhere: (repository: Repository) => Promise<boolean> }

const otherServers = new WeakMap<object, OtherServers>()

/** Sets the function that `isInUseElsewhere` asks: the other nodes, or on SQLite the other workers. */
export function setOtherServersLookup(db: Db, servers: OtherServers): void {
  otherServers.set(databaseKeyOf(db), servers)
}

/** The interval at which answers of other nodes are read. */
const look_ms = 500

/** Whether another process on the same database uses one of the repositories. Waits until each has answered. */
export async function isInUseElsewhere(
  db: Db,
  repositories: readonly Repository[],
): Promise<boolean> {
  const servers = otherServers.get(databaseKeyOf(db))
  if (!servers) return false
  for (const repository of repositories) {
    if (await servers.isInUseElsewhere(repository)) return true
  }
  return false
}

/** The ids of nodes in this process, of which tests start several. */
const own = new Set<string>()

export class NodeRegistry {
  readonly id = randomText(12)
  readonly #uses: Uses
  readonly #self: Omit<NewNode, 'age_ms'>
  #timer: NodeJS.Timeout | undefined
  #clockOffset_ms = 0
  #beating: Promise<void> | undefined
  #beganBeat_ms = 0
  #onLook: (others: readonly NodeRow[]) => void = () => {}
  #others: readonly NodeRow[] = []

  private constructor(uses: Uses) {
    this.#uses = uses
    this.#self = {
      id: this.id,
      name: hostname(),
      machine: machineName(),
      pid: process.pid,
      version: serverVersion,
      key_fingerprint: fingerprintOf(uses.secretKey),
      shared_settings: sharedSettingsOf(uses.config),
      url: uses.config.nodeUrl ?? null,
      storages: Object.keys(uses.config.storages),
    }
  }

  /**
   * Adds this server to the nodes of its database. Throws `NodeConflictError` if it may not run beside the
   * others.
   */
  static async join(uses: Uses): Promise<NodeRegistry> {
    const registry = new NodeRegistry(uses)
    own.add(registry.id)
    await registry.#insert()
    try {
      await registry.#measureClock()
      const others = await registry.#look()
      for (const other of others) refuseConflict(registry.#self, other)
      await refuseStorageConflict(uses, others)
    } catch (error) {
      await registry.leave()
      throw error
    }
    setOtherServersLookup(uses.db, registry)
    setHeldLockLookup(async (repository, locks) =>
      (await registry.isInUseElsewhere(repository)) ? locks : [],
    )
    return registry
  }

  /** Starts to renew this node's row and to read those of other nodes periodically. */
  start(): void {
    this.#timer = setInterval(() => this.#beat(), limits.nodes.beat_ms).unref()
  }

  /**
   * How far the database's clock is ahead of this machine's, in milliseconds; 0 if the latency could explain
   * the difference.
   */
  get clockOffset_ms(): number {
    return this.#clockOffset_ms
  }

  /** Calls `hear` now, and after each reading of the rows, with the other running nodes. */
  onOthers(hear: (others: readonly NodeRow[]) => void): void {
    this.#onLook = hear
    hear(this.#others)
  }

  /** Reads the rows of nodes at once, before the next interval. */
  async lookAgain(): Promise<void> {
    await this.#look()
  }

  /** Deletes this node's row. Must be called after its work has ended. */
  async leave(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    own.delete(this.id)
    setHeldLockLookup()
    await deleteNodes(this.#uses.db, [this.id]).catch(this.#uses.onError)
  }

  /** Returns whether other servers are running. `workers` is the number of processes of this server. */
  async doOthersRun(workers: number): Promise<boolean> {
    return (await this.#look()).length >= workers
  }

  /** Returns whether another node works on the repository. A node that dies before it answers does not count. */
  async isInUseElsewhere({ path }: Repository): Promise<boolean> {
    const { db } = this.#uses
    if ((await this.#look()).length === 0) return false
    const question = await insertInUseQuestion(db, { asked_by: this.id, path })
    try {
      for (;;) {
        const answers = await listInUseAnswers(db, question)
        if (answers.some(({ is_in_use }) => is_in_use)) return true
        const answered = new Set(answers.map(({ node_id }) => node_id))
        if ((await this.#look()).every(({ id }) => answered.has(id))) return false
        await setTimeout(look_ms)
      }
    } finally {
      await deleteInUseQuestion(db, question)
    }
  }

  async #answerOthers(): Promise<void> {
    const { db, git } = this.#uses
    for (const { id, path } of await listUnansweredQuestions(db, this.id)) {
      const is_in_use = await closeRepositoriesAndCheckInUse(git, [{ path }])
      await insertInUseAnswer(db, { question_id: id, node_id: this.id, is_in_use })
    }
  }

  async #insert(): Promise<void> {
    await insertNode(this.#uses.db, { ...this.#self, age_ms: monotonic_ms() })
  }

  #beat(): void {
    // A beat that hangs on a broken connection must not block further beats.
    if (this.#beating && monotonic_ms() - this.#beganBeat_ms < limits.nodes.beat_ms_max) return
    this.#beganBeat_ms = monotonic_ms()
    const beat = async () => {
      const { db } = this.#uses
      if (!(await touchNode(db, this.id))) await this.#insert()
      await deleteLongSilentNodes(db)
      await this.#measureClock()
      await this.#look()
      await this.#answerOthers()
    }
    const beating = beat()
      .catch(this.#uses.onError)
      .finally(() => {
        if (this.#beating === beating) this.#beating = undefined
      })
    this.#beating = beating
  }

  async #measureClock(): Promise<void> {
    const { db, clock } = this.#uses
    const began_ms = clock().getTime()
    const database_ms = await readDatabaseTime_ms(db)
    const ended_ms = clock().getTime()
    const offset_ms = Math.round(database_ms - (began_ms + ended_ms) / 2)
    const isClear = Math.abs(offset_ms) > ended_ms - began_ms + clear_ms
    this.#clockOffset_ms = isClear ? offset_ms : 0
  }

  /**
   * Reads the other running nodes, deletes the rows of ended processes of this machine, and updates which
   * locks of git count.
   */
  async #look(): Promise<NodeRow[]> {
    const rows = await listNodeRows(this.#uses.db)
    const ended = rows.filter((row) => hasEnded(row, this.#self.machine))
    await deleteNodes(
      this.#uses.db,
      ended.map(({ id }) => id),
    )
    const others = rows.filter((row) => row.id !== this.id && row.is_alive && !ended.includes(row))
    const self = rows.find(({ id }) => id === this.id)
    if (self) setEarliestServerStart(earliestStart_ms(self, others))
    this.#others = others
    this.#onLook(others)
    return others
  }
}

/** Returns when the first of the nodes started, in milliseconds by the clock of this process. */
function earliestStart_ms(self: NodeRow, others: readonly NodeRow[]): number {
  const ownStart_ms = systemClock().getTime() - monotonic_ms()
  const ahead_ms = others.map(
    ({ started_at }) => Date.parse(self.started_at) - Date.parse(started_at),
  )
  return ownStart_ms - Math.max(0, ...ahead_ms)
}

/** Returns whether the row belongs to an ended process of this machine. */
function hasEnded({ id, machine, pid }: NodeRow, here: string): boolean {
  if (machine !== here) return false
  if (pid === process.pid) return !own.has(id)
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Throws if the secret key or a shared setting of the two nodes differs. */
function refuseConflict(
  self: Pick<NodeRow, 'key_fingerprint' | 'shared_settings'>,
  other: NodeRow,
): void {
  const named = `${other.name} (process ${other.pid})`
  if (self.key_fingerprint !== other.key_fingerprint) {
    throw new NodeConflictError(
      `The secret.key of this server is not that of ${named}, which runs on the same database. Copy that file into the data folder of this server.`,
    )
  }
  const names = Object.keys({ ...self.shared_settings, ...other.shared_settings })
  const textOf = (settings: SharedSettings, name: string) =>
    JSON.stringify(ownValue(settings, name) ?? null)
  for (const name of names) {
    const [ours, theirs] = [textOf(self.shared_settings, name), textOf(other.shared_settings, name)]
    if (ours === theirs) continue
    throw new NodeConflictError(
      `The setting ${name} of this server is ${ours}, but ${named}, which runs on the same database, has ${theirs}. Set it alike on all servers.`,
    )
  }
}

/**
 * Throws if a running server lacks one of this server's storages and this server has no URL for it, and if
 * the disk of a storage is not the one that the database has recorded.
 */
async function refuseStorageConflict(
  { db, config }: Pick<Uses, 'db' | 'config'>,
  others: readonly NodeRow[],
): Promise<void> {
  if (config.nodeUrl !== undefined) return refuseOtherDisks(db, config.storages)
  const missing = Object.keys(config.storages).filter((name) =>
    others.some(({ storages }) => storages && !storages.includes(name)),
  )
  if (missing.length === 0) return
  throw new NodeConflictError(
    `This server has the storages ${missing.join(', ')}, which other servers of the same database have not. Set BLOOMERY_NODE_URL to where they reach this one.`,
  )
}

function sharedSettingsOf({
  url,
  tier,
  storages,
  storagesElsewhere,
  blobs,
  pages,
}: Config): SharedSettings {
  return {
    ...(url === undefined ? {} : { BLOOMERY_URL: url }),
    BLOOMERY_TIER: tier,
    BLOOMERY_STORAGES: Object.keys({ ...storages, ...storagesElsewhere }).toSorted(),
    ...(blobs === undefined ? {} : { BLOOMERY_BLOBS: blobs.name }),
    ...(pages.host === undefined ? {} : { BLOOMERY_PAGES_HOST: pages.host }),
  }
}

const fingerprint_characters = 16

/** Returns a digest that distinguishes keys without revealing them. */
function fingerprintOf(secretKey: Buffer): string {
  return createHash('sha256')
    .update('node key fingerprint')
    .update(secretKey)
    .digest('hex')
    .slice(0, fingerprint_characters)
}

/**
 * Returns a name of the scope in which process ids are unique: the machine, its boot, and the container's pid
 * namespace.
 */
function machineName(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return [hostname(), boot, readlinkSync('/proc/self/ns/pid')].join(' ')
  } catch {
    // Outside of Linux the host name is used.
    return hostname()
  }
}
