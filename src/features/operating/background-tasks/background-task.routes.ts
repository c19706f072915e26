import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { oneOf, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { laneNames, restartTask } from '../../../tasks/task.ts'
import {
  BackgroundTaskJson,
  deleteFailedTask,
  findBackgroundTask,
  listBackgroundTasks,
  presentBackgroundTask,
  taskStates,
} from './background-task.ts'

const endpoint = endpointFactory({ tag: 'Background tasks' })

export const backgroundTaskEndpoints = [
  endpoint({
    route: 'GET /admin/background_tasks',
    summary: 'List background tasks',
    allow: administrators,
    input: Type.Object({
      ...pageInput,
      state: Type.Optional(oneOf(taskStates)),
      lane: Type.Optional(oneOf(laneNames)),
    }),
    answer: Type.Array(BackgroundTaskJson),
    async run(context) {
      const { db, clock, input, range } = context
      const now = timestamp(clock)
      const { rows, total } = await listBackgroundTasks(db, { ...input, now }, range)
      const items = rows.map((task) => presentBackgroundTask(task, now))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'POST /admin/background_tasks/:id/retry',
    summary: 'Retry a failed or delayed background task',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    status: 201,
    answer: BackgroundTaskJson,
    async run({ db, clock, input: { id } }) {
      const isRestarted = await restartTask(db, clock, id)
      const task = await findBackgroundTask(db, id)
      if (!task) throw notFound('Background task')
      if (!isRestarted) throw conflict('The background task is running')
      return presentBackgroundTask(task, timestamp(clock))
    },
  }),

  endpoint({
    route: 'DELETE /admin/background_tasks/:id',
    summary: 'Delete a background task that failed',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    status: 204,
    async run({ db, input: { id } }) {
      if (!(await findBackgroundTask(db, id))) throw notFound('Background task')
      if (!(await deleteFailedTask(db, id))) throw conflict('The background task has not failed')
    },
  }),
]
