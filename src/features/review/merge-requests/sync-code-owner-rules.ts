// The approval rules that CODEOWNERS creates for a merge request (docs/api/code-owners.md, "Rules of a merge request").
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  entryForTooLargeCodeOwnersFile,
  findCodeOwnerIds,
  findCodeOwnersFile,
  listChangedPaths,
  type MatchedCodeOwnersEntry,
  matchCodeOwnersEntries,
} from '../../repository/code-owners/code-owners.ts'
import {
  findApprovalSettings,
  findApproverIdsByRule,
  revokeApprovals,
} from '../approval-states/approval-state.ts'
import { resetReviewerStates } from '../reviewers/reviewer.ts'
import {
  codeOwnersEntryKey,
  findCodeOwnerRulesSource,
  listApproverIdsAtHead,
  listOtherHeadsWithApprovals,
  replaceCodeOwnerRules,
} from './code-owner-rule.store.ts'
import { type BranchTips, findNewestVersion, type MergeRequest } from './merge-request.ts'
import { listHeadsWithOutdatedOwnerApprovals } from './outdated-owner-approvals.ts'

/**
 * Updates the code owner rules from the CODEOWNERS file on the target branch and the files that the newest version changes.
 * If the project requires it, revokes approvals of code owners whose files a push has changed. If nothing has changed, it
 * only reads cached trees. Safe to repeat.
 */
export async function syncCodeOwnerRules(
  { db, git, clock, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  request: Pick<MergeRequest, 'issuable_id' | 'project_id' | 'code_owners_oid'>,
  { repository, targetTip }: Pick<BranchTips, 'repository' | 'targetTip'>,
): Promise<void> {
  if (config.tier === 'free' || !targetTip) return
  const file = (await findCodeOwnersFile(git, repository, targetTip)) ?? null
  if (file === null && request.code_owners_oid === null) return
  const { issuable_id, project_id } = request
  const source = await findCodeOwnerRulesSource(db, issuable_id)
  const version = source && (await findNewestVersion(db, source))
  if (!version) return
  const { code_owners_version_id, code_owners_oid } = source
  if (code_owners_version_id === version.id && code_owners_oid === file) return
  const span = {
    from: (version.base_sha ?? undefined) as Oid | undefined,
    to: version.head_sha as Oid,
  }
  const changed = file === null ? [] : await listChangedPaths(git, repository, span)
  const entries = await listMatchingEntries(git, repository, { file, changed })
  const ids = await findCodeOwnerIds(
    db,
    entries.map(({ owners }) => owners),
  )
  const outdated: OutdatedApprovals[] = []
  if (
    entries.length > 0 &&
    (await findApprovalSettings(db, project_id)).selective_code_owner_removals
  ) {
    const heads = await listOtherHeadsWithApprovals(db, { issuable_id, newest: span.to })
    const given = { heads, newest: span.to, paths: changed }
    for (const { head, paths } of await listHeadsWithOutdatedOwnerApprovals(
      git,
      repository,
      given,
    )) {
      const lines = entries.includes(entryForTooLargeCodeOwnersFile)
        ? entries
        : await listMatchingEntries(git, repository, { file, changed: paths })
      outdated.push({ head, lines })
    }
  }
  const created_at = timestamp(clock)
  const rules = { project_id, issuable_id, version_id: version.id, file, entries, created_at }
  await runTransaction(db, async (tx) => {
    const ruleIds = await replaceCodeOwnerRules(tx, rules, ids)
    for (const { head, lines } of outdated) {
      const rule_ids = lines.flatMap((line) => ruleIds.get(codeOwnersEntryKey(line)) ?? [])
      await endApprovals(tx, { issuable_id, head, rule_ids })
    }
  })
}

/** Revokes the approvals of a head by users that the rules name, and resets the states of these reviewers. */
async function endApprovals(
  tx: Db,
  {
    issuable_id,
    head,
    rule_ids,
  }: { issuable_id: number; head: string | null; rule_ids: readonly number[] },
): Promise<void> {
  const approved = await listApproverIdsAtHead(tx, { issuable_id, head })
  const named = [...(await findApproverIdsByRule(tx, { rule_ids, user_ids: approved })).values()]
  const user_ids = approved.filter((id) => named.some((users) => users.has(id)))
  await revokeApprovals(tx, { issuable_id, user_ids })
  await resetReviewerStates(tx, { issuable_id, user_ids })
}

/** Approvals of a head that are outdated by changes of files that these lines of CODEOWNERS match. */
type OutdatedApprovals = { head: string | null; lines: readonly MatchedCodeOwnersEntry[] }

/**
 * Returns the lines of CODEOWNERS that match the paths. If there are too many, a single line replaces all of
 * them.
 */
async function listMatchingEntries(
  git: GitAccess,
  repository: Repository,
  { file, changed }: { file: Oid | null; changed: readonly string[] | undefined },
): Promise<readonly MatchedCodeOwnersEntry[]> {
  if (file === null) return []
  const matched = changed && (await matchCodeOwnersEntries(git, repository, { file, changed }))
  const isTooMuch = !matched || matched.length > limits.code_owner_rules_max
  return isTooMuch ? [entryForTooLargeCodeOwnersFile] : matched
}
