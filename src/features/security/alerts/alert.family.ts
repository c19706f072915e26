import { deleteInTurns } from '../../../db/delete-in-turns.ts'
import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectEmptied } from '../../projects/projects/project.tasks.ts'
import { alertEndpoints } from './alert.routes.ts'
import { alertTasks } from './alert.tasks.ts'

export const alertFamily: Family = {
  endpoints: alertEndpoints,
  tasks: alertTasks,
  effects: [
    whenever(projectEmptied, ({ db, project_id }) =>
      deleteInTurns(db, { table: 'alerts', project_id }),
    ),
  ],
}
