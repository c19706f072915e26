import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { groupChangedEffect } from '../../groups/groups/group-changed.ts'
import { projectRemovedEffect } from '../../projects/projects/project.tasks.ts'
import { wikiEndpoints } from './wiki.routes.ts'
import { enqueueGroupWikiRemovals, enqueueProjectWikiRemoval, wikiTasks } from './wiki.tasks.ts'

export const wikiFamily: Family = {
  endpoints: wikiEndpoints,
  tasks: wikiTasks,
  effects: [
    onEffect(projectRemovedEffect, enqueueProjectWikiRemoval),
    onEffect(groupChangedEffect, enqueueGroupWikiRemovals),
  ],
}
