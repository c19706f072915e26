import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectCopiedEffect } from '../../projects/projects/create-project.ts'
import { finishProjectCopy } from './finish-copy.ts'
import { pushTasks } from './push-landed.ts'

export const pushFamily: Family = {
  tasks: pushTasks,
  effects: [onEffect(projectCopiedEffect, finishProjectCopy)],
}
