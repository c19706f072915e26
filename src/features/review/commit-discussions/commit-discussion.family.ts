import type { Family } from '../../family.ts'
import { commitDiscussionEndpoints } from './commit-discussion.routes.ts'

export const commitDiscussionFamily: Family = { endpoints: commitDiscussionEndpoints }
