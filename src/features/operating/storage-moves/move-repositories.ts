// Runs a storage move. After a crash the next run continues: before the records name the new storage everything at the
// destination can be discarded, and afterwards everything at the source.

import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { refuseIfDiskFull } from '../../../disk/disk.ts'
import { closeRepositoriesAndCheckInUse } from '../../../git/close-and-check-in-use.ts'
import { removeRepository } from '../../../git/create-repository.ts'
import { areRefsFrozen } from '../../../git/freeze-refs.ts'
import { repositoryExists } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { Progress } from '../../../kernel/progress.ts'
import {
  RepositoryElsewhereError,
  type RepositoryName,
} from '../../../kernel/repository-elsewhere.ts'
import { findRepositoryPlacement, projectRepository } from '../../../subjects/project.ts'
import { findRepository, isKnownStorage, requireStorageHere } from '../../../subjects/storage.ts'
import { findWiki, type Wiki, wikiRepository } from '../../../subjects/wiki.ts'
import { enqueue } from '../../../tasks/task.ts'
import { ensureWikiRow } from '../../content/wikis/wiki.ts'
import { maintainWikiTask } from '../../content/wikis/wiki-push.ts'
import { maintainProjectTask } from '../../repository/maintenance/maintenance.tasks.ts'
import { listNodes } from '../nodes/list-nodes.ts'
import { isInUseElsewhere } from '../nodes/node-registry.ts'
import { type MoveSource, moveSourceOf } from './move-source.ts'
import { clearMoveSourceTask } from './schedule-move.ts'
import {
  findMoveRow,
  listSilentMoves,
  type MovedSubject,
  type MoveRow,
  movedSubjectOf,
  switchStorage,
  updateMoveState,
} from './storage-move.store.ts'

/** The time for requests that began before the switch, also on other nodes, before the source is deleted. */
const grace_ms = 5_000
const problem_characters_max = 1000

/**
 * Copies and compares the repositories, then switches to the copies, on the destination server. If it fails, nothing has
 * changed, and the reason is stored in the record. Throws RepositoryElsewhereError while the source server is down; the move
 * continues when it is back.
 */
export async function moveRepositories(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  moveId: number,
): Promise<void> {
  const { db, clock, config } = uses
  const known = await findMoveRow(db, moveId)
  if (!known) return
  requireStorageHere(config, known.destination_storage_name)
  const attempt = known.attempt + 1
  const move = await updateMoveState(db, moveId, {
    from: ['initial', 'scheduled', 'started'],
    to: { state: 'started', attempt, percent: 0, updated_at: timestamp(clock) },
    attempt: known.attempt,
  })
  if (!move) return
  const moved = movedSubjectOf(move)
  const { source_storage_name: from, destination_storage_name: to } = move
  const places = await findPlaces(uses, moved, from)
  try {
    if (from === to) throw new Error(`Source and destination storage are both ${to}.`)
    const unknown = [from, to].find((name) => !isKnownStorage(config, name))
    if (unknown !== undefined) throw new Error(`Storage ${unknown} is not in the settings.`)
    refuseIfDiskFull(config, to)
    const progress = await beginProgress(uses, move, places)
    for (const moving of places.repositories) {
      const destination = findRepository(config, { ...moving.name, storage: to })
      await copyAll(uses, moving, { id: moveId, attempt, destination, progress })
    }
    await switchOver(uses, { move, moved, wiki: places.wiki })
  } catch (error) {
    await fail(uses, { move, places, error })
  }
}

/** A repository to move. `mayBegin` means that the source may be missing. */
type MovingRepository = { name: RepositoryName; source: MoveSource; mayBegin: boolean }
type Places = { wiki: Wiki | undefined; repositories: MovingRepository[] }

async function findPlaces(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  moved: MovedSubject,
  from: string,
): Promise<Places> {
  // The storage may have been removed from the settings since the move was scheduled.
  if (!isKnownStorage(uses.config, from)) return { wiki: undefined, repositories: [] }
  const { names, wiki } = await findMovedNames(uses, moved, from)
  const repositories = names.map((name) => ({
    name,
    source: moveSourceOf(uses, name),
    mayBegin: name.kind === 'wiki' && wiki?.size === 0,
  }))
  return { wiki, repositories }
}

/** Returns the repositories to move from a storage: that of the project, and its wiki if it is stored there too. */
async function findMovedNames(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  moved: MovedSubject,
  storage: string,
): Promise<{ names: RepositoryName[]; wiki: Wiki | undefined }> {
  const found =
    moved.kind === 'group'
      ? await ensureWikiRow(db, moved, { repository_storage: storage, now: timestamp(clock) })
      : await findWiki(db, moved)
  const wiki = found?.repository_storage === storage ? found : undefined
  const names: RepositoryName[] = []
  if (moved.kind === 'project') names.push({ storage, kind: 'project', id: moved.id })
  if (wiki) names.push({ storage, kind: 'wiki', id: wiki.id })
  return { names, wiki }
}

/** Sets the total progress to twice the bytes of all objects: once for copying and once for comparing. */
async function beginProgress(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  { id, attempt }: MoveRow,
  { repositories }: Places,
): Promise<Progress> {
  let bytes = 0
  for (const { source } of repositories) bytes += await source.measure()
  return new Progress(2 * bytes, (percent) =>
    updateMoveState(db, id, {
      from: ['started'],
      to: { percent, updated_at: timestamp(clock) },
      attempt,
    }),
  )
}

async function copyAll(
  { db, git }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  { source, mayBegin }: MovingRepository,
  {
    destination,
    progress,
    ...ours
  }: { id: number; attempt: number; destination: Repository; progress: Progress },
): Promise<void> {
  await checkOurs(db, ours)
  await source.freeze({ mayBegin })
  await git.objects.forget(destination)
  // Checked again: if another worker has taken over the move, its finished copy may be in use there.
  await checkOurs(db, ours)
  await removeRepository(destination)
  await source.copyTo(destination, (bytes) => progress.add(bytes))
}

/** Throws if another worker has taken over the move because this one made no progress for too long. */
async function checkOurs(db: Db, { id, attempt }: { id: number; attempt: number }): Promise<void> {
  const move = await findMoveRow(db, id)
  if (move?.state !== 'started' || move.attempt !== attempt) {
    throw new Error(`Storage move ${id} was taken over by another worker.`)
  }
}

async function switchOver(
  { db, clock }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  {
    move,
    moved,
    wiki,
  }: {
    move: MoveRow
    moved: MovedSubject
    wiki: Wiki | undefined
  },
): Promise<void> {
  const { id, attempt, source_storage_name: from, destination_storage_name: to } = move
  await runTransaction(db, async (tx) => {
    const now = timestamp(clock)
    const isOurs = await updateMoveState(tx, id, {
      from: ['started'],
      to: { state: 'replicated', updated_at: now },
      attempt,
    })
    if (!isOurs) {
      if (!(await findMoveRow(tx, id)))
        throw new Error(`Storage move ${id} was deleted while it was running.`)
      // Another worker has taken over the move because this one made no progress for too long.
      return
    }
    const isSwitched = await switchStorage(tx, moved, { wikiId: wiki?.id, from, to, now })
    if (!isSwitched)
      throw new Error(`The repositories of storage move ${id} are no longer on storage ${from}.`)
    const key = String(id)
    await enqueue(tx, clock, {
      task: clearMoveSourceTask,
      key,
      payload: { move_id: id },
      delay_ms: grace_ms,
    })
    if (wiki) {
      const payload = { wiki_id: wiki.id }
      await enqueue(tx, clock, { task: maintainWikiTask, key: String(wiki.id), payload })
    }
    if (moved.kind === 'project') {
      const payload = { project_id: moved.id }
      await enqueue(tx, clock, { task: maintainProjectTask, key: String(moved.id), payload })
    }
  })
}

/**
 * Makes everything writable again before the move is recorded as failed: a crash in between leads to another attempt.
 * Throws RepositoryElsewhereError if the server of the source is down, which also leads to another attempt.
 */
async function fail(
  { db, git, clock, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  { move, places, error }: { move: MoveRow; places: Places; error: unknown },
): Promise<void> {
  const current = await findMoveRow(db, move.id)
  if (current && (current.state !== 'started' || current.attempt !== move.attempt)) return
  const { source_storage_name: from, destination_storage_name: to } = move
  for (const { name, source } of places.repositories) {
    if (from !== to && isKnownStorage(config, to)) {
      const destination = findRepository(config, { ...name, storage: to })
      await git.objects.forget(destination)
      await removeRepository(destination).catch(() => {})
    }
    await source.unfreeze()
  }
  const problem = problemOf(error).slice(0, problem_characters_max)
  await updateMoveState(db, move.id, {
    from: ['started'],
    to: { state: 'failed', problem, updated_at: timestamp(clock) },
    attempt: move.attempt,
  })
}

function problemOf(error: unknown): string {
  if (error instanceof RepositoryElsewhereError) {
    return `The server of storage ${error.storage} failed to send the repositories. See its log.`
  }
  return String((error as Error).message ?? error)
}

/** After this time without progress, the server of the destination is checked. */
const silent_ms_max = 5 * 60_000
const silent_moves_at_once = 100

/**
 * Fails moves to a server that went down meanwhile, and makes their repositories writable again, since they would be
 * read-only until it is back.
 */
export async function failAbandonedMoves(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
): Promise<void> {
  const { db, clock, config } = uses
  if (Object.keys(config.storagesElsewhere).length === 0) return
  const before = new Date(clock().getTime() - silent_ms_max).toISOString()
  const silent = await listSilentMoves(db, { before, limit: silent_moves_at_once })
  if (silent.length === 0) return
  const nodes = await listNodes(uses)
  const served = nodes.flatMap(({ state, storages }) => (state === 'running' ? storages : []))
  for (const move of silent) {
    const { id, attempt, source_storage_name: from, destination_storage_name: to } = move
    if (served.includes(to)) continue
    // The new attempt number stops that server from continuing the move when it is back.
    const taken = { attempt: attempt + 1, updated_at: timestamp(clock) }
    if (!(await updateMoveState(db, id, { from: ['started'], to: taken, attempt }))) continue
    const { names } = await findMovedNames(uses, movedSubjectOf(move), from)
    for (const name of names) await moveSourceOf(uses, name).unfreeze()
    const problem = `The server with the storage ${to} went away.`
    await updateMoveState(db, id, {
      from: ['started'],
      to: { state: 'failed', problem, updated_at: timestamp(clock) },
    })
  }
}

/** Deletes the source repositories of a move, once no server works on them any more. */
export async function removeMoveSource(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  payload: { move_id: number; waits?: number },
): Promise<void> {
  const { db, git, clock } = uses
  const move = await findMoveRow(db, payload.move_id)
  if (move?.state !== 'replicated') return
  const moved = movedSubjectOf(move)
  const { id, source_storage_name: from } = move
  requireStorageHere(uses.config, from)
  const now = timestamp(clock)
  try {
    const sources = await findSources(uses, moved, from)
    const { waits = 0 } = payload
    const areInUse =
      (await closeRepositoriesAndCheckInUse(git, sources)) || (await isInUseElsewhere(db, sources))
    if (areInUse && waits < waits_max) {
      const next = { move_id: id, waits: waits + 1 }
      const key = `${id}:${waits + 1}`
      await enqueue(db, clock, {
        task: clearMoveSourceTask,
        key,
        payload: next,
        delay_ms: grace_ms,
      })
      return
    }
    for (const source of sources) {
      // A repository without a fence is left alone: it was moved back here while this run was suspended.
      if (areRefsFrozen(source) || !repositoryExists(source)) await removeRepository(source)
    }
    await updateMoveState(db, id, {
      from: ['replicated'],
      to: { state: 'finished', updated_at: now },
    })
  } catch (error) {
    const problem = String((error as Error).message).slice(0, problem_characters_max)
    const to = { state: 'cleanup failed', problem, updated_at: now } as const
    await updateMoveState(db, id, { from: ['replicated'], to })
  }
}

/** Returns the repositories at the source that are no longer in use. */
async function findSources(
  { db, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  moved: MovedSubject,
  from: string,
): Promise<Repository[]> {
  const wiki = await findWiki(db, moved)
  const project = moved.kind === 'project' ? await findRepositoryPlacement(db, moved.id) : undefined
  const sources: Repository[] = []
  if (project && project.repository_storage !== from) {
    sources.push(projectRepository(config, { id: project.id, repository_storage: from }))
  }
  if (wiki && wiki.repository_storage !== from) {
    sources.push(wikiRepository(config, { id: wiki.id, repository_storage: from }))
  }
  return sources
}

/** The number of checks, about a day, for clones that began before the switch. */
const waits_max = (24 * 60 * 60_000) / grace_ms
