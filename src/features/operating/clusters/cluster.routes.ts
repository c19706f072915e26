import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import {
  type Context,
  type Endpoint,
  endpointFactory,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  namedObject,
  nullable,
  nullableInteger,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import {
  type AddressPolicy,
  allowAnyAddress,
  allowPublicAndListed,
} from '../../../outgoing/address-policy.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { findProject } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { readSettings } from '../../basics/settings/setting.ts'
import { showProjects } from '../../projects/projects/show-projects.ts'
import { ClusterJson, ListedClusterJson, presentCluster } from './cluster.present.ts'
import {
  type ClusterRecord,
  deleteCluster,
  findCluster,
  hasClustersAtLeast,
  insertCluster,
  isNamespaceWithinGroup,
  listClusters,
  updateCluster,
} from './cluster.store.ts'
import {
  type ClusterOwner,
  groupClusterOwnerLoader,
  instanceClusterOwnerLoader,
  mayReadClusters,
  mayWriteClusters,
  projectClusterOwnerLoader,
} from './cluster-owner.ts'
import { clusterProblems } from './cluster-problems.ts'

const idInput = { cluster_id: Type.Integer() }
const detailsInput = {
  domain: Type.Optional(nullable(Type.String())),
  management_project_id: Type.Optional(nullableInteger),
  enabled: optionalBoolean,
  environment_scope: optionalText,
  namespace_per_environment: optionalBoolean,
  managed: optionalBoolean,
}
const platformInput = {
  ca_cert: Type.Optional(nullable(Type.String())),
  namespace: Type.Optional(nullable(Type.String())),
}
const authorizationTypes = ['unknown_authorization', 'rbac', 'abac'] as const

type PlatformInput = {
  api_url?: string
  token?: string
  ca_cert?: string | null
  namespace?: string | null
  authorization_type?: (typeof authorizationTypes)[number]
}
type ClusterInput = {
  name?: string
  domain?: string | null
  management_project_id?: number | null
  enabled?: boolean
  environment_scope?: string
  namespace_per_environment?: boolean
  managed?: boolean
  platform_orchestrator_attributes?: PlatformInput
}
type ClusterContext<Input> = Context<ClusterOwner, Input>

async function getCluster({
  db,
  subject: owner,
  input,
}: ClusterContext<{ cluster_id: number }>): Promise<ClusterRecord> {
  const found = await findCluster(db, owner, input.cluster_id)
  if (!found) throw recordNotFound()
  return found
}

/** Returns the addresses that clusters may have; the same as for webhooks. */
async function findReach(db: Db): Promise<AddressPolicy> {
  const settings = await readSettings(db)
  return settings.allow_local_requests_from_web_hooks_and_services
    ? allowAnyAddress
    : allowPublicAndListed(settings.outbound_local_requests_whitelist)
}

/**
 * Checks that the caller maintains the management project, which must be near the cluster: beside the project, or within
 * the group (docs/api/clusters.md, "Management project").
 */
async function checkManagingProject(context: ClusterContext<ClusterInput>): Promise<void> {
  const { db, actor, subject: owner, input } = context
  const { management_project_id: id } = input
  if (id === undefined || id === null) return
  const found = await findProject(db, actor, { id })
  const isOurs = found !== undefined && found.level >= Level.maintainer
  if (isOurs && (await isNear(db, owner, found.project.namespace_id))) return
  throw invalid({
    management_project_id: [
      "Project does not exist or you don't have permission to perform this action",
    ],
  })
}

async function isNear(db: Db, owner: ClusterOwner, namespace_id: number): Promise<boolean> {
  if (owner.kind === 'instance') return true
  if (owner.kind === 'project') return owner.project.namespace_id === namespace_id
  return isNamespaceWithinGroup(db, { namespace_id, group_id: owner.id })
}

/** Returns the columns of the input except the token; fields that are not given are taken from `before`. */
function mergeInput(input: ClusterInput, before: ClusterColumns): ClusterColumns {
  const platform = input.platform_orchestrator_attributes ?? {}
  const namespace = platform.namespace === undefined ? before.namespace : platform.namespace
  const ca_cert = platform.ca_cert === undefined ? before.ca_cert : platform.ca_cert
  return {
    name: input.name ?? before.name,
    domain: input.domain === undefined ? before.domain : input.domain,
    management_project_id:
      input.management_project_id === undefined
        ? before.management_project_id
        : input.management_project_id,
    enabled: input.enabled ?? before.enabled,
    environment_scope: input.environment_scope || before.environment_scope,
    namespace_per_environment: input.namespace_per_environment ?? before.namespace_per_environment,
    managed: input.managed ?? before.managed,
    api_url: platform.api_url?.trim() ?? before.api_url,
    ca_cert: ca_cert?.trim() || null,
    namespace: namespace?.trim().toLowerCase() || null,
    authorization_type: platform.authorization_type ?? before.authorization_type,
  }
}

type ClusterColumns = Pick<
  ClusterRecord,
  | 'name'
  | 'domain'
  | 'management_project_id'
  | 'enabled'
  | 'environment_scope'
  | 'namespace_per_environment'
  | 'managed'
  | 'api_url'
  | 'ca_cert'
  | 'namespace'
  | 'authorization_type'
>

const usual: ClusterColumns = {
  name: '',
  domain: null,
  management_project_id: null,
  enabled: true,
  environment_scope: '*',
  namespace_per_environment: true,
  managed: true,
  api_url: '',
  ca_cert: null,
  namespace: null,
  authorization_type: 'rbac',
}

async function check(
  { db, subject: owner }: ClusterContext<unknown>,
  { name, domain, environment_scope, ...platform }: ClusterColumns & { token: string | undefined },
): Promise<void> {
  const problems = clusterProblems(
    { name, domain, environment_scope, platform },
    { isOfProject: owner.kind === 'project', reach: await findReach(db) },
  )
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

const scopeTaken = () => invalid({ environment_scope: ['cannot add duplicated environment scope'] })

/** Presents a single cluster, which includes its owner. */
async function show(context: ClusterContext<unknown>, id: number) {
  const { db, subject: owner, baseUrl } = context
  const row = await findCluster(db, owner, id)
  if (!row) throw recordNotFound()
  return { ...presentCluster(row, baseUrl), ...(await showOwner(context)) }
}

async function showOwner(context: ClusterContext<unknown>) {
  const { subject: owner, baseUrl } = context
  if (owner.kind === 'project') {
    const [project] = await showProjects(context, [owner.id], { isSimple: true })
    return { project: project?.value }
  }
  if (owner.kind === 'instance') return {}
  const { id, name, full_path } = owner.group
  return { group: { id, web_url: `${baseUrl}/groups/${full_path}`, name } }
}

async function recordClusterEvent(
  context: ClusterContext<unknown>,
  tx: Db,
  event: {
    action: 'cluster_added' | 'cluster_changed' | 'cluster_removed'
    id: number
    name: string
    details?: Record<string, unknown>
  },
): Promise<void> {
  const { action, id, name, details } = event
  const { kind, id: entity_id } = context.subject
  await recordAuditEvent(
    { ...context, db: tx },
    { action, entity: { kind, id: entity_id }, target: { kind: 'cluster', id, name }, details },
  )
}

/** Removes the environment scope for projects on the free tier, where a cluster is used for all environments. */
function paidFor<Input extends ClusterInput>({
  config,
  subject,
  input,
}: ClusterContext<Input>): Input {
  const isUnpaid = config.tier === 'free' && subject.kind === 'project'
  return isUnpaid ? { ...input, environment_scope: undefined } : input
}

async function add(context: ClusterContext<ClusterInput & { name: string }>) {
  const { db, clock, subject: owner, user, secretKey } = context
  const input = paidFor(context)
  const token = input.platform_orchestrator_attributes?.token?.trim() ?? ''
  const cluster = mergeInput(input, usual)
  await check(context, { ...cluster, token })
  await checkManagingProject(context)
  const now = timestamp(clock)
  const id = await runTransaction(db, async (tx) => {
    await lockOwner(tx, owner)
    const maximum = limits.clusters.per_owner_max
    if (await hasClustersAtLeast(tx, owner, maximum)) {
      throw invalid({ base: [`Maximum number of clusters (${maximum}) exceeded`] })
    }
    const made = await insertCluster(tx, owner, {
      ...cluster,
      user_id: user.id,
      token: sealSecret(secretKey, token),
      created_at: now,
      updated_at: now,
    })
    if (made === undefined) throw scopeTaken()
    const { name, environment_scope, api_url } = cluster
    const details = { environment_scope, api_url }
    await recordClusterEvent(context, tx, { action: 'cluster_added', id: made, name, details })
    return made
  })
  return show(context, id)
}

async function change(context: ClusterContext<ClusterInput & { cluster_id: number }>) {
  const { db, clock, secretKey } = context
  const input = paidFor(context)
  const before = await getCluster(context)
  const cluster = mergeInput(input, before)
  // A blank token keeps the present one.
  const token = input.platform_orchestrator_attributes?.token?.trim() || undefined
  await check(context, { ...cluster, token })
  await checkManagingProject(context)
  await runTransaction(db, async (tx) => {
    const isChanged = await updateCluster(tx, before.id, {
      ...cluster,
      ...(token === undefined ? {} : { token: sealSecret(secretKey, token) }),
      updated_at: timestamp(clock),
    })
    if (!isChanged) throw scopeTaken()
    const { cluster_id: id, platform_orchestrator_attributes: platform, ...rest } = input
    const details = { names: [...Object.keys(rest), ...Object.keys(platform ?? {})] }
    const { name } = cluster
    await recordClusterEvent(context, tx, { action: 'cluster_changed', id, name, details })
  })
  return show(context, before.id)
}

/** Returns the endpoints for clusters of projects, groups or the instance, which differ only in the owner. */
function endpointsOf(
  base: '/projects/:id/clusters' | '/groups/:id/clusters' | '/admin/clusters',
  on: SubjectLoader<ClusterOwner>,
): readonly Endpoint[] {
  const isInstance = base.startsWith('/admin')
  const whose = isInstance ? 'the instance' : `a ${base.split('/')[1]?.slice(0, -1)}`
  const endpoint = endpointFactory({ tag: 'Clusters', on, signIn: 'always' })
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the clusters of ${whose}`,
      allow: mayReadClusters,
      input: Type.Object(pageInput),
      answer: Type.Array(ListedClusterJson),
      async run({ db, subject: owner, range, baseUrl }) {
        const { rows, total } = await listClusters(db, owner, range)
        return new Page({ items: rows.map((row) => presentCluster(row, baseUrl)), total })
      },
    }),

    endpoint({
      route: `GET ${base}/:cluster_id`,
      summary: `Get a cluster of ${whose}`,
      allow: mayReadClusters,
      input: Type.Object(idInput),
      answer: ClusterJson,
      run: (context) => show(context, context.input.cluster_id),
    }),

    endpoint({
      route: isInstance ? `POST ${base}/add` : `POST ${base}/user`,
      summary: `Add an existing cluster to ${whose}`,
      allow: mayWriteClusters,
      // The response contains the project's record, which is read from git, so no transaction is open
      // meanwhile.
      transaction: 'none',
      input: Type.Object({
        name: Type.String(),
        ...detailsInput,
        platform_orchestrator_attributes: namedObject('NewClusterPlatformInput', {
          api_url: Type.String(),
          token: Type.String(),
          ...platformInput,
          authorization_type: Type.Optional(oneOf(authorizationTypes, { default: 'rbac' })),
        }),
      }),
      status: 201,
      answer: ClusterJson,
      run: add,
    }),

    endpoint({
      route: `PUT ${base}/:cluster_id`,
      summary: `Change a cluster of ${whose}`,
      allow: mayWriteClusters,
      transaction: 'none',
      input: Type.Object({
        ...idInput,
        name: optionalText,
        ...detailsInput,
        platform_orchestrator_attributes: Type.Optional(
          namedObject('ClusterPlatformInput', {
            api_url: optionalText,
            token: optionalText,
            ...platformInput,
          }),
        ),
      }),
      answer: ClusterJson,
      run: change,
    }),

    endpoint({
      route: `DELETE ${base}/:cluster_id`,
      summary: `Remove a cluster from ${whose}`,
      allow: mayWriteClusters,
      input: Type.Object(idInput),
      status: 204,
      async run(context) {
        const { id, name, updated_at } = await getCluster(context)
        checkIfUnmodifiedSince(context.request, updated_at)
        await deleteCluster(context.db, id)
        await recordClusterEvent(context, context.db, { action: 'cluster_removed', id, name })
      },
    }),
  ]
}

export const clusterEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/clusters', projectClusterOwnerLoader),
  ...endpointsOf('/groups/:id/clusters', groupClusterOwnerLoader),
  ...endpointsOf('/admin/clusters', instanceClusterOwnerLoader),
]
