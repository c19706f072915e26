import type { Config } from '../../config.ts'
import type { GitAccess } from '../../git/git.ts'
import { branchRef } from '../../git/names.ts'
import { hasBranches, peelToCommit, readRef } from '../../git/refs.ts'
import { projectRepository } from './project.ts'

const readmeName = /^readme(\.(md|mkdn?|mdown|markdown|rst|adoc|asciidoc|org|rdoc|txt|textile))?$/i

/** What a project's record tells of its repository: one reference and one kept tree. */
export async function describeRepository(
  { git, config }: { git: GitAccess; config: Config },
  project: { id: number; repository_storage: string; default_branch: string | null },
): Promise<{ isEmpty: boolean; readme: string | undefined }> {
  const repository = projectRepository(config, project)
  const ref = project.default_branch === null ? undefined : branchRef(project.default_branch)
  const tip = ref && readRef(repository, ref)
  if (!tip) return { isEmpty: !hasBranches(repository), readme: undefined }
  const oid = await peelToCommit(git.objects, repository, tip)
  const commit = oid && (await git.objects.commit(repository, oid))
  const entries = commit && (await git.objects.tree(repository, commit.tree))
  const files =
    entries?.filter(({ mode, name }) => mode !== '040000' && readmeName.test(name)) ?? []
  // A readme that is rendered is shown before one that is plain text.
  const best = files.find(({ name }) => name.includes('.')) ?? files[0]
  return { isEmpty: false, readme: best?.name }
}
