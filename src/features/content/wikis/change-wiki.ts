// Commits changes of a wiki by the API, without a working copy.

import type { Actor, ActorUser } from '../../../access/actor.ts'
import { credentialRefusal } from '../../../access/credential-refusal.ts'
import type { Facts } from '../../../access/rule.ts'
import { ensureRepository } from '../../../git/create-repository.ts'
import { branchRef, type RefName, zeroOid } from '../../../git/names.ts'
import { hasBranches, readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { TreeEdit } from '../../../git/tree-edit.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import { type NewObject, newCommit, writeObjects } from '../../../git/write.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import { findOwningProjectOrGroup, type OwningProjectOrGroup } from '../../../subjects/owner.ts'
import {
  findWiki,
  mayReadWiki,
  mayWriteWiki,
  type Wiki,
  wikiRepository,
} from '../../../subjects/wiki.ts'
import { resolveStorageForNewRepository } from '../../basics/settings/storage-weights.ts'
import { reloadActor } from '../../people/credentials/credential.ts'
import { ensureMembershipsExpired } from '../../people/members/member.tasks.ts'
import { withBranchLock } from '../../repository/commits/branch-lock.ts'
import { commitOverQuotaText } from '../../repository/quotas/quota.ts'
import type { WikiPageChange } from './page-changed.ts'
import { findWikiVersion, type WikiVersion, wikiBranch } from './read-pages.ts'
import { ensureWikiRow } from './wiki.ts'
import { findWikiQuotaExcess, prepareWikiPush } from './wiki-push.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'>

/** Builds a commit from a version of the wiki. It is called again with a newer version if another commit came first. */
export type BuildWikiCommit<Result> = (
  tree: TreeEdit,
  version: WikiVersion | undefined,
) => Promise<{
  blobs: NewObject[]
  message: string
  changes: WikiPageChange[]
  result: Result
}>

/**
 * Commits the changes of `edit` and moves the branch, all or nothing. The access of the caller is checked again under the
 * lock of the branch.
 */
export async function commitWikiChange<Result>(
  uses: Uses,
  asked: { owner: OwningProjectOrGroup; actor: Actor; user: ActorUser; branch?: string },
  edit: BuildWikiCommit<Result>,
): Promise<{ result: Result; repository: Repository; branch: RefName }> {
  const { git, clock } = uses
  const { owner, actor, user } = asked
  const { wiki, repository } = await ensureWiki(uses, owner)
  const own = wikiBranch(repository)
  const branch = asked.branch === undefined ? own : branchRef(asked.branch)
  if (!branch) throw invalid('Branch name is invalid')
  const result = await withBranchLock(repository, branch, async () => {
    // Read before the branch: a branch that another server creates in between must not count as another
    // branch.
    const hasOthers = hasBranches(repository)
    const oldOid = readRef(repository, branch)
    if (!oldOid && hasOthers) {
      throw invalid('You can only create or edit files when you are on a branch')
    }
    const version = oldOid && (await findWikiVersion(git, repository, oldOid))
    const tree = new TreeEdit(git.objects, repository, version?.tree)
    const { blobs, message, changes, result } = await edit(tree, version)
    if (blobs.length > 0) await refuseFullWiki(uses, wiki, owner)
    const { root, trees } = tree.build()
    // A change that leaves the tree as it is creates no commit.
    if (root === version?.tree) return result
    const identity = { name: user.name, email: user.commit_email ?? user.email }
    const commit = newCommit({
      tree: root,
      parents: oldOid ? [oldOid] : [],
      author: identity,
      committer: identity,
      date: clock(),
      message,
    })
    const update = { name: branch, oldOid: oldOid ?? zeroOid, newOid: commit.oid }
    const push = { moves: [update], branch: own, user_id: user.id, changes }
    const landed = await prepareWikiPush(uses, { wiki, repository }, push)
    await writeObjects(repository, [...blobs, ...trees, commit])
    git.objects.keepWritten(repository, [...trees, commit])
    await updateRefs(git.git, repository, {
      updates: [update],
      areObjectsKnown: true,
      confirm: async () => {
        if (!mayWriteWiki(await recheckWikiAccess(uses, actor, owner))) throw forbidden()
      },
    })
    landed()
    return result
  })
  return { result, repository, branch }
}

export const wikiSizeLimitText = 'The wiki has exceeded its size limit.'

/**
 * Throws 400 if the wiki has exceeded its limit or the quota of the project or groups. Pure deletions are not
 * checked.
 */
async function refuseFullWiki(
  { db, config }: Uses,
  wiki: Wiki,
  owner: OwningProjectOrGroup,
): Promise<void> {
  if (wiki.size > config.sizeLimits.repository) throw invalid(wikiSizeLimitText)
  const excess = await findWikiQuotaExcess(db, owner, 0)
  if (excess) throw invalid(commitOverQuotaText(excess))
}

/** Returns the wiki with its repository, and creates both if they are missing. */
export async function ensureWiki(
  { db, clock, config }: Uses,
  owner: OwningProjectOrGroup,
): Promise<{ wiki: Wiki; repository: Repository }> {
  let wiki = await findWiki(db, owner)
  if (!wiki) {
    const wanted = owner.kind === 'project' ? owner.project.repository_storage : undefined
    const repository_storage = await resolveStorageForNewRepository(db, config, { wanted })
    wiki = await ensureWikiRow(db, owner, { repository_storage, now: timestamp(clock) })
  }
  const repository = wikiRepository(config, wiki)
  await ensureWikiRepository(repository)
  return { wiki, repository }
}

/** Creates an empty repository for a wiki that has none. */
export function ensureWikiRepository(repository: Repository): Promise<void> {
  return ensureRepository(repository, 'main')
}

/** Reloads the caller and the owner of the wiki. Throws the refusal a new request would get. */
export async function recheckWikiAccess(
  { db, clock }: Pick<Uses, 'db' | 'clock'>,
  actor: Actor,
  owner: OwningProjectOrGroup,
): Promise<Facts<OwningProjectOrGroup>> {
  await ensureMembershipsExpired({ db, clock })
  const renewed = await reloadActor({ db, clock }, actor)
  if ('kind' in renewed) throw credentialRefusal(renewed)
  const found = await findOwningProjectOrGroup(db, renewed, owner)
  const facts = found && { subject: found.owner, level: found.level, actor: renewed }
  if (!facts || !mayReadWiki(facts)) throw notFound(owner.kind === 'group' ? 'Group' : 'Project')
  return facts
}
