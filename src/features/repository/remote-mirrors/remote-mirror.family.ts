import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { pushLanded } from '../pushes/push-landed.ts'
import { remoteMirrorEndpoints } from './remote-mirror.routes.ts'
import { enqueueMirrorUpdates, updateMirror } from './remote-mirror.tasks.ts'

export const remoteMirrorFamily: Family = {
  endpoints: remoteMirrorEndpoints,
  tasks: [updateMirror],
  effects: [whenever(pushLanded, enqueueMirrorUpdates)],
}
