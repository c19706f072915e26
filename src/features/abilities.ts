// What a caller may do with a project or group, and on the whole instance: names for pages, each of an operation whose
// own rule decides. They are here in one place, since a record does not know families after its own.
import { type TBoolean, Type } from 'typebox'
import type { Actor } from '../access/actor.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { canCallEach } from '../http/can-call-each.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { namedObject, optionalBoolean } from '../http/schema.ts'

/** The operation behind each ability, by the kind of record. Its subject is found by `:id` alone. */
export const abilityRoutes = {
  project: {
    download_code: 'GET /projects/:id/repository/tree',
    push_code: 'POST /projects/:id/repository/commits',
    comment_on_commits: 'POST /projects/:id/repository/commits/:sha/comments',
    change_project: 'PUT /projects/:id',
    archive_project: 'POST /projects/:id/archive',
    transfer_project: 'PUT /projects/:id/transfer',
    remove_project: 'DELETE /projects/:id',
    manage_members: 'POST /projects/:id/members',
    request_access: 'POST /projects/:id/access_requests',
    share_project: 'POST /projects/:id/share',
    protect_branches: 'POST /projects/:id/protected_branches',
    protect_tags: 'POST /projects/:id/protected_tags',
    read_deploy_keys: 'GET /projects/:id/deploy_keys',
    manage_deploy_tokens: 'POST /projects/:id/deploy_tokens',
    manage_mirrors: 'POST /projects/:id/remote_mirrors',
    read_pipelines: 'GET /projects/:id/pipelines',
    create_pipelines: 'POST /projects/:id/pipeline',
    create_pipeline_schedules: 'POST /projects/:id/pipeline_schedules',
    remove_pipelines: 'DELETE /projects/:id/pipelines/:pipeline_id',
    change_branch_protections: 'PATCH /projects/:id/protected_branches/:name',
    manage_triggers: 'POST /projects/:id/triggers',
    manage_variables: 'POST /projects/:id/variables',
    manage_runners: 'POST /projects/:id/runners',
    remove_artifacts: 'DELETE /projects/:id/artifacts',
    read_environments: 'GET /projects/:id/environments',
    change_environments: 'POST /projects/:id/environments',
    create_issues: 'POST /projects/:id/issues',
    read_merge_requests: 'GET /projects/:id/merge_requests',
    create_merge_requests: 'POST /projects/:id/merge_requests',
    write_labels: 'POST /projects/:id/labels',
    write_milestones: 'POST /projects/:id/milestones',
    write_boards: 'POST /projects/:id/boards',
    write_wiki: 'POST /projects/:id/wikis',
    write_badges: 'POST /projects/:id/badges',
    write_releases: 'POST /projects/:id/releases',
    add_uploads: 'POST /projects/:id/uploads',
    manage_webhooks: 'POST /projects/:id/hooks',
    manage_status_checks: 'POST /projects/:id/external_status_checks',
    manage_approvals: 'POST /projects/:id/approvals',
    manage_clusters: 'POST /projects/:id/clusters/user',
    manage_pages: 'PATCH /projects/:id/pages',
    read_vulnerabilities: 'GET /projects/:id/vulnerabilities',
    read_dependencies: 'GET /projects/:id/dependencies',
    read_licenses: 'GET /projects/:id/managed_licenses',
    write_licenses: 'POST /projects/:id/managed_licenses',
    read_alerts: 'GET /projects/:id/alert_management_alerts',
    read_alert_integrations: 'GET /projects/:id/alert_management/integrations',
    write_alert_integrations: 'POST /projects/:id/alert_management/integrations',
    read_audit_events: 'GET /projects/:id/audit_events',
  },
  group: {
    change_group: 'PUT /groups/:id',
    remove_group: 'DELETE /groups/:id',
    transfer_group: 'POST /groups/:id/transfer',
    manage_members: 'POST /groups/:id/members',
    request_access: 'POST /groups/:id/access_requests',
    share_group: 'POST /groups/:id/share',
    manage_deploy_tokens: 'POST /groups/:id/deploy_tokens',
    manage_variables: 'POST /groups/:id/variables',
    manage_runners: 'GET /groups/:id/runners',
    write_labels: 'POST /groups/:id/labels',
    write_milestones: 'POST /groups/:id/milestones',
    write_boards: 'POST /groups/:id/boards',
    write_wiki: 'POST /groups/:id/wikis',
    write_badges: 'POST /groups/:id/badges',
    manage_webhooks: 'POST /groups/:id/hooks',
    manage_clusters: 'POST /groups/:id/clusters/user',
    read_vulnerabilities: 'GET /groups/:id/vulnerabilities',
    read_dependencies: 'GET /groups/:id/dependencies',
    move_storage: 'POST /groups/:id/repository_storage_moves',
    export_vulnerabilities: 'POST /security/groups/:id/vulnerability_exports',
    read_audit_events: 'GET /groups/:id/audit_events',
  },
  user: {
    administrate_users: 'POST /users',
    administrate_settings: 'PUT /application/settings',
    administrate_runners: 'POST /runners/reset_registration_token',
    administrate_applications: 'POST /applications',
    administrate_webhooks: 'POST /hooks',
    administrate_tasks: 'GET /admin/background_tasks',
    administrate_clusters: 'POST /admin/clusters/add',
    write_broadcast_messages: 'POST /broadcast_messages',
    write_topics: 'POST /topics',
    move_storage: 'POST /project_repository_storage_moves',
    export_vulnerabilities: 'POST /security/vulnerability_exports',
    read_audit_events: 'GET /audit_events',
  },
} as const satisfies Record<string, Record<string, Endpoint['path']>>

type Kind = keyof typeof abilityRoutes

const recordNames: Record<Kind, string> = {
  project: 'ProjectAbilities',
  group: 'GroupAbilities',
  user: 'UserAbilities',
}

/** The parameter that requests abilities. */
export const withAbilitiesInput = { with_abilities: optionalBoolean }

/**
 * Returns the schema of the fields that `with_abilities` adds to a record; `more` are abilities that the record's family
 * adds.
 */
export function abilitiesSchemaField(kind: Kind, more: readonly string[] = []) {
  const names = [...Object.keys(abilityRoutes[kind]), ...more]
  const fields: Record<string, TBoolean> = Object.fromEntries(
    names.map((name) => [name, Type.Boolean()]),
  )
  return { abilities: Type.Optional(namedObject(recordNames[kind], fields)) }
}

let operations: ReadonlyMap<string, Endpoint> = new Map()

/** Registers the operations of abilities. Called once, where the families are assembled. */
export function registerAbilityOperations(endpoints: readonly Endpoint[]): void {
  operations = new Map(endpoints.map((one) => [`${one.method} ${one.path}`, one]))
  for (const route of Object.values(abilityRoutes).flatMap(Object.values<string>))
    operationOf(route)
}

function operationOf(route: string): Endpoint {
  const found = operations.get(route)
  if (!found) throw new Error(`No family has ${route}, which an ability is about.`)
  return found
}

type Caller = { db: Db; actor: Actor; config: Pick<Config, 'tier'> }

/**
 * Returns the field `abilities`: what the caller may do with a record or, for the kind `user`, on the instance, by name.
 * Each has the result of the operation's access rule, regardless of token scopes (docs/api/conventions.md, "Abilities").
 */
export async function resolveAbilities(
  { db, actor, config: { tier } }: Caller,
  kind: Kind,
  id?: number,
): Promise<{ abilities: Record<string, boolean> }> {
  const routes: [string, string][] = Object.entries(abilityRoutes[kind])
  const parameters: Record<string, string> = id === undefined ? {} : { id: String(id) }
  const endpoints = routes.map(([, route]) => operationOf(route))
  const answers = await canCallEach(endpoints, { db, actor, tier, parameters })
  const named = routes.map(([name], place) => [name, answers[place] ?? false])
  return { abilities: Object.fromEntries(named) }
}
