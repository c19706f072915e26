import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectRemoved } from '../../projects/projects/project.tasks.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { releaseBlobsOf } from '../pipelines/release-blobs.ts'
import { artifactEndpoints } from './artifact.routes.ts'
import { artifactTasks, unlockArtifactsOfDeletedRefs } from './artifact.tasks.ts'

export const artifactFamily: Family = {
  endpoints: artifactEndpoints,
  tasks: artifactTasks,
  effects: [
    whenever(pushLanded, unlockArtifactsOfDeletedRefs),
    whenever(projectRemoved, ({ tx, project_id, now }) =>
      releaseBlobsOf(tx, () => new Date(now), { project_id }),
    ),
  ],
}
