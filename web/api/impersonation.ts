// An administrator who uses the pages as somebody else.
import { clearCache } from './cache.ts'
import { type Answer, call } from './call.ts'
import { setSignedIn } from './session.ts'

/** Signs this browser in as the user. Throws `Refusal`. */
export async function impersonate(id: number): Promise<void> {
  take(await call('POST /users/:id/impersonation', { id }))
}

/** Goes on as the administrator. Throws `Refusal`. */
export async function stopImpersonating(): Promise<void> {
  take(await call('DELETE /session/impersonation'))
}

function take(signedIn: Answer<'DELETE /session/impersonation'>): void {
  clearCache()
  setSignedIn(signedIn)
}
