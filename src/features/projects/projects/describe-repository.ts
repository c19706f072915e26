import { branchRef, type Oid } from '../../../git/names.ts'
import { hasBranches, peelToCommit, readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { projectRepository } from '../../../subjects/project.ts'

const readmeName = /^readme(\.(md|mkdn?|mdown|markdown|rst|adoc|asciidoc|org|rdoc|txt|textile))?$/i

export type RepositoryDescription = {
  isEmpty: boolean
  /** The tip of the default branch. */
  tip: Oid | undefined
  /** Path of the readme there. */
  readme: string | undefined
}

type Described = {
  id: number
  repository_storage: string
  default_branch: string | null
  readme_commit: string | null
  readme_path: string | null
}

/**
 * What a project's record tells of its repository. Costs one reference where the stored readme is that
 * of the present tip, so a list of projects starts no process for each.
 */
export async function describeRepository(
  { git, config }: Pick<Instance, 'git' | 'config'>,
  project: Described,
): Promise<RepositoryDescription> {
  const repository = projectRepository(config, project)
  const ref = project.default_branch === null ? undefined : branchRef(project.default_branch)
  const tip = ref && readRef(repository, ref)
  if (!tip) return { isEmpty: !hasBranches(repository, ref), tip: undefined, readme: undefined }
  if (project.readme_commit === tip) {
    return { isEmpty: false, tip, readme: project.readme_path ?? undefined }
  }
  const oid = await peelToCommit(git.objects, repository, tip)
  const commit = oid && (await git.objects.commit(repository, oid))
  const entries = commit && (await git.objects.tree(repository, commit.tree))
  const files =
    entries?.filter(({ mode, name }) => mode !== '040000' && readmeName.test(name)) ?? []
  // A readme that is rendered is shown before one that is plain text.
  const best = files.find(({ name }) => name.includes('.')) ?? files[0]
  return { isEmpty: false, tip, readme: best?.name }
}
