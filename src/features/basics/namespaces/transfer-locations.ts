// The groups to which a project or group may be transferred, by the rules of the transfer itself.
import { Type } from 'typebox'
import type { Context } from '../../../http/endpoint.ts'
import { Page, type PageInput } from '../../../http/pagination.ts'
import { optionalText, pageInput } from '../../../http/schema.ts'
import { presentGroupSummary } from '../../../subjects/group-summary.ts'
import { listTransferLocations, type TransferLocationQuery } from './transfer-location.store.ts'

export const transferLocationsInput = Type.Object({ ...pageInput, search: optionalText })

/** Returns a page of the groups that qualify, by name; all of them for an administrator. */
export async function answerTransferLocations(
  context: Context<unknown, PageInput & { search?: string }>,
  question: TransferLocationQuery,
) {
  const { db, actor, input, baseUrl, range } = context
  const { rows, total } = await listTransferLocations(
    db,
    actor,
    { ...question, search: input.search },
    range,
  )
  const items = rows.map((row) => presentGroupSummary(row, baseUrl))
  return new Page({ items, total })
}
