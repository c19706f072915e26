// An administrator who uses the pages as somebody else.
import { call } from './call.ts'
import { setSignedIn } from './session.ts'

/** Signs this browser in as the user. Throws `Refusal`. */
export async function impersonate(id: number): Promise<void> {
  setSignedIn(await call('POST /users/:id/impersonation', { id }))
}

/** Goes on as the administrator. Throws `Refusal`. */
export async function stopImpersonating(): Promise<void> {
  setSignedIn(await call('DELETE /session/impersonation'))
}
