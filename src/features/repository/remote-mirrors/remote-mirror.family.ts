import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { pushLandedEffect } from '../pushes/push-landed.ts'
import { remoteMirrorEndpoints } from './remote-mirror.routes.ts'
import { enqueueMirrorUpdatesAfterPush, updateMirrorTask } from './remote-mirror.tasks.ts'

export const remoteMirrorFamily: Family = {
  endpoints: remoteMirrorEndpoints,
  tasks: [updateMirrorTask],
  effects: [onEffect(pushLandedEffect, enqueueMirrorUpdatesAfterPush)],
}
