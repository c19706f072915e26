import { deleteProjectRowsInBatches } from '../../../db/delete-in-batches.ts'
import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { projectEmptiedEffect } from '../../projects/projects/project.tasks.ts'
import { alertEndpoints } from './alert.routes.ts'
import { alertTasks } from './alert.tasks.ts'

export const alertFamily: Family = {
  endpoints: alertEndpoints,
  tasks: alertTasks,
  effects: [
    onEffect(projectEmptiedEffect, ({ db, project_id }) =>
      deleteProjectRowsInBatches(db, { table: 'alerts', project_id }),
    ),
  ],
}
