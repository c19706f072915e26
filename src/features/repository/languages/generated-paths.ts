// Generated files, which the languages of a project exclude.
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import { MatchBudget } from '../../../kernel/match-budget.ts'
import { isExcludedPath } from './excluded-paths.ts'
import {
  estimateLinguistMatchCost,
  linguist_attributes_bytes_max,
  linguistOverridesForPath,
  parseLinguistRules,
} from './linguist-attributes.ts'

/** The budget for all paths of a page; beyond it only the name decides. */
const steps_max = 100_000

/**
 * Returns a function that says whether a path is a generated file: by its name, or by `linguist-generated` in the
 * `.gitattributes` at the root of the commit.
 */
export async function createGeneratedPathMatcher(
  { objects }: Pick<GitAccess, 'objects'>,
  repository: Repository,
  commit: Oid,
): Promise<(path: string) => boolean> {
  const tree = (await objects.commit(repository, commit))?.tree
  const entry = tree && (await findTreeEntry(objects, repository, tree, '.gitattributes'))
  const info = entry && (await objects.info(repository, entry.oid))
  const isRead = info?.type === 'blob' && info.size <= linguist_attributes_bytes_max
  const blob = entry && isRead ? await objects.blob(repository, entry.oid) : undefined
  const rules = parseLinguistRules(blob?.content.toString() ?? '')
  const budget = new MatchBudget(steps_max)
  return (path) => {
    const isAsked = budget.count(estimateLinguistMatchCost(rules, path))
    const said = isAsked ? linguistOverridesForPath(rules, path).generated : undefined
    return said ?? isExcludedPath(path, 'generated')
  }
}
