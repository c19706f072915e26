import type { Oid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { askOwner, defineOwnerRequest } from '../../../http/owner-request.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { RepositoryElsewhereError } from '../../../kernel/repository-elsewhere.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

type Placed = Pick<Project, 'id' | 'repository_storage'>

/**
 * The commits of a project that are there, for lists that may be of several projects: from the server that has them, none
 * while that one cannot be reached.
 */
export async function loadCommits(
  { db, git, config }: Pick<Instance, 'db' | 'git' | 'config'>,
  { id, repository_storage: storage }: Placed,
  oids: readonly Oid[],
): Promise<Commit[]> {
  const project = { id, repository_storage: storage }
  if (ownValue(config.storagesElsewhere, storage)) {
    try {
      return await askOwner(db, commitsRequest, { storage, input: { project, oids } })
    } catch (error) {
      if (error instanceof RepositoryElsewhereError) return []
      throw error
    }
  }
  return git.objects.commits(projectRepository(config, project), oids)
}

/** What the server of a repository tells those that list jobs and pipelines of it. */
export const commitsRequest = defineOwnerRequest<
  { project: Placed; oids: readonly Oid[] },
  Commit[]
>({
  name: 'load-commits',
  run: (uses, { project, oids }) => loadCommits(uses, project, oids),
})
