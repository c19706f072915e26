// The languages of a project, counted once for each tip of its default branch.

import { branchRef, type Oid } from '../../../git/names.ts'
import { peelToCommit, readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { KeyedMutex } from '../../../kernel/semaphore.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { detectLanguages } from './detect-languages.ts'
import { findLanguageCountCommit, replaceLanguages } from './language.store.ts'

type Counted = Pick<Project, 'id' | 'repository_storage' | 'default_branch'>

const counts = new KeyedMutex()

/** Counts the languages unless that has been done at the current tip. Returns false for a project without commits. */
export async function ensureLanguageCounts(
  uses: Pick<Instance, 'db' | 'git' | 'config'>,
  project: Counted,
): Promise<boolean> {
  const { db, git } = uses
  const tip = await findTip(uses, project)
  if (!tip) return false
  if ((await findLanguageCountCommit(db, project.id)) === tip) return true
  const repository = projectRepository(uses.config, project)
  await counts.run(repository.path, async () => {
    // Another request may have counted while this one waited.
    if ((await findLanguageCountCommit(db, project.id)) === tip) return
    const bytes = await detectLanguages(git, repository, tip)
    await replaceLanguages(db, { project_id: project.id, commit_id: tip, bytes })
  })
  return true
}

async function findTip(
  { git, config }: Pick<Instance, 'git' | 'config'>,
  project: Counted,
): Promise<Oid | undefined> {
  const repository = projectRepository(config, project)
  const ref = project.default_branch === null ? undefined : branchRef(project.default_branch)
  const oid = ref && readRef(repository, ref)
  return oid && peelToCommit(git.objects, repository, oid)
}
