// Who a task acts for, long after they asked: what they may is asked anew.
import type { Actor } from '../../../access/actor.ts'
import type { Facts } from '../../../access/rule.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { findVisibleProject, type Project } from '../../../subjects/project.ts'
import { actorUserOf, findUser, standingProblem } from '../../../subjects/user.ts'
import { recheckCallerAccess } from '../../repository/pushes/recheck-access.ts'

/** The user as the one who calls; undefined for one who is gone or may not sign in. */
export async function findActingUser(
  { db, clock }: { db: Db; clock: Clock },
  user_id: number | null | undefined,
): Promise<Actor | undefined> {
  const user = user_id == null ? undefined : await findUser(db, user_id)
  if (!user || standingProblem(user, timestamp(clock))) return undefined
  return { user: actorUserOf(user), token: undefined }
}

/** Whether a task acts for the caller: they came by nothing. */
function isActing({ token, session, key, password }: Actor): boolean {
  return !token && !session && !key && !password
}

/** Reloads the caller's level on the project. Throws the refusal a new request would get. */
export async function recheckAccess(
  uses: { db: Db; clock: Clock; config: Config; actor: Actor },
  project: Pick<Project, 'id'>,
): Promise<Facts<Project>> {
  if (!isActing(uses.actor)) return recheckCallerAccess(uses, project)
  const actor = await findActingUser(uses, uses.actor.user?.id)
  if (!actor) throw forbidden()
  const found = await findVisibleProject(uses.db, actor, { id: project.id })
  if (!found) throw notFound('Project')
  return { subject: found.project, level: found.level, actor }
}
