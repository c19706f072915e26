// Sets the reviewers of a merge request (docs/api/merge-requests.md, "Reviewers").
import { timestamp } from '../../../kernel/clock.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import type { User } from '../../../subjects/user.ts'
import type { IssuableUses, KindSpecificChanges } from '../../planning/issuables/change-issuable.ts'
import { insertSystemNotes, insertTodos } from '../../planning/issuables/issuable.ts'
import {
  filterUsersWhoCanReadIssuable,
  findIssuableReaderScope,
} from '../../planning/issuables/list-references.ts'
import { changeReviewerRows, listReviewers } from './reviewer.store.ts'

export { listReviewers } from './reviewer.store.ts'

const named = (users: readonly User[]) => users.map(({ username }) => `@${username}`).join(' and ')
const idsOf = (users: readonly User[]) => users.map(({ id }) => id)

/**
 * Sets the reviewers; on the free tier at most one. Users who do not exist or cannot see the merge request are omitted; if
 * none of the given users is left, nothing changes. Returns the changes for notifications.
 */
export async function replaceReviewers(
  { db: tx, clock, actor, config }: IssuableUses,
  {
    project,
    issuable,
    reviewer_ids,
  }: { project: Project; issuable: Issuable; reviewer_ids: readonly number[] | undefined },
): Promise<Required<KindSpecificChanges> | undefined> {
  if (reviewer_ids === undefined) return undefined
  const wanted = [...new Set(reviewer_ids.filter((id) => id > 0))]
  const kept = config.tier === 'free' ? wanted.slice(0, 1) : wanted
  const seen = await findIssuableReaderScope(tx, { project, issuable })
  const found =
    kept.length === 0 ? [] : await filterUsersWhoCanReadIssuable(tx, seen, { ids: kept })
  if (kept.length > 0 && found.length === 0) return undefined
  const before = await listReviewers(tx, issuable.id)
  const had = new Set(idsOf(before))
  const has = new Set(idsOf(found))
  const added = found.filter(({ id }) => !had.has(id))
  const removed = before.filter(({ id }) => !has.has(id))
  if (added.length === 0 && removed.length === 0) return undefined
  const now = timestamp(clock)
  await changeReviewerRows(tx, issuable.id, { added: idsOf(added), removed: idsOf(removed), now })
  await insertTodos(tx, clock, {
    issuable,
    author_id: actor.user?.id ?? 0,
    user_ids: idsOf(added),
    action: 'review_requested',
  })
  const parts = [
    added.length > 0 ? `requested review from ${named(added)}` : '',
    removed.length > 0 ? `removed review request for ${named(removed)}` : '',
  ].filter((part) => part !== '')
  return {
    notes: [parts.join(' and ')],
    changes: { reviewers: { previous: idsOf(before), current: idsOf(found) } },
  }
}

/** Sets the reviewers of a merge request that is being created. */
export async function setInitialReviewers(
  uses: IssuableUses,
  asked: Parameters<typeof replaceReviewers>[1],
): Promise<void> {
  const replaced = await replaceReviewers(uses, asked)
  if (!replaced) return
  const author_id = uses.actor.user?.id ?? 0
  const bodies = replaced.notes
  await insertSystemNotes(uses.db, uses.clock, { issuable: asked.issuable, author_id, bodies })
}
