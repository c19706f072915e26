// The approval rules that CODEOWNERS makes for a merge request (docs/api/code-owners.md, "Rules of a merge request").
import { Level } from '../../../access/level.ts'
import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  findCodeOwnersFile,
  listChangedPaths,
  type MatchedEntry,
  matchCodeOwners,
  unnamedSection,
} from '../../repository/code-owners/code-owners.ts'
import { findOwnerIds, findRulesSource, replaceCodeOwnerRules } from './code-owner-rule.store.ts'
import { findNewestVersion, type Heads, type MergeRequest } from './merge-request.ts'

/** Where the file cannot be held against all that has changed: any Maintainer approves in the place of its owners. */
const unreadable: MatchedEntry = {
  pattern: 'CODEOWNERS (too large)',
  owners: { names: [], emails: [], levels: [Level.maintainer, Level.owner] },
  section: { name: unnamedSection, isOptional: false, approvals_required: 1 },
}

/**
 * Makes the rules follow the file as it is on the target branch, and the files that the newest version changes. Costs
 * nothing but a look at kept trees as long as neither has changed. Safe to repeat.
 */
export async function syncCodeOwnerRules(
  { db, git, clock, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  request: Pick<MergeRequest, 'issuable_id' | 'project_id' | 'code_owners_oid'>,
  { repository, targetTip }: Pick<Heads, 'repository' | 'targetTip'>,
): Promise<void> {
  if (config.tier === 'free' || !targetTip) return
  const file = (await findCodeOwnersFile(git, repository, targetTip)) ?? null
  if (file === null && request.code_owners_oid === null) return
  const { issuable_id, project_id } = request
  const source = await findRulesSource(db, issuable_id)
  const version = source && (await findNewestVersion(db, source))
  if (!version) return
  const { code_owners_version_id, code_owners_oid } = source
  if (code_owners_version_id === version.id && code_owners_oid === file) return
  const entries: MatchedEntry[] = []
  if (file !== null) {
    const span = {
      from: (version.base_sha ?? undefined) as Oid | undefined,
      to: version.head_sha as Oid,
    }
    const changed = await listChangedPaths(git, repository, span)
    const matched = changed && (await matchCodeOwners(git, repository, { file, changed }))
    const isTooMuch = !matched || matched.length > limits.code_owner_rules_max
    entries.push(...(isTooMuch ? [unreadable] : matched))
  }
  const ids = await findOwnerIds(
    db,
    entries.map(({ owners }) => owners),
  )
  const created_at = timestamp(clock)
  const rules = { project_id, issuable_id, version_id: version.id, file, entries, created_at }
  await db.transaction().execute((tx) => replaceCodeOwnerRules(tx, rules, ids))
}
