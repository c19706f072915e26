// The branch tips of merge requests whose repositories are on other servers, for lists.
import type { Config } from '../../../config.ts'
import { branchRef, type Oid, type RefName } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import {
  defineStorageOwnerRequest,
  requestFromReachableOwner,
} from '../../../http/storage-owner-request.ts'
import { currentMirrors } from '../../../kernel/repository-elsewhere.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { isStorageElsewhere } from '../../../subjects/storage.ts'
import type { BranchTips, MergeRequest } from './merge-request.ts'

type Placed = Pick<Project, 'id' | 'repository_storage'>
type Listed = { request: MergeRequest; target: Placed; source: Placed | undefined }
type WantedRef = { project: Placed; ref: RefName }

/** The branch tips of merge requests with a branch on another server; unknown if that server cannot be reached. */
export type TipsElsewhere = ReadonlyMap<MergeRequest, Tips | 'unknown'>
type Tips = Pick<BranchTips, 'sourceTip' | 'targetTip'>

/**
 * Asks the server of a repository for references, for lists of merge requests on other servers; null for a missing
 * reference.
 */
export const readRefsRequest = defineStorageOwnerRequest<readonly WantedRef[], (Oid | null)[]>({
  name: 'read-refs',
  run: async ({ config }, wanted) => wanted.map((one) => readHere(config, one) ?? null),
})

function readHere(config: Config, { project, ref }: WantedRef): Oid | undefined {
  return readRef(projectRepository(config, project), ref)
}

/** Asks each of the other servers once. */
export async function readTipsElsewhere(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  listed: readonly Listed[],
): Promise<TipsElsewhere> {
  const isElsewhere = ({ repository_storage }: Placed) =>
    isStorageElsewhere(config, repository_storage)
  const open = listed.filter(
    ({ request, target, source }) =>
      request.is_open && (isElsewhere(target) || (source !== undefined && isElsewhere(source))),
  )
  // While a request has mirrors, branch tips are read from these copies.
  if (open.length === 0 || currentMirrors().size > 0) return new Map()
  const wanted = open.flatMap(({ request, target, source }) => [
    ...wantedRef(source, request.source_branch),
    ...wantedRef(target, request.target_branch),
  ])
  const found = new Map<string, Oid | null>()
  const byStorage = Map.groupBy(wanted, ({ project }) => project.repository_storage)
  await Promise.all(
    [...byStorage].map(async ([storage, refs]) => {
      const oids = isStorageElsewhere(config, storage)
        ? await requestFromReachableOwner(db, readRefsRequest, { storage, input: refs })
        : refs.map((one) => readHere(config, one) ?? null)
      for (const [at, one] of refs.entries()) {
        const oid = oids?.[at]
        if (oid !== undefined) found.set(keyOf(one), oid)
      }
    }),
  )
  const tipOf = (project: Placed | undefined, branch: string) => {
    const [one] = wantedRef(project, branch)
    return one ? found.get(keyOf(one)) : null
  }
  const tips = new Map<MergeRequest, Tips | 'unknown'>()
  for (const { request, target, source } of open) {
    const sourceTip = tipOf(source, request.source_branch)
    const targetTip = tipOf(target, request.target_branch)
    const isKnown = sourceTip !== undefined && targetTip !== undefined
    tips.set(
      request,
      isKnown
        ? { sourceTip: sourceTip ?? undefined, targetTip: targetTip ?? undefined }
        : 'unknown',
    )
  }
  return tips
}

function wantedRef(project: Placed | undefined, branch: string): WantedRef[] {
  const ref = branchRef(branch)
  if (!project || !ref) return []
  const { id, repository_storage } = project
  return [{ project: { id, repository_storage }, ref }]
}

function keyOf({ project, ref }: WantedRef): string {
  return `${project.id} ${ref}`
}
