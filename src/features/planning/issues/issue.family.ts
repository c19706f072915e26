import type { Family } from '../../family.ts'
import { issueEndpoints } from './issue.routes.ts'

export const issueFamily: Family = { endpoints: issueEndpoints }
