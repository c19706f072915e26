// The issues that a merge request closes (docs/api/merge-requests.md, "Closing issues"): stored, and updated whenever
// its texts or commits change.

import type { Actor } from '../../../access/actor.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { listReferencedIssuables } from '../../planning/issuables/list-references.ts'
import { parseClosingReferences } from '../../planning/issuables/text-references.ts'
import type { MergeRequestWithProjects } from '../merge-requests/merge-request.ts'
import { getMergeSettings } from '../merge-requests/merge-settings.ts'
import { listRequestCommitShas, replaceClosingIssues } from './merge-request-version.store.ts'

export { listIssuesClosedOnMerge } from './merge-request-version.store.ts'

/**
 * Updates the issues that a merge will close from the title, description and commit messages. Safe to repeat; does nothing
 * for a closed merge request.
 */
export async function refreshClosingIssues(
  { db, git, config }: Pick<Instance, 'db' | 'git' | 'config'>,
  { issuable, request, target }: MergeRequestWithProjects,
  { actor, baseUrl }: { actor: Actor; baseUrl: string },
): Promise<void> {
  if (issuable.state !== 'opened') return
  const { autoclose_referenced_issues } = await getMergeSettings(db, target.id)
  const isClosing = autoclose_referenced_issues && request.target_branch === target.default_branch
  const found = isClosing ? await read() : []
  const ids = found.map(({ id }) => id)
  await runTransaction(db, (tx) => replaceClosingIssues(tx, issuable.id, ids))

  async function read(): Promise<Issuable[]> {
    const shas = (await listRequestCommitShas(db, issuable.id)) as Oid[]
    const commits = await git.objects.commits(projectRepository(config, target), shas)
    const texts = [issuable.title, issuable.description ?? '', ...commits.map((one) => one.message)]
    const references = texts.flatMap((text) => parseClosingReferences(text, baseUrl))
    const issues = await listReferencedIssuables(db, actor, { project: target, references })
    return issues.filter(({ kind }) => kind === 'issue')
  }
}
