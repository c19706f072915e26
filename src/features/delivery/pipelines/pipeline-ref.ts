// The reference by which runners fetch a pipeline's commit, even after its branch has moved. Only the server moves it;
// every caller who may fetch the repository may fetch it.

import { type Oid, type RefName, zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { confirmAlways, updateRefs } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

type Uses = Pick<Instance, 'git' | 'config'>

export function pipelineRefName(id: number): RefName {
  return `refs/pipelines/${id}` as RefName
}

/** Creates the reference that keeps the commit of a pipeline, unless it exists. */
export async function ensurePipelineRef(
  { git, config }: Uses,
  project: Pick<Project, 'id' | 'repository_storage'>,
  { id, sha }: { id: number; sha: string },
): Promise<void> {
  const repository = projectRepository(config, project)
  const name = pipelineRefName(id)
  if (readRef(repository, name)) return
  try {
    await updateRefs(git.git, repository, {
      updates: [{ name, oldOid: zeroOid, newOid: sha as Oid }],
      confirm: confirmAlways,
    })
  } catch (error) {
    if (!readRef(repository, name)) throw error
  }
}

/** Deletes the reference of a pipeline that has ended. */
export async function deletePipelineRef(
  { git, config }: Uses,
  project: Pick<Project, 'id' | 'repository_storage'>,
  id: number,
): Promise<void> {
  const repository = projectRepository(config, project)
  const name = pipelineRefName(id)
  const oid = readRef(repository, name)
  if (!oid) return
  try {
    await updateRefs(git.git, repository, {
      updates: [{ name, oldOid: oid, newOid: zeroOid }],
      confirm: confirmAlways,
    })
  } catch (error) {
    // If a pipeline ends and is deleted, two tasks delete its reference. The error is ignored if the other
    // task was faster.
    if (readRef(repository, name)) throw error
  }
}
