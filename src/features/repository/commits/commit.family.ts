import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectCreatedWithReadmeEffect } from '../../projects/projects/project-created-with-readme.ts'
import { commitEndpoints } from './commit.routes.ts'
import { commitCommentEndpoints } from './commit-comment.routes.ts'
import { commitReadEndpoints } from './commit-read.routes.ts'
import { createReadmeCommit } from './create-readme-commit.ts'
import { commitsRequest } from './load-commits.ts'
import { pickCommitEndpoints } from './pick-commit.routes.ts'

export const commitFamily: Family = {
  endpoints: [
    ...commitReadEndpoints,
    ...commitEndpoints,
    ...pickCommitEndpoints,
    ...commitCommentEndpoints,
  ],
  storageOwnerRequests: [commitsRequest],
  effects: [onEffect(projectCreatedWithReadmeEffect, createReadmeCommit)],
}
