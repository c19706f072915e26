import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectRemovedEffect } from '../../projects/projects/project.tasks.ts'
import { uploadEndpoints } from './upload.routes.ts'
import { enqueueUploadBlobRemoval } from './upload.tasks.ts'

export const uploadFamily: Family = {
  endpoints: uploadEndpoints,
  effects: [onEffect(projectRemovedEffect, enqueueUploadBlobRemoval)],
}
