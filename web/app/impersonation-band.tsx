// The band above every page while an administrator impersonates a user, with the button that ends it.
import { stopImpersonating } from '../api/impersonation.ts'
import { user } from '../api/session.ts'
import { impersonation as words } from '../text/admin-places.ts'
import { Button } from '../ui/button/button.tsx'
import { navigate } from '../ui/navigation.ts'

export function ImpersonationBand() {
  const signedIn = user.value
  if (!signedIn?.impersonator) return null
  const stop = async () => {
    const { username } = signedIn
    await stopImpersonating()
    navigate(`/admin/users/${username}`)
  }
  return (
    <section class="frame-impersonation row" aria-label={words.label}>
      <span>{words.actingAs(signedIn.name, signedIn.username)}</span>
      <Button onClick={() => void stop()}>{words.stop}</Button>
    </section>
  )
}
