import type { Oid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import type { Instance } from '../../../http/endpoint.ts'
import {
  defineStorageOwnerRequest,
  requestFromReachableOwner,
} from '../../../http/storage-owner-request.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { isStorageElsewhere } from '../../../subjects/storage.ts'

type Placed = Pick<Project, 'id' | 'repository_storage'>

/**
 * Returns those of the commits that exist, for lists with commits of several projects. They are read from the server that
 * has them; none while it cannot be reached.
 */
export async function loadCommits(
  { db, git, config }: Pick<Instance, 'db' | 'git' | 'config'>,
  { id, repository_storage: storage }: Placed,
  oids: readonly Oid[],
): Promise<Commit[]> {
  const project = { id, repository_storage: storage }
  if (isStorageElsewhere(config, storage)) {
    const input = { project, oids }
    return (await requestFromReachableOwner(db, commitsRequest, { storage, input })) ?? []
  }
  return git.objects.commits(projectRepository(config, project), oids)
}

/** Asks the server of a repository for commits, for lists of jobs and pipelines on other servers. */
export const commitsRequest = defineStorageOwnerRequest<
  { project: Placed; oids: readonly Oid[] },
  Commit[]
>({
  name: 'load-commits',
  run: (uses, { project, oids }) => loadCommits(uses, project, oids),
})
