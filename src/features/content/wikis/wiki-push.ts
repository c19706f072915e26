// What all changes of a wiki share, by the API or a push: what is written to the database before the references move,
// and what follows afterwards.

import { anonymous } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { readChangedPaths } from '../../../git/changed-paths.ts'
import type { GitAccess } from '../../../git/git.ts'
import { maintainRepository, measureRepository } from '../../../git/maintenance.ts'
import { branchNameOf, type Oid, type RefName, zeroOid } from '../../../git/names.ts'
import { hasBranches } from '../../../git/refs.ts'
import { type Repository, requireWritable } from '../../../git/repository.ts'
import { type RefUpdate, setHead } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { findOwningProjectOrGroup, type OwningProjectOrGroup } from '../../../subjects/owner.ts'
import { ownerOfWikiRow, type Wiki, wikiRepository } from '../../../subjects/wiki.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import {
  enqueueUnconfirmedPushTask,
  hasRefPushedCommit,
  refsMovedOrReschedule,
  startConfirmedPushTask,
} from '../../repository/pushes/push-landed.ts'
import {
  findGroupQuotaExcess,
  findQuotaExcess,
  type QuotaExcess,
} from '../../repository/quotas/quota.ts'
import { type WikiPageChange, wikiPagesChangedEffect } from './page-changed.ts'
import { isWikiPagePath } from './read-pages.ts'
import { findWikiById, updateWikiRow } from './wiki.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'>

const maintenance_delay_ms = 5_000

/**
 * Records a change before the references move; it is harmless if they then do not. `changes` are those of pages if they are
 * known; otherwise they are determined afterwards. HEAD follows the first branch. Returns the function to call once the
 * references have moved.
 */
export async function prepareWikiPush(
  { db, clock }: Pick<Uses, 'db' | 'clock'>,
  { wiki, repository }: { wiki: Wiki; repository: Repository },
  push: {
    moves: readonly RefUpdate[]
    branch: RefName
    user_id: number
    changes?: readonly WikiPageChange[]
  },
): Promise<() => void> {
  requireWritable(repository)
  const { user_id, changes } = push
  let { branch } = push
  const made = push.moves.filter(({ name, newOid }) => newOid !== zeroOid && branchNameOf(name))
  const [first] = made
  if (first && !made.some(({ name }) => name === branch) && !hasBranches(repository)) {
    branch = first.name
    await setHead(repository, branch)
  }
  const move = push.moves.find(({ name }) => name === branch)
  const key = await runTransaction(db, async (tx) => {
    await updateWikiRow(tx, wiki.id, { updated_at: timestamp(clock) })
    const wiki_id = wiki.id
    await enqueue(tx, clock, {
      task: maintainWikiTask,
      key: String(wiki_id),
      payload: { wiki_id },
      delay_ms: maintenance_delay_ms,
    })
    if (!move || move.newOid === zeroOid) return undefined
    const payload = { wiki_id, user_id, move, ...(changes && { changes: [...changes] }) }
    return enqueueUnconfirmedPushTask(tx, clock, { task: tellOfPages, payload })
  })
  return () => startConfirmedPushTask(db, clock, { task: tellOfPages, key })
}

/** Returns how far the groups of the wiki would exceed their limits with `bytes` more of pages (docs/api/quotas.md). */
export function findWikiQuotaExcess(
  db: Db,
  { kind, id }: Pick<OwningProjectOrGroup, 'kind' | 'id'>,
  bytes: number,
): Promise<QuotaExcess | undefined> {
  return kind === 'group'
    ? findGroupQuotaExcess(db, id, { bytes })
    : findQuotaExcess(db, id, { bytes, goesTo: 'artifacts' })
}

/** Runs maintenance of a wiki's repository and stores its size. Safe to repeat at any time. */
export const maintainWikiTask = defineTask({
  name: 'maintain-wiki',
  lane: 'upkeep',
  async run({ db, git, config }: Uses, { wiki_id }: { wiki_id: number }) {
    const wiki = await findWikiById(db, wiki_id)
    if (!wiki) return
    const repository = wikiRepository(config, wiki)
    await maintainRepository(git.git, repository)
    const { repository_size } = await measureRepository(git.git, repository)
    await updateWikiRow(db, wiki_id, { size: repository_size })
  },
})

type TellPayload = {
  id: string
  wiki_id: number
  user_id: number
  move: RefUpdate
  changes?: WikiPageChange[]
  waits: number
}

/** Runs the effect of changed pages once the branch has moved. If the branch never moves, nothing happens. */
const tellOfPages = defineTask({
  name: 'tell-of-pages',
  lane: 'events',
  async run(uses: Uses, payload: TellPayload) {
    const { db, git, clock, config } = uses
    const { id, wiki_id, user_id, move } = payload
    const wiki = await findWikiById(db, wiki_id)
    const found = wiki && (await findOwningProjectOrGroup(db, anonymous, ownerOfWikiRow(wiki)))
    if (!found) return
    const { owner } = found
    const repository = wikiRepository(config, wiki)
    const asked = { task: tellOfPages, payload, moves: [move] }
    if (!(await refsMovedOrReschedule({ db, clock }, repository, asked))) return
    if (!(await hasRefPushedCommit(git, repository, move))) return
    const all = payload.changes ?? (await findChanges(git, repository, move))
    const changes = all.slice(0, limits.told_pages_max)
    if (changes.length === 0) return
    await wikiPagesChangedEffect.run({ uses, id, owner, user_id, commit: move.newOid, changes })
  },
})

const actions = { added: 'create', modified: 'update', removed: 'delete' } as const

async function findChanges(
  { git }: GitAccess,
  repository: Repository,
  { oldOid, newOid }: Pick<RefUpdate, 'oldOid' | 'newOid'>,
): Promise<WikiPageChange[]> {
  const from: Oid | undefined = oldOid === zeroOid ? undefined : oldOid
  const names = await readChangedPaths(git, repository, { from, to: newOid })
  return (['added', 'modified', 'removed'] as const).flatMap((list) =>
    names[list].filter(isWikiPagePath).map((path) => ({ action: actions[list], path })),
  )
}

export const wikiPushTasks = [maintainWikiTask, tellOfPages]
