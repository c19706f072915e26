// The caller of a task, long after they requested it: their access is checked again.

import type { Actor } from '../../../access/actor.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { actorUserFromUser, findAccountProblem, findUser } from '../../../subjects/user.ts'

/** Returns the user as the actor of a task; undefined for a deleted user and for one who may not sign in. */
export async function findUserActor(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  user_id: number | null | undefined,
): Promise<Actor | undefined> {
  const user = user_id == null ? undefined : await findUser(db, user_id)
  if (!user || findAccountProblem(user, timestamp(clock))) return undefined
  return { user: actorUserFromUser(user), token: undefined, isTask: true }
}

/** As `findUserActor`, but throws 403. */
export async function getUserActor(...asked: Parameters<typeof findUserActor>): Promise<Actor> {
  const actor = await findUserActor(...asked)
  if (!actor) throw forbidden()
  return actor
}
