import type { Db } from '../../../db/db.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import {
  type CodeOwnerIdMaps,
  type MatchedCodeOwnersEntry,
  pickCodeOwnerIds,
} from '../../repository/code-owners/code-owners.ts'

/**
 * Returns the version and the CODEOWNERS file that the rules of a merge request were created from, and its newest
 * version.
 */
export function findCodeOwnerRulesSource(db: Db, issuable_id: number) {
  return db
    .selectFrom('merge_requests')
    .select(['latest_version_id', 'code_owners_version_id', 'code_owners_oid'])
    .where('issuable_id', '=', issuable_id)
    .executeTakeFirst()
}

/** The number of rows that are written in one statement. */
const batch = 500

export type NewCodeOwnerRules = {
  project_id: number
  issuable_id: number
  version_id: number
  file: string | null
  entries: readonly MatchedCodeOwnersEntry[]
  created_at: string
}

/** Returns a key that is unique to a line of CODEOWNERS. */
export function codeOwnersEntryKey({ pattern, section }: MatchedCodeOwnersEntry): string {
  return keyOf(section.name, pattern)
}

const keyOf = (section: string | null, pattern: string) => `${section}\n${pattern}`

/** Replaces the rules that were created from CODEOWNERS. Returns their ids by `codeOwnersEntryKey`. */
export async function replaceCodeOwnerRules(
  tx: Db,
  rules: NewCodeOwnerRules,
  ids: CodeOwnerIdMaps,
): Promise<Map<string, number>> {
  const { project_id, issuable_id, version_id, file, entries, created_at } = rules
  // The update locks the row, so that concurrent transactions of other servers wait.
  await tx
    .updateTable('merge_requests')
    .set({ code_owners_version_id: version_id, code_owners_oid: file })
    .where('issuable_id', '=', issuable_id)
    .execute()
  await tx
    .deleteFrom('approval_rules')
    .where('issuable_id', '=', issuable_id)
    .where('rule_type', '=', 'code_owner')
    .execute()
  const row = { project_id, issuable_id, created_at }
  const ruleIds = new Map<string, number>()
  for (const some of splitIntoBatches(entries, batch)) {
    for (const [key, id] of await insertRules(tx, row, some, ids)) ruleIds.set(key, id)
  }
  return ruleIds
}

async function insertRules(
  tx: Db,
  row: { project_id: number; issuable_id: number; created_at: string },
  entries: readonly MatchedCodeOwnersEntry[],
  ids: CodeOwnerIdMaps,
): Promise<Map<string, number>> {
  const inserted = await tx
    .insertInto('approval_rules')
    .values(
      entries.map(({ pattern, section }) => ({
        ...row,
        rule_type: 'code_owner' as const,
        name: pattern,
        section: section.name,
        approvals_required: section.isOptional ? 0 : section.approvals_required,
      })),
    )
    .returning(['id', 'name', 'section'])
    .execute()
  const ruleIds = new Map(inserted.map(({ id, name, section }) => [keyOf(section, name), id]))
  const users: { approval_rule_id: number; user_id: number }[] = []
  const groups: { approval_rule_id: number; group_id: number }[] = []
  const roles: { approval_rule_id: number; access_level: number }[] = []
  for (const entry of entries) {
    const { owners } = entry
    const approval_rule_id = ruleIds.get(codeOwnersEntryKey(entry))
    if (approval_rule_id === undefined) continue
    const { user_ids, group_ids } = pickCodeOwnerIds(owners, ids)
    for (const user_id of user_ids) users.push({ approval_rule_id, user_id })
    for (const group_id of group_ids) groups.push({ approval_rule_id, group_id })
    for (const access_level of new Set(owners.levels)) {
      roles.push({ approval_rule_id, access_level })
    }
  }
  for (const some of splitIntoBatches(users, batch)) {
    await tx.insertInto('approval_rule_users').values(some).execute()
  }
  for (const some of splitIntoBatches(groups, batch)) {
    await tx.insertInto('approval_rule_groups').values(some).execute()
  }
  for (const some of splitIntoBatches(roles, batch)) {
    await tx.insertInto('approval_rule_roles').values(some).execute()
  }
  return ruleIds
}

/** Returns the heads, other than the newest one, at which approvals were given; null for approvals without a head. */
export async function listOtherHeadsWithApprovals(
  db: Db,
  { issuable_id, newest }: { issuable_id: number; newest: string },
): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('merge_request_approvals')
    .select('head_sha')
    .distinct()
    .where('issuable_id', '=', issuable_id)
    .where('head_sha', 'is distinct from', newest)
    .execute()
  return rows.map(({ head_sha }) => head_sha)
}

/** Returns the users who have approved a merge request at that head. */
export async function listApproverIdsAtHead(
  db: Db,
  { issuable_id, head }: { issuable_id: number; head: string | null },
): Promise<number[]> {
  const rows = await db
    .selectFrom('merge_request_approvals')
    .select('user_id')
    .where('issuable_id', '=', issuable_id)
    .where('head_sha', 'is not distinct from', head)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
