import type { Db } from '../../../db/db.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { deleteIssuable, updateIssuableCount } from './issuable.store.ts'

/** Deletes an issue or merge request with everything that belongs to it. Its number is not used again. */
export async function removeIssuableRow(tx: Db, issuable: Issuable): Promise<void> {
  await updateIssuableCount(tx, issuable, -1)
  await deleteIssuable(tx, issuable.id)
  const { id, kind, project_id, confidential } = issuable
  await publishChange(
    tx,
    `${kind}:${id}`,
    confidential ? `confidential_issues:${project_id}` : `project_${kind}s:${project_id}`,
  )
}
