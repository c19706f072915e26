import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectRemovedEffect } from '../../projects/projects/project.tasks.ts'
import { pushLandedEffect } from '../../repository/pushes/push-landed.ts'
import { enqueueJobBlobRemoval } from '../pipelines/enqueue-job-blob-removal.ts'
import { artifactEndpoints } from './artifact.routes.ts'
import { artifactTasks, unlockArtifactsOfDeletedRefs } from './artifact.tasks.ts'

export const artifactFamily: Family = {
  endpoints: artifactEndpoints,
  tasks: artifactTasks,
  effects: [
    onEffect(pushLandedEffect, unlockArtifactsOfDeletedRefs),
    onEffect(projectRemovedEffect, ({ tx, project_id, now }) =>
      enqueueJobBlobRemoval(tx, () => new Date(now), { project_id }),
    ),
  ],
}
