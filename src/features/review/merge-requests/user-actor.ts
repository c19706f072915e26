// Who a task acts for, long after they asked: what they may is asked anew.

import type { Actor } from '../../../access/actor.ts'
import type { Facts } from '../../../access/rule.ts'
import type { ConfirmRefUpdate, RefUpdate } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type ApiError, forbidden, notFound } from '../../../kernel/errors.ts'
import { findVisibleProject, type Project } from '../../../subjects/project.ts'
import { actorUserFromUser, findAccountProblem, findUser } from '../../../subjects/user.ts'
import { listBranchProtectionRules } from '../../repository/protected-branches/protected-branch.ts'
import { recheckCallerAccess, refuseOwnedChanges } from '../../repository/pushes/recheck-access.ts'

/** The user as the one who calls; undefined for one who is gone or may not sign in. */
export async function findUserActor(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  user_id: number | null | undefined,
): Promise<Actor | undefined> {
  const user = user_id == null ? undefined : await findUser(db, user_id)
  if (!user || findAccountProblem(user, timestamp(clock))) return undefined
  return { user: actorUserFromUser(user), token: undefined }
}

/** As `findUserActor`; throws 403 instead. */
export async function getUserActor(...asked: Parameters<typeof findUserActor>): Promise<Actor> {
  const actor = await findUserActor(...asked)
  if (!actor) throw forbidden()
  return actor
}

/** Whether a task acts for the caller: they came by nothing. */
function isActing({ token, session, key, password }: Actor): boolean {
  return !token && !session && !key && !password
}

/** Reloads the caller's level on the project. Throws the refusal a new request would get. */
export async function recheckProjectAccess(
  uses: Pick<Instance, 'db' | 'clock' | 'config'> & { actor: Actor },
  project: Pick<Project, 'id'>,
): Promise<Facts<Project>> {
  if (!isActing(uses.actor)) return recheckCallerAccess(uses, project)
  const actor = await getUserActor(uses, uses.actor.user?.id)
  const found = await findVisibleProject(uses.db, actor, { id: project.id })
  if (!found) throw notFound('Project')
  return { subject: found.project, level: found.level, actor }
}

/**
 * Lets references move if the caller may still do so at that moment; `refusal` is for one who may not. `pushed` is a move that
 * no merge request is about: code owners of the branch may refuse it.
 */
export function createRefUpdateRecheck(
  uses: Parameters<typeof recheckProjectAccess>[0] & Pick<Instance, 'git'>,
  project: Pick<Project, 'id'>,
  {
    may,
    refusal = forbidden,
    pushed,
  }: {
    may: (facts: Facts<Project>) => Promise<boolean>
    refusal?: () => ApiError
    pushed?: RefUpdate
  },
): ConfirmRefUpdate {
  return async () => {
    const facts = await recheckProjectAccess(uses, project)
    if (!(await may(facts))) throw refusal()
    if (!pushed) return
    const rules = await listBranchProtectionRules(uses.db, project.id, facts.actor)
    await refuseOwnedChanges(uses, facts, { update: pushed, rules })
  }
}
