import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectCopied } from '../../projects/projects/create-project.ts'
import { settleCopy } from './settle-copy.ts'

export const pushFamily: Family = {
  effects: [whenever(projectCopied, settleCopy)],
}
