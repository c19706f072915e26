import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { referencesMove } from '../../repository/pushes/push.ts'
import { artifactTasks, unlockGoneRefs } from './artifact.tasks.ts'

export const artifactFamily: Family = {
  tasks: artifactTasks,
  effects: [whenever(referencesMove, unlockGoneRefs)],
}
