// The message at the bottom when the server cannot be reached, or serves a newer build than this page.
import { isUnreachable, newServedBuild } from '../api/connection.ts'
import { app } from '../text/app.ts'
import { Button } from '../ui/button/button.tsx'

export function ConnectionNote() {
  return (
    <div class="frame-connection" role="status">
      {isUnreachable.value ? (
        <p class="frame-connection-note">{app.unreachable}</p>
      ) : newServedBuild.value ? (
        <div class="frame-connection-note row">
          <span>{app.newVersion}</span>
          <Button onClick={() => location.reload()}>{app.reload}</Button>
        </div>
      ) : null}
    </div>
  )
}
