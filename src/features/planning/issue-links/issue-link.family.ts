import type { Family } from '../../family.ts'
import { issueLinkEndpoints } from './issue-link.routes.ts'

export const issueLinkFamily: Family = { endpoints: issueLinkEndpoints }
