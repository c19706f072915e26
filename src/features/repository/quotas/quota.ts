// Public functions of quotas: how much a project may store in its repository, and with everything else in its groups
// (docs/api/quotas.md).
import { sql } from 'kysely'
import { defineListLoader, defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'
import { invalid } from '../../../kernel/errors.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'
import { formatHumanSize } from './human-size.ts'

/** The project or group that is over its limit, or would be after the change. */
export type QuotaExcess = { held_bytes: number; limit_bytes: number; of: string }

const megabyte = 1024 * 1024

const heldBy = defineRowLoader((db, given: { project_id: number }) =>
  db
    .selectFrom('projects')
    .leftJoin('project_statistics', 'project_statistics.project_id', 'projects.id')
    .select([
      'projects.repository_size_limit',
      'project_statistics.repository_size',
      'project_statistics.lfs_objects_size',
    ])
    .where('projects.id', '=', given.project_id),
)

/** Lists the groups above a project that have a limit, nearest first. */
const limitedAbove = defineListLoader((db, given: { project_id: number }) =>
  db
    .selectFrom('projects')
    .innerJoin('namespace_ancestors', 'namespace_ancestors.namespace_id', 'projects.namespace_id')
    .innerJoin('namespaces', 'namespaces.id', 'namespace_ancestors.ancestor_id')
    .select([
      'namespaces.id',
      'namespaces.full_path',
      'namespaces.repository_size_limit',
      'namespaces.storage_size_limit',
    ])
    .where('projects.id', '=', given.project_id)
    .where((eb) =>
      eb.or([
        eb('namespaces.repository_size_limit', 'is not', null),
        eb('namespaces.storage_size_limit', 'is not', null),
      ]),
    )
    .orderBy('namespace_ancestors.depth'),
)

/** Lists the groups with a limit among the group and those above it, nearest first. */
const limitedFrom = defineListLoader((db, given: { group_id: number }) =>
  db
    .selectFrom('namespace_ancestors')
    .innerJoin('namespaces', 'namespaces.id', 'namespace_ancestors.ancestor_id')
    .select(['namespaces.id', 'namespaces.full_path', 'namespaces.storage_size_limit'])
    .where('namespace_ancestors.namespace_id', '=', given.group_id)
    .where('namespaces.storage_size_limit', 'is not', null)
    .orderBy('namespace_ancestors.depth'),
)

/**
 * Returns how far the project would exceed a limit with `bytes` more: the limit of its repository with its LFS objects, if
 * they are stored there, and those of the groups above. Uses the sizes that were last measured. Without limits it runs two
 * short queries.
 */
export async function findQuotaExcess(
  db: Db,
  project_id: number,
  { bytes, goesTo }: { bytes: number; goesTo: 'repository' | 'artifacts' },
): Promise<QuotaExcess | undefined> {
  const above = await limitedAbove(db, { project_id })
  if (goesTo === 'repository') {
    const held = await heldBy(db, { project_id })
    const inherited = above.find((group) => group.repository_size_limit !== null)
    const limit_bytes =
      held?.repository_size_limit ?? inherited?.repository_size_limit ?? (await usualLimit(db))
    const held_bytes = Number(held?.repository_size ?? 0) + Number(held?.lfs_objects_size ?? 0)
    const excess = { held_bytes, limit_bytes: Number(limit_bytes), of: 'this repository' }
    if (isTooMuch(excess, bytes)) return excess
  }
  return findExcessIn(db, above, bytes)
}

/** Returns how far a group, or one above it, would exceed its limit with `bytes` more; undefined if none would. */
export async function findGroupQuotaExcess(
  db: Db,
  group_id: number,
  { bytes }: { bytes: number },
): Promise<QuotaExcess | undefined> {
  return findExcessIn(db, await limitedFrom(db, { group_id }), bytes)
}

async function findExcessIn(
  db: Db,
  groups: readonly { id: number; full_path: string; storage_size_limit: number | null }[],
  bytes: number,
): Promise<QuotaExcess | undefined> {
  for (const { id, full_path, storage_size_limit } of groups) {
    if (!storage_size_limit) continue
    const held_bytes = await sumHeld(db, id)
    const excess = {
      held_bytes,
      limit_bytes: Number(storage_size_limit),
      of: `the group ${full_path}`,
    }
    if (isTooMuch(excess, bytes)) return excess
  }
  return undefined
}

/** Returns whether `bytes` more would exceed the limit. A limit of 0 means no limit. */
function isTooMuch({ held_bytes, limit_bytes }: QuotaExcess, bytes: number): boolean {
  return limit_bytes > 0 && held_bytes + bytes > limit_bytes
}

async function usualLimit(db: Db): Promise<number> {
  return (await readSettingOrDefault(db, 'repository_size_limit')) * megabyte
}

/** Returns the bytes that the projects of a group and its subgroups store. */
async function sumHeld(db: Db, group_id: number): Promise<number> {
  const below = db
    .selectFrom('namespace_ancestors')
    .where('namespace_ancestors.ancestor_id', '=', group_id)
  const ofGroups = below
    .innerJoin('wikis', 'wikis.namespace_id', 'namespace_ancestors.namespace_id')
    .select(({ fn }) => fn.sum<number | string | null>('wikis.size').as('bytes'))
  const ofProjects = below
    .innerJoin('projects', 'projects.namespace_id', 'namespace_ancestors.namespace_id')
    .innerJoin('project_statistics', 'project_statistics.project_id', 'projects.id')
    .leftJoin('wikis', 'wikis.project_id', 'projects.id')
    .select(
      sql<number | string | null>`sum(repository_size + lfs_objects_size + job_artifacts_size
        + coalesce(wikis.size, 0))`.as('bytes'),
    )
  const rows = await Promise.all([ofGroups.executeTakeFirst(), ofProjects.executeTakeFirst()])
  return rows.reduce((sum, row) => sum + Number(row?.bytes ?? 0), 0)
}

const whoMayHelp = 'Please contact your administrator for more information.'

/** Returns the message for a refused push. */
export function pushOverQuotaText(excess: QuotaExcess): string {
  const { held_bytes, limit_bytes, of } = excess
  const limit = formatHumanSize(limit_bytes)
  return held_bytes > limit_bytes
    ? `Your push to this repository has been rejected because ${exceeded(excess)}. ${whoMayHelp}`
    : `Your push to this repository would cause ${of === 'this repository' ? 'it' : of} to exceed the size limit of ${limit} so it has been rejected. ${whoMayHelp}`
}

/** Throws 400 if a limit is exceeded already before a change through the API. */
export async function assertWithinQuota(db: Db, project_id: number): Promise<void> {
  const excess = await findQuotaExcess(db, project_id, { bytes: 0, goesTo: 'repository' })
  if (excess) throw invalid(commitOverQuotaText(excess))
}

/** Returns the message for a refused commit of the API. */
export function commitOverQuotaText(excess: QuotaExcess): string {
  return `Your changes could not be committed, because ${exceeded(excess)}`
}

/** Returns the message of a merge request that cannot be merged because of the quota. */
export function mergeOverQuotaText(excess: QuotaExcess): string {
  return `This merge request cannot be merged, because ${exceeded(excess)}`
}

function exceeded({ held_bytes, limit_bytes, of }: QuotaExcess): string {
  return `${of} has exceeded its size limit of ${formatHumanSize(limit_bytes)} by ${formatHumanSize(held_bytes - limit_bytes)}`
}
