import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { pushLandedEffect } from '../../repository/pushes/push-landed.ts'
import { pipelineCreationEndpoints } from './pipeline-creation.routes.ts'
import { createPipelinesAfterPush } from './push-pipelines.ts'

export const pipelineCreationFamily: Family = {
  endpoints: pipelineCreationEndpoints,
  effects: [onEffect(pushLandedEffect, createPipelinesAfterPush)],
}
