// Who is signed in, in this browser.
import { signal } from '@preact/signals'
import { clearCache } from './cache.ts'
import { type Answer, bindSession, call } from './call.ts'
import { Refusal } from './refusal.ts'

export type SignedIn = Answer<'GET /session'>

/** Null for visitors; undefined until it is known. */
export const user = signal<SignedIn | null | undefined>(undefined)
/** Set while people are asked to sign in over the page they are on; answers whether they did. */
export const signInPrompt = signal<{ answer: (isDone: boolean) => void } | undefined>(undefined)

bindSession({ renew, signIn: askToSignIn })

/** Looks who is signed in. The readable cookie says whether it is worth asking (docs/api/conventions.md). */
export async function findSession(): Promise<void> {
  if (!hasSession()) {
    user.value = null
    return
  }
  try {
    setSignedIn(await call('GET /session'))
  } catch (error) {
    if (!(error instanceof Refusal) || error.isOffline) throw error
    user.value = null
  }
}

export const hasSession = () => /(?:^|; )bloomery_signed_in=1/.test(document.cookie)

/** Throws `Refusal`; one of status 401 with `error: otp_required` wants a code as well. */
export async function signIn(given: {
  login: string
  password: string
  otp?: string
}): Promise<void> {
  setSignedIn(await call('POST /session', given))
}

/** The name under which this browser keeps something for the account that is signed in, apart from those of others. */
export const accountStorageKey = (kind: string, ...rest: readonly (string | number)[]): string =>
  [kind, user.value?.id ?? 0, ...rest].join(':')

export async function signOut(): Promise<void> {
  await call('DELETE /session')
  bindSession({ csrf: '', account: undefined })
  clearCache()
  user.value = null
}

/**
 * Remembers who is signed in from now on, and the token that writes need. What was read for somebody else is forgotten: by this
 * page, or because somebody has signed in on another one.
 */
export function setSignedIn(signedIn: SignedIn): void {
  const before = user.value
  if (before !== undefined && before?.id !== signedIn.id) clearCache()
  bindSession({ csrf: signedIn.csrf_token, account: signedIn.id })
  user.value = signedIn
}

/** Looks who is signed in now, with which token. Returns false where nobody is any more. */
async function renew(): Promise<boolean> {
  if (!hasSession()) return false
  try {
    const signedIn = await call('GET /session')
    // Pages are drawn anew for whoever is signed in: not where nothing has changed.
    if (signedIn.csrf_token !== user.value?.csrf_token) setSignedIn(signedIn)
    return true
  } catch (error) {
    return error instanceof Refusal && error.status !== 401
  }
}

/** Whether the server no longer knows who is signed in on this page. */
async function hasEnded(): Promise<boolean> {
  if (!user.value) return false
  try {
    await call('GET /session')
    return false
  } catch (error) {
    return error instanceof Refusal && error.status === 401
  }
}

/** Where somebody's session has ended, asks them to sign in again; answers whether they did. */
export async function askSignInIfEnded(): Promise<boolean> {
  return (await hasEnded()) && (await askToSignIn())
}

let asking: Promise<boolean> | undefined

/** Opens the sign-in over the page, once for all who wait; visitors are not asked. */
function askToSignIn(): Promise<boolean> {
  if (!user.value) return Promise.resolve(false)
  asking ??= new Promise<boolean>((answer) => {
    signInPrompt.value = { answer }
  }).finally(() => {
    signInPrompt.value = undefined
    asking = undefined
  })
  return asking
}

/** Whether who is signed in runs this instance. */
export function isAdministrator(): boolean {
  const signedIn = user.value
  return Boolean(signedIn && 'is_admin' in signedIn && signedIn.is_admin)
}

/** Whether the instance has what the paid tiers have, as the view of an administrator tells (docs/api/users.md, "Records"). */
export function hasPaidTier(): boolean {
  return Boolean(user.value && 'plan' in user.value)
}

/** Whether the instance is of the highest tier. */
export function hasTopTier(): boolean {
  return user.value?.tier === 'ultimate'
}
