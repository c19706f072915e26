import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectBegun } from '../../projects/projects/project-begun.ts'
import { commitEndpoints } from './commit.routes.ts'
import { commitCommentEndpoints } from './commit-comment.routes.ts'
import { commitReadEndpoints } from './commit-read.routes.ts'
import { commitReadme } from './commit-readme.ts'
import { pickCommitEndpoints } from './pick-commit.routes.ts'

export const commitFamily: Family = {
  endpoints: [
    ...commitReadEndpoints,
    ...commitEndpoints,
    ...pickCommitEndpoints,
    ...commitCommentEndpoints,
  ],
  effects: [whenever(projectBegun, commitReadme)],
}
