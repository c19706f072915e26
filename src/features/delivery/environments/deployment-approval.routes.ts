// Approvals of deployments to protected environments (docs/api/protected-environments.md, "Approvals").
import { type Static, Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, nullableText, oneOf, optionalText } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, forbidden, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { mayCreatePipelines } from '../../../subjects/pipeline.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { BasicUserJson, findUsersByIds, presentBasicUser } from '../../../subjects/user.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { finishJob } from '../jobs/finish-job.ts'
import { withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob } from '../pipeline-changes/job.ts'
import {
  countMissingDeploymentApprovals,
  findEnvironmentsOfJobs,
  isAdmittedByEnvironmentProtectionEntry,
  listEnvironmentProtections,
  mayDeployToEnvironment,
  protectionsOfEnvironment,
} from '../protected-environments/protected-environment.ts'
import { listDeploymentApprovals, upsertDeploymentApproval } from './deployment-approval.store.ts'
import { type Deployment, findDeployment, updateDeployment } from './environment.store.ts'

const endpoint = endpointFactory({ tag: 'Environments', on: projectLoader })

export const DeploymentApprovalJson = namedObject('DeploymentApproval', {
  user: BasicUserJson,
  status: oneOf(['approved', 'rejected']),
  created_at: Type.String(),
  comment: nullableText,
})

type Facts = Pick<Context<Project, unknown>, 'db' | 'subject' | 'actor' | 'level'>

/** Returns the protections of a deployment's environment, as they apply to the caller. */
async function protectionsOf({ db, subject: project, actor }: Facts, deployment: Deployment) {
  const environment = (await findEnvironmentsOfJobs(db, [deployment])).get(
    deployment.environment_id,
  )
  if (!environment) throw recordNotFound()
  return { environment, protections: await listEnvironmentProtections(db, project, actor) }
}

/** Returns the approvals of a deployment, and how many it still needs. */
export async function showDeploymentApprovals(
  context: Facts & { baseUrl: string },
  deployment: Deployment,
): Promise<{ approvals: Static<typeof DeploymentApprovalJson>[]; pending_approval_count: number }> {
  const { environment, protections } = await protectionsOf(context, deployment)
  const rows = await listDeploymentApprovals(context.db, deployment.id)
  const users = await findUsersByIds(
    context.db,
    rows.map(({ user_id }) => user_id),
  )
  const approvals = rows.flatMap(({ user_id, status, created_at, comment }) => {
    const user = users.get(user_id)
    if (!user) return []
    return { user: presentBasicUser(user, context.baseUrl), status, created_at, comment }
  })
  const missing = countMissingDeploymentApprovals(protections, environment, rows)
  return { approvals, pending_approval_count: deployment.status === 'blocked' ? missing : 0 }
}

/**
 * Returns the rule that an approval of the caller counts for, preferably one that still needs approvals.
 * Throws 403 if no rule admits the caller.
 */
async function findRule(
  context: Facts,
  deployment: Deployment,
): Promise<{ entry_id: number | null }> {
  const { actor, level } = context
  const { environment, protections } = await protectionsOf(context, deployment)
  const given = await listDeploymentApprovals(context.db, deployment.id)
  const caller = { actor, level }
  const matching = protectionsOfEnvironment(protections, environment)
  const rules = matching.flatMap((protection) =>
    protection.entries
      .filter((entry) => entry.action === 'approve')
      .map((entry) => ({
        id: entry.id,
        isMine: isAdmin(actor) || isAdmittedByEnvironmentProtectionEntry(protection, entry, caller),
        isOpen:
          given.filter(({ entry_id, status }) => entry_id === entry.id && status === 'approved')
            .length < entry.required_approvals,
      })),
  )
  const mine = rules.filter(({ isMine }) => isMine)
  const rule = mine.find(({ isOpen }) => isOpen) ?? mine[0]
  if (rule) return { entry_id: rule.id }
  if (rules.length > 0 || !mayDeployToEnvironment(protections, environment, caller))
    throw forbidden()
  return { entry_id: null }
}

export const deploymentApprovalEndpoints = [
  endpoint({
    route: 'POST /projects/:id/deployments/:deployment_id/approval',
    summary: 'Approve or reject a deployment that waits for approvals',
    tier: 'premium',
    allow: mayCreatePipelines,
    transaction: 'none',
    input: Type.Object({
      deployment_id: Type.Integer(),
      status: oneOf(['approved', 'rejected']),
      comment: optionalText,
    }),
    status: 201,
    answer: DeploymentApprovalJson,
    async run(context) {
      const { db, clock, subject: project, input, user, baseUrl } = context
      const { status, deployment_id } = input
      const comment = input.comment || null
      if ([...(comment ?? '')].length > limits.protected_environments.comment_characters) {
        const most = limits.protected_environments.comment_characters
        throw badRequest(`Comment is too long (maximum is ${most} characters)`)
      }
      const found = await findDeployment(db, { project_id: project.id, id: deployment_id })
      if (!found) throw recordNotFound()
      const job = found.job_id === null ? undefined : await findJob(db, found.job_id)
      if (!job) throw badRequest('This deployment is not waiting for approvals.')
      const created_at = timestamp(clock)
      await withLockedPipeline(context, job.pipeline_id, async (locked) => {
        const { tx } = locked
        const deployment = await findDeployment(tx, { project_id: project.id, id: found.id })
        if (deployment?.status !== 'blocked') {
          throw badRequest('This deployment is not waiting for approvals.')
        }
        const facts = { ...context, db: tx }
        const rule = await findRule(facts, deployment)
        if (deployment.user_id === user.id && status === 'approved') {
          throw badRequest('You cannot approve your own deployment.')
        }
        const approval = { deployment_id: deployment.id, user_id: user.id, status, comment }
        await upsertDeploymentApproval(tx, { ...approval, ...rule, created_at })
        const current = await findJob(tx, job.id)
        if (status === 'rejected' && current) {
          await finishJob(locked, current, {
            event: 'drop',
            failure_reason: 'deployment_rejected',
          })
        } else {
          const { environment, protections } = await protectionsOf(facts, deployment)
          const given = await listDeploymentApprovals(tx, deployment.id)
          if (countMissingDeploymentApprovals(protections, environment, given) === 0) {
            await updateDeployment(tx, deployment.id, { status: 'created', updated_at: created_at })
          }
        }
        await recordAuditEvent(facts, {
          action: status === 'approved' ? 'deployment_approved' : 'deployment_rejected',
          entity: { kind: 'project', id: project.id },
          target: { kind: 'deployment', id: deployment.id, name: String(deployment.iid) },
        })
      })
      const author = (await findUsersByIds(db, [user.id])).get(user.id)
      if (!author) throw forbidden()
      return { user: presentBasicUser(author, baseUrl), status, created_at, comment }
    },
  }),
]
