// Public functions of protected environments: who may deploy to an environment or stop it, and which deployments wait for
// approvals (docs/api/protected-environments.md).
import { type Actor, isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Db, EnvironmentTable } from '../../../db/db.ts'
import { isAllowedByProtectionEntry } from '../../repository/protected-branches/protected-branch.ts'

export type CallerEnvironmentProtectionEntry = {
  id: number
  action: 'deploy' | 'approve'
  access_level: number | null
  user_id: number | null
  group_id: number | null
  required_approvals: number
  /** Whether the caller belongs to the group of the entry. */
  isMember: boolean
}

export type EnvironmentProtection = {
  id: number
  name: string
  isOfGroup: boolean
  required_approval_count: number
  entries: CallerEnvironmentProtectionEntry[]
  /** The caller's level on the group that the protection belongs to; 0 for one of a project. */
  groupLevel: number
}

export type EnvironmentProject = { id: number; namespace_id: number }
type Named = { name: string; tier: EnvironmentTable['tier'] }
type Caller = { actor: Actor; level: number }

/**
 * Returns all protections of a project and of the groups above it, with their entries as they apply to the user; one
 * query.
 */
export async function listEnvironmentProtections(
  db: Db,
  { id, namespace_id }: EnvironmentProject,
  { user }: Pick<Actor, 'user'>,
): Promise<EnvironmentProtection[]> {
  const userId = user?.id ?? 0
  const rows = await db
    .selectFrom('protected_environments as rule')
    .leftJoin('protected_environment_entries as entry', (join) =>
      join.onRef('entry.protected_environment_id', '=', 'rule.id'),
    )
    .leftJoin('namespace_access as membership', (join) =>
      join
        .onRef('membership.namespace_id', '=', 'entry.group_id')
        .on('membership.user_id', '=', userId),
    )
    .leftJoin('members as direct', (join) =>
      join.onRef('direct.namespace_id', '=', 'entry.group_id').on('direct.user_id', '=', userId),
    )
    .leftJoin('namespace_access as owner', (join) =>
      join.onRef('owner.namespace_id', '=', 'rule.namespace_id').on('owner.user_id', '=', userId),
    )
    .select([
      'rule.id',
      'rule.name',
      'rule.namespace_id',
      'rule.required_approval_count',
      'entry.id as entry_id',
      'entry.action',
      'entry.access_level',
      'entry.user_id',
      'entry.group_id',
      'entry.group_inheritance_type',
      'entry.required_approvals',
      'membership.access_level as membership_level',
      'direct.id as direct_id',
      'owner.access_level as group_level',
    ])
    .where((eb) =>
      eb.or([
        eb('rule.project_id', '=', id),
        eb('rule.namespace_id', 'in', (inner) =>
          inner
            .selectFrom('namespace_ancestors')
            .select('ancestor_id')
            .where('namespace_ancestors.namespace_id', '=', namespace_id),
        ),
      ]),
    )
    .orderBy('rule.id')
    .orderBy('entry.id')
    .execute()
  const found = new Map<number, EnvironmentProtection>()
  for (const row of rows) {
    const rule = found.get(row.id) ?? {
      id: row.id,
      name: row.name,
      isOfGroup: row.namespace_id !== null,
      required_approval_count: row.required_approval_count,
      entries: [],
      groupLevel: row.group_level ?? Level.none,
    }
    found.set(row.id, rule)
    if (row.entry_id === null || row.action === null) continue
    const isInherited = row.group_inheritance_type === groupInheritanceTypes.all
    rule.entries.push({
      id: row.entry_id,
      action: row.action,
      access_level: row.access_level,
      user_id: row.user_id,
      group_id: row.group_id,
      required_approvals: row.required_approvals ?? 0,
      isMember:
        (row.membership_level ?? 0) >= Level.developer && (isInherited || row.direct_id !== null),
    })
  }
  return [...found.values()]
}

/** Values of `group_inheritance_type`. */
export const groupInheritanceTypes = { direct: 0, all: 1 } as const

/** Returns the protections of an environment: of its project by name, of groups by tier. */
export function protectionsOfEnvironment(
  protections: readonly EnvironmentProtection[],
  { name, tier }: Named,
): EnvironmentProtection[] {
  return protections.filter((one) => one.name === (one.isOfGroup ? tier : name))
}

/** Whether the caller may start jobs that deploy to the environment, and stop it. Each protection of it must admit them. */
export function mayDeployToEnvironment(
  protections: readonly EnvironmentProtection[],
  environment: Named,
  caller: Caller,
): boolean {
  if (isAdmin(caller.actor)) return true
  return protectionsOfEnvironment(protections, environment).every((one) =>
    one.entries.some(
      (entry) =>
        entry.action === 'deploy' && isAdmittedByEnvironmentProtectionEntry(one, entry, caller),
    ),
  )
}

/**
 * Whether an entry of an environment protection applies to the caller. Roles of a group's protection are roles in
 * that group.
 */
export function isAdmittedByEnvironmentProtectionEntry(
  { isOfGroup, groupLevel }: EnvironmentProtection,
  entry: CallerEnvironmentProtectionEntry,
  { actor, level }: Caller,
): boolean {
  const isRole = entry.user_id === null && entry.group_id === null
  return isAllowedByProtectionEntry(entry, {
    actor,
    level: isRole && isOfGroup ? groupLevel : level,
  })
}

type Approval = { entry_id: number | null; status: 'approved' | 'rejected' }

/**
 * Returns how many approvals a deployment to the environment still needs. Approval rules replace the plain number of a
 * protection.
 */
export function countMissingDeploymentApprovals(
  protections: readonly EnvironmentProtection[],
  environment: Named,
  approvals: readonly Approval[],
): number {
  const approved = approvals.filter(({ status }) => status === 'approved')
  let missing = 0
  for (const { entries, required_approval_count } of protectionsOfEnvironment(
    protections,
    environment,
  )) {
    const rules = entries.filter(({ action }) => action === 'approve')
    for (const { id, required_approvals } of rules) {
      const given = approved.filter(({ entry_id }) => entry_id === id).length
      missing += Math.max(0, required_approvals - given)
    }
    if (rules.length === 0) missing += Math.max(0, required_approval_count - approved.length)
  }
  return missing
}

export type DeployingJob = { id: number; environment_id: number | null }

/** Returns environments by id, for the rules above. */
export async function findEnvironmentsOfJobs(
  db: Db,
  jobs: readonly Pick<DeployingJob, 'environment_id'>[],
): Promise<Map<number, Named>> {
  const ids = [...new Set(jobs.flatMap(({ environment_id }) => environment_id ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('environments')
    .select(['id', 'name', 'tier'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the jobs that the caller may start as far as their environments decide; two queries, none without environments. */
export async function filterDeployableJobs<Job extends Pick<DeployingJob, 'environment_id'>>(
  db: Db,
  project: EnvironmentProject,
  { jobs, ...caller }: Caller & { jobs: readonly Job[] },
): Promise<Job[]> {
  const environments = await findEnvironmentsOfJobs(db, jobs)
  if (environments.size === 0) return [...jobs]
  const protections = await listEnvironmentProtections(db, project, caller.actor)
  return jobs.filter(({ environment_id }) => {
    const environment = environments.get(environment_id ?? 0)
    return environment === undefined || mayDeployToEnvironment(protections, environment, caller)
  })
}

/** Marks deployments of jobs that would start, but need approvals, as blocked, and returns the ids of their jobs. */
export async function blockDeploymentsForApproval(
  tx: Db,
  { jobs, now }: { jobs: readonly DeployingJob[]; now: string },
): Promise<Set<number>> {
  const ids = jobs.filter(({ environment_id }) => environment_id !== null).map(({ id }) => id)
  if (ids.length === 0) return new Set()
  const rows = await tx
    .selectFrom('deployments')
    .innerJoin('environments', 'environments.id', 'deployments.environment_id')
    .innerJoin('projects', 'projects.id', 'deployments.project_id')
    .select([
      'deployments.id',
      'deployments.job_id',
      'environments.name',
      'environments.tier',
      'projects.id as project_id',
      'projects.namespace_id',
    ])
    .where('deployments.job_id', 'in', ids)
    .execute()
  const [first] = rows
  if (!first) return new Set()
  const { project_id: id, namespace_id } = first
  const protections = await listEnvironmentProtections(
    tx,
    { id, namespace_id },
    { user: undefined },
  )
  const guarded = rows.filter((row) => countMissingDeploymentApprovals(protections, row, []) > 0)
  if (guarded.length === 0) return new Set()
  const deploymentIds = guarded.map((row) => row.id)
  const approvals = await tx
    .selectFrom('deployment_approvals')
    .select(['deployment_id', 'entry_id', 'status'])
    .where('deployment_id', 'in', deploymentIds)
    .execute()
  const held = guarded.filter((row) => {
    const own = approvals.filter(({ deployment_id }) => deployment_id === row.id)
    return countMissingDeploymentApprovals(protections, row, own) > 0
  })
  if (held.length === 0) return new Set()
  const blocked = held.map((row) => row.id)
  await tx
    .updateTable('deployments')
    .set({ status: 'blocked', finished_at: null, updated_at: now })
    .where('id', 'in', blocked)
    .execute()
  return new Set(held.flatMap(({ job_id }) => job_id ?? []))
}
