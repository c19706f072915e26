import type { Family } from '../../family.ts'
import { mergeRequestListEndpoints } from './merge-request-list.routes.ts'
import { otherListEndpoints } from './other-lists.routes.ts'
import { relatedMergeRequestEndpoints } from './related-requests.routes.ts'

export const mergeRequestListFamily: Family = {
  endpoints: [...mergeRequestListEndpoints, ...relatedMergeRequestEndpoints, ...otherListEndpoints],
}
