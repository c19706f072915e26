import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectRemovedEffect } from '../../projects/projects/project.tasks.ts'
import { lfsTasks } from './lfs.tasks.ts'
import { markLfsObjectsUnlinked } from './lfs-object.store.ts'

export const lfsFamily: Family = {
  tasks: lfsTasks,
  effects: [onEffect(projectRemovedEffect, markLfsObjectsUnlinked)],
}
