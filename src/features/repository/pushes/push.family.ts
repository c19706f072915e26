import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectCopied } from '../../projects/projects/create-project.ts'
import { pushTasks } from './push-landed.ts'
import { settleCopy } from './settle-copy.ts'

export const pushFamily: Family = {
  tasks: pushTasks,
  effects: [whenever(projectCopied, settleCopy)],
}
