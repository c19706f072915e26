// Notifies the participants of an issue the day before it is due.
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { addDays, today } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask, enqueue, enqueueAll } from '../../../tasks/task.ts'
import { listIssuesDueOn, listProjectIdsAfter } from './notification.store.ts'
import { type NotifyPayload, notifyTaskName } from './watch-changes.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>
type Payload = { day: string; after?: number }

const name = { name: 'notify-of-due-issues', lane: 'notifications' } as const

/** The time of day in UTC, as in the real product. */
const minutes_after_midnight = 50

async function enqueueDay({ db, clock }: Uses, day: string): Promise<void> {
  const due_ms = Date.parse(`${day}T00:00:00Z`) + minutes_after_midnight * 60_000
  const delay_ms = Math.max(0, due_ms - clock().getTime())
  await enqueue(db, clock, { task: name, key: day, payload: { day }, delay_ms })
}

/**
 * Enqueues the run of the next day. The key makes repeated calls enqueue it only once; today's run was
 * enqueued yesterday.
 */
const prepareDueIssues = defineTask({
  name: 'prepare-due-issues',
  lane: 'notifications',
  every_ms: 60 * 60_000,
  async run(uses: Uses & { sendEmail: unknown }) {
    if (uses.sendEmail) await enqueueDay(uses, addDays(today(uses.clock), 1))
  },
})

/**
 * Notifies of each open issue that is due on the day after `day`. Each run handles a limited number of
 * projects.
 */
const notifyOfDueIssues = defineTask({
  ...name,
  async run(uses: Uses, { day, after = 0 }: Payload) {
    const { db, clock } = uses
    const now = today(clock)
    // A restart of the server makes waiting tasks due early, so the task is enqueued again.
    if (now < day) return enqueueDay(uses, day)
    if (now > day) return
    const limit = limits.mail.projects_at_once
    const ids = await listProjectIdsAfter(db, { after, limit })
    const issues = await listIssuesDueOn(db, ids, addDays(day, 1))
    await runTransaction(db, async (tx) => {
      await enqueueAll(tx, clock, { task: notifyTaskName, requests: issues.map(requestOf) })
      const last = ids.at(-1)
      if (ids.length === limit && last !== undefined) await enqueueNext(tx, last)
    })

    function requestOf({ id: issuable_id, project_id }: { id: number; project_id: number }) {
      const id = `due:${issuable_id}:${day}`
      const happenings = ['due'] as const
      const news = { kind: 'issuable', project_id, issuable_id, user_id: null, happenings } as const
      return { key: `${id}:0`, payload: { id, news } satisfies NotifyPayload }
    }

    async function enqueueNext(tx: Db, last: number): Promise<void> {
      await enqueue(tx, clock, { task: name, key: `${day}:${last}`, payload: { day, after: last } })
    }
  },
})

export const dueIssueTasks = [prepareDueIssues, notifyOfDueIssues]
