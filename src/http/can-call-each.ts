// Who may call an endpoint at all, for those that serve it and for those that tell beforehand.
import type { Actor } from '../access/actor.ts'
import { type Tier, tiers } from '../config.ts'
import type { Db } from '../db/db.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Endpoint, SubjectLoader } from './endpoint.ts'

/** Whether an instance of `tier` has a feature of the tier `lowest`; no tier has `undefined`. */
export function isTierSufficient(tier: Tier, lowest: Tier | undefined): boolean {
  return lowest !== undefined && tiers.indexOf(lowest) <= tiers.indexOf(tier)
}

/** Whether nobody may call it without credentials. */
export function requiresSignIn({ signIn, method }: Endpoint): boolean {
  return signIn === 'always' || (signIn === 'for-writes' && method !== 'GET')
}

/** Of endpoints without one. */
export const emptySubject = { subject: undefined, level: 0 }

type Caller = { db: Db; actor: Actor; tier: Tier; parameters: Readonly<Record<string, string>> }

/**
 * Whether the caller may call each of the endpoints, by the rules they are served by; what a token covers is
 * not asked, nor what a request holds. Endpoints of one subject load it once.
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

/** Some loaders refuse by themselves who may do nothing with what they find. */
const refusals: readonly unknown[] = [401, 403, 404]

function refusedAsUndefined(error: unknown): undefined {
  if (error instanceof ApiError && refusals.includes(error.status)) return undefined
  throw error
}
