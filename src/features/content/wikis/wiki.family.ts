import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { groupChanged } from '../../groups/groups/group-changed.ts'
import { projectRemoved } from '../../projects/projects/project.tasks.ts'
import { wikiEndpoints } from './wiki.routes.ts'
import { removeGroupWikis, removeProjectWiki, wikiTasks } from './wiki.tasks.ts'

export const wikiFamily: Family = {
  endpoints: wikiEndpoints,
  tasks: wikiTasks,
  effects: [whenever(projectRemoved, removeProjectWiki), whenever(groupChanged, removeGroupWikis)],
}
