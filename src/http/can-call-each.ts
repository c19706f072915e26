// Which endpoints a caller may call, evaluated without calling them, for the abilities that pages need.
import type { Actor } from '../access/actor.ts'
import type { Tier } from '../config.ts'
import type { Db } from '../db/db.ts'
import { ApiError } from '../kernel/errors.ts'
import {
  type Endpoint,
  emptySubject,
  isTierSufficient,
  requiresSignIn,
  type SubjectLoader,
} from './endpoint.ts'

type Caller = { db: Db; actor: Actor; tier: Tier; parameters: Readonly<Record<string, string>> }

/**
 * Whether the caller may call each of the endpoints according to their access rules. Token scopes and request parameters are
 * not considered. Endpoints with the same subject load it once.
 */
export async function canCallEach(
  endpoints: readonly Endpoint[],
  { db, actor, tier, parameters }: Caller,
): Promise<boolean[]> {
  const loaded = new Map<SubjectLoader<unknown>, ReturnType<typeof load>>()
  const load = async (on: SubjectLoader<unknown>) =>
    on.load({ db, actor, parameters, method: 'GET' }).catch(refusedAsUndefined)
  return Promise.all(
    endpoints.map(async (endpoint) => {
      const { on } = endpoint
      if (!isTierSufficient(tier, endpoint.tier)) return false
      if (!actor.user && requiresSignIn(endpoint)) return false
      if (on && !loaded.has(on)) loaded.set(on, load(on))
      const facts = on ? await loaded.get(on) : emptySubject
      return facts !== undefined && endpoint.allow({ ...facts, actor })
    }),
  )
}

/** Refusals that some loaders throw themselves; they mean that the caller may not call the endpoint. */
const refusals: readonly unknown[] = [401, 403, 404]

function refusedAsUndefined(error: unknown): undefined {
  if (error instanceof ApiError && refusals.includes(error.status)) return undefined
  throw error
}
