// Public functions of audit events: changes of access and of how users sign in. The code that makes a change records its
// event in the same transaction, so that neither exists without the other.

import { type ExpressionBuilder, type Insertable, type SelectQueryBuilder, sql } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import type { AuditEventTable, Schema } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'

/** The actions that are recorded; pages have texts for each (web/text/audit-events.ts). */
export const auditActions = [
  'signed_in',
  'sign_in_failed',
  'account_locked',
  'address_barred',
  'sudo_used',
  'password_changed',
  'password_reset',
  'two_factor_enabled',
  'two_factor_disabled',
  'recovery_codes_renewed',
  'token_created',
  'token_revoked',
  'ssh_key_added',
  'ssh_key_removed',
  'gpg_key_added',
  'gpg_key_removed',
  'deploy_key_added',
  'deploy_key_changed',
  'deploy_key_removed',
  'member_added',
  'member_changed',
  'member_removed',
  'member_expired',
  'invitation_accepted',
  'share_added',
  'share_removed',
  'share_expired',
  'user_created',
  'user_registered',
  'user_changed',
  'user_removed',
  'user_blocked',
  'user_unblocked',
  'user_deactivated',
  'user_activated',
  'user_banned',
  'user_unbanned',
  'user_approved',
  'identity_removed',
  'project_changed',
  'project_archived',
  'project_unarchived',
  'project_transferred',
  'project_removed',
  'group_changed',
  'group_transferred',
  'group_removed',
  'branch_protected',
  'branch_protection_changed',
  'branch_unprotected',
  'approval_rule_added',
  'approval_rule_changed',
  'approval_rule_removed',
  'approval_settings_changed',
  'tag_protected',
  'tag_unprotected',
  'environment_protected',
  'environment_protection_changed',
  'environment_unprotected',
  'deployment_approved',
  'secure_file_added',
  'secure_file_removed',
  'job_token_scope_changed',
  'deployment_rejected',
  'deploy_token_created',
  'deploy_token_revoked',
  'variable_created',
  'variable_changed',
  'variable_removed',
  'pipeline_removed',
  'job_erased',
  'runner_registered',
  'runner_changed',
  'runner_removed',
  'runner_token_reset',
  'settings_changed',
  'webhook_created',
  'webhook_changed',
  'webhook_removed',
  'application_created',
  'application_updated',
  'application_removed',
  'application_allowed',
  'application_secret_renewed',
  'application_disallowed',
  'impersonation_started',
  'impersonation_ended',
  'email_added',
  'email_removed',
  'invitation_created',
  'invitation_changed',
  'invitation_removed',
  'runner_assigned',
  'runner_unassigned',
  'trigger_created',
  'trigger_changed',
  'trigger_removed',
  'remote_mirror_added',
  'remote_mirror_changed',
  'remote_mirror_removed',
  'broadcast_message_added',
  'broadcast_message_changed',
  'broadcast_message_removed',
  'cluster_added',
  'cluster_changed',
  'cluster_removed',
  'storage_move_scheduled',
  'storage_emptied',
  'pages_domain_added',
  'pages_domain_changed',
  'pages_domain_removed',
  'site_changed',
  'site_removed',
  'license_policy_added',
  'license_policy_changed',
  'license_policy_removed',
  'vulnerability_state_changed',
  'alert_integration_added',
  'alert_integration_changed',
  'alert_integration_removed',
  'alert_integration_token_reset',
  'alert_settings_changed',
  'backup_completed',
  'session_ended',
] as const

export type AuditAction = (typeof auditActions)[number]

/** The record that is changed; `id` is 0 for the instance. Its current name is looked up and stored. */
export type AuditEntity = { kind: 'user' | 'group' | 'project' | 'instance'; id: number }

/** The other record of a change; its name is looked up, or given as `name`. */
type AuditTarget =
  | AuditEntity
  | {
      kind:
        | 'token'
        | 'ssh_key'
        | 'gpg_key'
        | 'deploy_key'
        | 'protected_branch'
        | 'approval_rule'
        | 'protected_tag'
        | 'protected_environment'
        | 'deployment'
        | 'secure_file'
        | 'deploy_token'
        | 'variable'
        | 'pipeline'
        | 'job'
        | 'runner'
        | 'webhook'
        | 'application'
        | 'cluster'
        | 'email'
        | 'invitation'
        | 'trigger'
        | 'remote_mirror'
        | 'broadcast_message'
        | 'pages_domain'
        | 'license_policy'
        | 'vulnerability'
        | 'alert_integration'
        | 'session'
      id: number
      name: string
    }

export type AuditEvent = {
  action: AuditAction
  entity: AuditEntity
  target?: AuditTarget
  /** Must contain no secrets, since users who may read events may not read secrets. */
  details?: Readonly<Record<string, unknown>>
}

/** The author and request of an event, as in the context of an endpoint. Without an actor the server itself is the author. */
export type AuditSource = Pick<Instance, 'db' | 'clock'> & {
  actor?: Pick<Actor, 'user' | 'administrator' | 'session'>
  request?: { ip: string }
}

/** The names of types in the API. */
const typeNames = {
  user: 'User',
  group: 'Group',
  project: 'Project',
  instance: 'Instance',
  token: 'PersonalAccessToken',
  ssh_key: 'Key',
  gpg_key: 'GpgKey',
  deploy_key: 'DeployKey',
  protected_branch: 'ProtectedBranch',
  approval_rule: 'ApprovalProjectRule',
  protected_tag: 'ProtectedTag',
  protected_environment: 'ProtectedEnvironment',
  deployment: 'Deployment',
  secure_file: 'SecureFile',
  deploy_token: 'DeployToken',
  variable: 'Variable',
  pipeline: 'Ci::Pipeline',
  job: 'Ci::Build',
  runner: 'Ci::Runner',
  webhook: 'WebHook',
  application: 'Authn::OauthApplication',
  cluster: 'Clusters::Cluster',
  email: 'Email',
  invitation: 'Member',
  trigger: 'Ci::Trigger',
  remote_mirror: 'RemoteMirror',
  broadcast_message: 'BroadcastMessage',
  pages_domain: 'PagesDomain',
  license_policy: 'SoftwareLicensePolicy',
  vulnerability: 'Vulnerability',
  alert_integration: 'AlertIntegration',
  session: 'ActiveSession',
} as const

/** Beyond this many rows a statement has too many parameters. */
const rows_a_statement = 500

/** Records an audit event in the transaction (`db`) of the change, with one statement. */
export async function recordAuditEvent(source: AuditSource, event: AuditEvent): Promise<void> {
  await recordAuditEvents(source, [event])
}

export async function recordAuditEvents(
  source: AuditSource,
  events: readonly AuditEvent[],
): Promise<void> {
  for (const rows of splitIntoBatches(events, rows_a_statement)) {
    await source.db
      .insertInto('audit_events')
      .values((eb) => rows.map((event) => auditRow(eb, source, event)))
      .execute()
  }
}

/** Records an event for each user that a query finds, with one statement; none if it finds none. */
export async function recordAuditEventsForUsers(
  { db, clock, request }: Required<Pick<AuditSource, 'db' | 'clock' | 'request'>>,
  users: SelectQueryBuilder<Schema, 'users', { id: number; username: string; action: AuditAction }>,
): Promise<void> {
  await db
    .insertInto('audit_events')
    .columns([
      'entity_id',
      'entity_path',
      'action',
      'author_name',
      'ip_address',
      'entity_type',
      'details',
      'created_at',
    ])
    .expression(
      users.select(({ eb }) => [
        eb.val('Unauthenticated').as('author_name'),
        eb.val(request.ip).as('ip_address'),
        eb.val(typeNames.user).as('entity_type'),
        eb.val(toJson({})).as('details'),
        eb.val(timestamp(clock)).as('created_at'),
      ]),
    )
    .execute()
}

function auditRow(
  eb: ExpressionBuilder<Schema, 'audit_events'>,
  { clock, actor, request }: AuditSource,
  { action, entity, target, details }: AuditEvent,
) {
  const user = actor?.user
  const nobody = request ? 'Unauthenticated' : 'Server'
  return {
    author_id: user?.id ?? null,
    author_name: user?.name ?? nobody,
    ip_address: request?.ip ?? null,
    action,
    entity_type: typeNames[entity.kind],
    entity_id: entity.id,
    entity_path: eb.fn.coalesce(nameOf(eb, entity), eb.val('')),
    target_type: target ? typeNames[target.kind] : null,
    target_id: target?.id ?? null,
    target_details: target && ('name' in target ? target.name : nameOf(eb, target)),
    details: toJson({ ...details, ...administratorOf(actor) }),
    created_at: timestamp(clock),
  } satisfies Record<keyof Omit<Insertable<AuditEventTable>, 'id'>, unknown>
}

/** The administrator who acted as the author, and how. */
function administratorOf(actor: AuditSource['actor']) {
  if (!actor?.administrator) return {}
  const { id, username } = actor.administrator
  return actor.session
    ? { impersonated_by_id: id, impersonated_by: username }
    : { sudo_by_id: id, sudo_by: username }
}

/** Selects the current name within the statement. */
function nameOf(eb: ExpressionBuilder<Schema, 'audit_events'>, { kind, id }: AuditEntity) {
  switch (kind) {
    case 'user':
      return eb.selectFrom('users').select('username').where('users.id', '=', id)
    case 'group':
      return eb.selectFrom('namespaces').select('full_path').where('namespaces.id', '=', id)
    case 'project':
      return eb
        .selectFrom('projects')
        .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
        .select(
          sql<string>`${sql.ref('namespaces.full_path')} || '/' || ${sql.ref('projects.path')}`.as(
            'full_path',
          ),
        )
        .where('projects.id', '=', id)
    case 'instance':
      return eb.val('')
  }
}

/** Returns the fields that change, each with its old and new value. */
export function changedFieldsWithValues<Row extends object, Field extends keyof Row>(
  before: Row,
  after: Partial<Pick<Row, Field>>,
  fields: readonly Field[],
): Partial<Record<Field, { from: unknown; to: unknown }>> {
  const changes: Partial<Record<Field, { from: unknown; to: unknown }>> = {}
  for (const field of fields) {
    const [from, to] = [before[field], after[field]]
    if (to !== undefined && to !== from) changes[field] = { from, to }
  }
  return changes
}
