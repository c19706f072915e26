// CODEOWNERS: who must approve changes of which files (docs/api/code-owners.md).
import { Level } from '../../../access/level.ts'
import { readChangedPaths } from '../../../git/changed-paths.ts'
import { GitError } from '../../../git/errors.ts'
import type { GitAccess } from '../../../git/git.ts'
import { type Oid, zeroOid } from '../../../git/names.ts'
import { splitPathForPattern } from '../../../git/path-pattern.ts'
import type { Quarantine } from '../../../git/quarantine.ts'
import type { Repository } from '../../../git/repository.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import type { RefUpdate } from '../../../git/update-refs.ts'
import { limits } from '../../../kernel/limits.ts'
import { MatchBudget } from '../../../kernel/match-budget.ts'
import {
  type CallerWithLevel,
  isAllowedByProtectionEntry,
  type ProtectionRule,
} from '../protected-branches/protected-branch.ts'
import {
  type CodeOwnersEntry,
  type CodeOwnersSection,
  defaultCodeOwnersSectionName,
  parseCodeOwners,
} from './parse-code-owners.ts'

export {
  type CodeOwnerIdMaps,
  findCodeOwnerIds,
  listVisibleGroups,
  pickCodeOwnerIds,
} from './code-owner.store.ts'
export type { CodeOwnerNames } from './parse-code-owners.ts'

type Uses = Pick<GitAccess, 'git' | 'objects'>

/** The places where CODEOWNERS can be. Only the first one that exists in the commit is read. */
const places = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS']

/** Returns the CODEOWNERS file of a commit; undefined if it has none. */
export async function findCodeOwnersFile(
  { objects }: Pick<Uses, 'objects'>,
  repository: Repository,
  commit: Oid,
): Promise<Oid | undefined> {
  const tree = (await objects.commit(repository, commit))?.tree
  if (!tree) return undefined
  for (const place of places) {
    const entry = await findTreeEntry(objects, repository, tree, place)
    if (entry?.mode.startsWith('100')) return entry.oid
  }
  return undefined
}

/** A line of the CODEOWNERS file that matches changed files. */
export type MatchedCodeOwnersEntry = Pick<CodeOwnersEntry, 'pattern' | 'owners'> & {
  section: Pick<CodeOwnersSection, 'name' | 'isOptional' | 'approvals_required'>
}

/** Replaces all lines if the file is too large: any Maintainer may approve. */
export const entryForTooLargeCodeOwnersFile: MatchedCodeOwnersEntry = {
  pattern: 'CODEOWNERS (too large)',
  owners: { names: [], emails: [], levels: [Level.maintainer, Level.owner] },
  section: { name: defaultCodeOwnersSectionName, isOptional: false, approvals_required: 1 },
}

/**
 * Returns the lines that match some of the paths: in each section the last one that matches a path. Returns undefined if the
 * file is larger than `limits.code_owners_bytes_max`, or if matching would take too long.
 */
export async function matchCodeOwnersEntries(
  { objects }: Pick<Uses, 'objects'>,
  repository: Repository,
  { file, changed }: { file: Oid; changed: readonly string[] },
): Promise<MatchedCodeOwnersEntry[] | undefined> {
  const content = await objects.wholeBlob(repository, file, limits.code_owners_bytes_max)
  if (!content) return undefined
  const paths = changed.flatMap((text) => {
    const parts = splitPathForPattern(text)
    return parts ? { text, parts } : []
  })
  const budget = new MatchBudget()
  const matched = new Map<CodeOwnersEntry, MatchedCodeOwnersEntry>()
  // The database cannot store text with NUL characters.
  for (const section of parseCodeOwners(content.toString('utf8').replaceAll('\0', '\ufffd'))) {
    const { entries, exclusions } = section
    const lines = [...exclusions, ...entries.toReversed()]
    for (const path of paths) {
      for (let at = 0; at < lines.length; at++) {
        const entry = lines[at] as CodeOwnersEntry
        const mayMatch = entry.mayMatch(path)
        if (!budget.count(look_steps + (mayMatch ? entry.cost(path) : 0))) return undefined
        if (budget.isDue) await budget.pause()
        if (!mayMatch || !entry.matches(path)) continue
        if (at >= exclusions.length) matched.set(entry, { ...entry, section })
        break
      }
    }
  }
  return [...matched.values()]
}

/** The cost, in steps of `MatchBudget`, of ruling out a pattern by its literal ending. */
const look_steps = 0.1

/** The paths that two commits do not have alike; undefined where they are too many to be told. */
export async function listChangedPaths(
  { git }: Pick<Uses, 'git'>,
  repository: Repository,
  span: { from: Oid | undefined; to: Oid; quarantine?: Quarantine | undefined },
): Promise<string[] | undefined> {
  try {
    const { added, modified, removed } = await readChangedPaths(git, repository, span)
    return added.concat(modified, removed)
  } catch (error) {
    if (error instanceof GitError && error.kind === 'too-large') return undefined
    throw error
  }
}

/**
 * Returns the reason to refuse a push to a branch that requires the approval of code owners: it changes a file that has an
 * owner. Users that a rule of the branch allows to push by name or by a group are not refused. `matching` are the rules of
 * the branch.
 */
export async function findCodeOwnerPushRefusal(
  uses: Uses,
  repository: Repository,
  push: {
    matching: readonly ProtectionRule[]
    caller: CallerWithLevel
    update: Pick<RefUpdate, 'oldOid' | 'newOid'>
    quarantine?: Quarantine | undefined
    /**
     * The refusal for each pair of commits, or undefined if the push is allowed. They are cached, since each costs a
     * diff and never changes.
     */
    codeOwnerTexts?: Map<string, string | undefined>
  },
): Promise<string | undefined> {
  const { matching, caller, update, codeOwnerTexts: known } = push
  const { oldOid, newOid } = update
  if (oldOid === zeroOid || newOid === zeroOid) return undefined
  if (!matching.some((rule) => rule.code_owner_approval_required)) return undefined
  const isNamed = matching
    .flatMap(({ entries }) => entries)
    .some(
      (entry) =>
        entry.action === 'push' &&
        entry.access_level === null &&
        isAllowedByProtectionEntry(entry, caller),
    )
  if (isNamed) return undefined
  const key = oldOid + newOid
  if (known?.has(key)) return known.get(key)
  const text = await findOwnedChangesText(uses, repository, push)
  known?.set(key, text)
  return text
}

/**
 * Returns the refusal with the lines of CODEOWNERS whose owners must approve the changes of a branch;
 * undefined if no owner has to.
 */
async function findOwnedChangesText(
  uses: Uses,
  repository: Repository,
  {
    update: { oldOid, newOid },
    quarantine,
  }: { update: Pick<RefUpdate, 'oldOid' | 'newOid'>; quarantine?: Quarantine | undefined },
): Promise<string | undefined> {
  const file = await findCodeOwnersFile(uses, repository, oldOid)
  if (!file) return undefined
  const changed = await listChangedPaths(uses, repository, { from: oldOid, to: newOid, quarantine })
  const matched = changed && (await matchCodeOwnersEntries(uses, repository, { file, changed }))
  if (matched?.length === 0) return undefined
  return [
    'Pushes to protected branches that contain changes to files that',
    'match patterns defined in `CODEOWNERS` are disabled for',
    'this project. Please submit these changes via a merge request.',
    '',
    ...(matched
      ? [
          'The following pattern(s) from `CODEOWNERS` were matched:',
          ...matched.slice(0, listed_max).map(({ pattern }) => ` - ${pattern}`),
        ]
      : ['`CODEOWNERS` is too large to be held against all changed files.']),
  ].join('\n')
}

const listed_max = 20
