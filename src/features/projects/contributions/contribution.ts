// Public functions of contributions: when a user last contributed to a project. One row for each user and project,
// written once a day.
import type { Db } from '../../../db/db.ts'
import { utcDayOf } from '../../../kernel/clock.ts'

/** Records that a user pushed, committed through the API or commented on a commit at the time `now`. */
export async function recordContribution(
  db: Db,
  { user_id, project_id, now }: { user_id: number; project_id: number; now: string },
): Promise<void> {
  await db
    .insertInto('contributions')
    .values({ user_id, project_id, contributed_on: utcDayOf(now) })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'project_id'])
        .doUpdateSet((eb) => ({ contributed_on: eb.ref('excluded.contributed_on') }))
        .whereRef('contributions.contributed_on', '<', 'excluded.contributed_on'),
    )
    .execute()
}
