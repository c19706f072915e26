import type { Insertable, Selectable } from 'kysely'
import type { Db, DeploymentApprovalTable } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'

/** Returns the approvals and rejections of a deployment, oldest first. */
export function listDeploymentApprovals(
  db: Db,
  deployment_id: number,
): Promise<Selectable<DeploymentApprovalTable>[]> {
  return db
    .selectFrom('deployment_approvals')
    .selectAll()
    .where('deployment_id', '=', deployment_id)
    .orderBy('id')
    .limit(limits.protected_environments.approvals_max ** 2)
    .execute()
}

/** Stores the decision of a user about a deployment; a later one replaces it. */
export async function upsertDeploymentApproval(
  db: Db,
  approval: Insertable<DeploymentApprovalTable>,
): Promise<void> {
  const { status, comment, entry_id, created_at } = approval
  await db
    .insertInto('deployment_approvals')
    .values(approval)
    .onConflict((conflict) =>
      conflict
        .columns(['deployment_id', 'user_id'])
        .doUpdateSet({ status, comment, entry_id, created_at }),
    )
    .execute()
}
