import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectCopied } from '../../projects/projects/create-project.ts'
import { finishProjectCopy } from './finish-copy.ts'
import { pushTasks } from './push-landed.ts'

export const pushFamily: Family = {
  tasks: pushTasks,
  effects: [whenever(projectCopied, finishProjectCopy)],
}
