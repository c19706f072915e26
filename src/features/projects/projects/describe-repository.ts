import { branchRef, type Oid } from '../../../git/names.ts'
import { hasBranches, peelToCommit, readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import {
  defineStorageOwnerRequest,
  requestFromReachableOwner,
} from '../../../http/storage-owner-request.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { isStorageElsewhere } from '../../../subjects/storage.ts'

const readmeName = /^readme(\.(md|mkdn?|mdown|markdown|rst|adoc|asciidoc|org|rdoc|txt|textile))?$/i

export type RepositoryDescription = {
  isEmpty: boolean
  /** The head commit of the default branch. */
  tip: Oid | undefined
  /** The path of the README at that commit. */
  readme: string | undefined
}

type Described = {
  id: number
  repository_storage: string
  default_branch: string | null
  readme_commit: string | null
  readme_path: string | null
}

type Uses = Pick<Instance, 'db' | 'git' | 'config'>

/**
 * Returns the repository fields of project records, in the order of the projects. Other servers are asked once each; for
 * one that cannot be reached, the last known values are returned. Only local repositories have a `tip`.
 */
export async function describeRepositories(
  uses: Uses,
  projects: readonly Described[],
): Promise<RepositoryDescription[]> {
  const isElsewhere = (storage: string) => isStorageElsewhere(uses.config, storage)
  if (!projects.some(({ repository_storage }) => isElsewhere(repository_storage))) {
    return Promise.all(projects.map((project) => describeRepository(uses, project)))
  }
  const byStorage = Map.groupBy(projects, ({ repository_storage }) => repository_storage)
  const groups = await Promise.all(
    [...byStorage].map(async ([storage, group]) => {
      const described = isElsewhere(storage)
        ? await describeElsewhere(uses, storage, group)
        : await Promise.all(group.map((project) => describeRepository(uses, project)))
      return group.map((project, at) => [project, described[at] ?? noteOf(project)] as const)
    }),
  )
  const found = new Map(groups.flat())
  return projects.map((project) => found.get(project) ?? noteOf(project))
}

async function describeElsewhere(
  { db }: Uses,
  storage: string,
  projects: readonly Described[],
): Promise<RepositoryDescription[]> {
  const input = projects.map(
    ({ id, repository_storage, default_branch, readme_commit, readme_path }) => ({
      ...{ id, repository_storage, default_branch, readme_commit, readme_path },
    }),
  )
  const described = await requestFromReachableOwner(db, describeRequest, { storage, input })
  return described?.map((one) => ({ ...one, tip: undefined })) ?? projects.map(noteOf)
}

/** Returns what the row of a project says about a repository that cannot be reached. */
function noteOf({ default_branch, readme_path }: Described): RepositoryDescription {
  return { isEmpty: default_branch === null, tip: undefined, readme: readme_path ?? undefined }
}

/** Asks the server of repositories for the fields of project lists. */
export const describeRequest = defineStorageOwnerRequest<
  readonly Described[],
  RepositoryDescription[]
>({
  name: 'describe-repositories',
  run: (uses, projects) => Promise.all(projects.map((one) => describeRepository(uses, one))),
})

/**
 * Returns the repository fields of a project record for a local repository. Costs one reference if the stored readme
 * belongs to the current tip, so a list of projects starts no processes.
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
  // A README with an extension, which is rendered, is preferred to a plain one.
  const best = files.find(({ name }) => name.includes('.')) ?? files[0]
  return { isEmpty: false, tip, readme: best?.name }
}
