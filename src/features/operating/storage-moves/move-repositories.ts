// One move from its beginning to its end. Whatever a crash leaves, the next run takes up: until the records
// name the new storage nothing is there that counts, and afterwards nothing is left that does.

import type { Db } from '../../../db/db.ts'
import { refuseIfDiskFull } from '../../../disk/disk.ts'
import { closeRepositoriesAndCheckInUse } from '../../../git/close-and-check-in-use.ts'
import {
  allRefPrefixes,
  copyRepository,
  measureObjects,
  verifyRepositoryCopy,
} from '../../../git/copy-repository.ts'
import { removeRepository } from '../../../git/create-repository.ts'
import { areRefsFrozen, freezeRefs, unfreezeRefs } from '../../../git/freeze-refs.ts'
import { repositoryExists } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { Progress } from '../../../kernel/progress.ts'
import { findRepositoryPlacement, projectRepository } from '../../../subjects/project.ts'
import { requireStorageHere } from '../../../subjects/storage.ts'
import { findWiki, type Wiki, wikiRepository } from '../../../subjects/wiki.ts'
import { enqueue } from '../../../tasks/task.ts'
import { ensureWikiRepository } from '../../content/wikis/change-wiki.ts'
import { ensureWikiRow } from '../../content/wikis/wiki.ts'
import { maintainWikiTask } from '../../content/wikis/wiki-push.ts'
import { maintainProjectTask } from '../../repository/maintenance/maintenance.tasks.ts'
import { isInUseElsewhere } from '../nodes/node-registry.ts'
import { clearMoveSourceTask } from './schedule-move.ts'
import {
  findMoveRow,
  type MovedSubject,
  type MoveRow,
  movedSubjectOf,
  switchStorage,
  updateMoveState,
} from './storage-move.store.ts'

/** How long what began before the switch has, on other nodes too, until the source goes. */
const grace_ms = 5_000
const problem_characters_max = 1000

/** Copies, compares and switches; a failure leaves everything where it was, and says so in the record. */
export async function moveRepositories(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  moveId: number,
): Promise<void> {
  const { db, clock, config } = uses
  const known = await findMoveRow(db, moveId)
  if (!known) return
  requireStorageHere(config, known.source_storage_name)
  const attempt = known.attempt + 1
  const move = await updateMoveState(db, moveId, {
    from: ['initial', 'scheduled', 'started'],
    to: { state: 'started', attempt, percent: 0, updated_at: timestamp(clock) },
    attempt: known.attempt,
  })
  if (!move) return
  const moved = movedSubjectOf(move)
  const { source_storage_name: from, destination_storage_name: to } = move
  const places = await findPlaces(uses, moved, { from, to })
  try {
    if (from === to) throw new Error(`Source and destination storage are both ${to}.`)
    const unknown = [from, to].find((name) => !ownValue(config.storages, name))
    if (unknown !== undefined) throw new Error(`Storage ${unknown} is not in the settings.`)
    refuseIfDiskFull(config, to)
    const progress = await beginProgress(uses, move, places)
    for (const pair of places.pairs) await copyAll(uses, pair, { id: moveId, attempt, progress })
    await switchOver(uses, { move, moved, wiki: places.wiki })
  } catch (error) {
    await fail(uses, { move, places, error })
  }
}

/** `mayBegin` where the source need not be there: it is made, for nobody to make it behind our back. */
type Pair = { source: Repository; destination: Repository; mayBegin: boolean }
type Places = { wiki: Wiki | undefined; pairs: Pair[] }

async function findPlaces(
  { db, config, clock }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  moved: MovedSubject,
  { from, to }: { from: string; to: string },
): Promise<Places> {
  const now = timestamp(clock)
  const wiki =
    moved.kind === 'group'
      ? await ensureWikiRow(db, moved, { repository_storage: from, now })
      : await findWiki(db, moved)
  const pairs: Pair[] = []
  // A storage may have gone from the settings since the move was asked for.
  if (!ownValue(config.storages, from)) return { wiki: undefined, pairs }
  const target = ownValue(config.storages, to) ? to : from
  const place = (
    repositoryAt: (repository_storage: string) => Repository,
    { mayBegin }: { mayBegin: boolean },
  ): Pair => ({ source: repositoryAt(from), destination: repositoryAt(target), mayBegin })
  if (moved.kind === 'project') {
    pairs.push(
      place((repository_storage) => projectRepository(config, { ...moved, repository_storage }), {
        mayBegin: false,
      }),
    )
  }
  if (wiki?.repository_storage === from) {
    pairs.push(
      place((repository_storage) => wikiRepository(config, { ...wiki, repository_storage }), {
        mayBegin: wiki.size === 0,
      }),
    )
  }
  return { wiki: wiki?.repository_storage === from ? wiki : undefined, pairs }
}

/** The bytes of all objects, once to copy and once to compare. */
async function beginProgress(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  { id, attempt }: MoveRow,
  { pairs }: Places,
): Promise<Progress> {
  let bytes = 0
  for (const { source } of pairs)
    if (repositoryExists(source)) bytes += await measureObjects(source)
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
  { source, destination, mayBegin }: Pair,
  { progress, ...ours }: { id: number; attempt: number; progress: Progress },
): Promise<void> {
  await checkOurs(db, ours)
  if (!repositoryExists(source)) {
    // A disk that is not there, say: an empty repository must not take the place of what is on it.
    if (!mayBegin) throw new Error(`Repository not found: ${source.path}`)
    await ensureWikiRepository(source)
  }
  await freezeRefs(source)
  await git.objects.forget(destination)
  // Whoever took the move from us may be done, and what lies there in use.
  await checkOurs(db, ours)
  await removeRepository(destination)
  await copyRepository(git.git, source, destination, {
    references: allRefPrefixes,
    check: (unfinished, onBytes) => verifyRepositoryCopy(source, unfinished, onBytes),
    onBytes: (bytes) => progress.add(bytes),
  })
}

/** Throws when somebody else has begun the move again, since we were silent for long. */
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
  await db.transaction().execute(async (tx) => {
    const now = timestamp(clock)
    const isOurs = await updateMoveState(tx, id, {
      from: ['started'],
      to: { state: 'replicated', updated_at: now },
      attempt,
    })
    if (!isOurs) {
      if (!(await findMoveRow(tx, id)))
        throw new Error(`Storage move ${id} was deleted while it was running.`)
      // Somebody else has begun the same move again, since we were silent for long.
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

/** Everything is writable again before the record says that the move failed: a crash between is a new attempt. */
async function fail(
  { db, git, clock }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  { move, places, error }: { move: MoveRow; places: Places; error: unknown },
): Promise<void> {
  const current = await findMoveRow(db, move.id)
  if (current && (current.state !== 'started' || current.attempt !== move.attempt)) return
  for (const { source, destination } of places.pairs) {
    if (source.path !== destination.path) {
      await git.objects.forget(destination)
      await removeRepository(destination).catch(() => {})
    }
    if (repositoryExists(source)) await unfreezeRefs(source)
  }
  const problem = String((error as Error).message ?? error).slice(0, problem_characters_max)
  await updateMoveState(db, move.id, {
    from: ['started'],
    to: { state: 'failed', problem, updated_at: timestamp(clock) },
    attempt: move.attempt,
  })
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
      // What has come back here since, while this run stood still, has no fence.
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

/** What lies at the source that the records do not name any more. */
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

/** A day of looking whether a clone that began before the switch has ended. */
const waits_max = (24 * 60 * 60_000) / grace_ms
