// What the server refused, where the thing would stand: its sentence, the request's id, and a way on.
import type { Refusal } from '../../api/refusal.ts'
import { user } from '../../api/session.ts'
import { ui } from '../../text/ui.ts'
import { Button } from '../button/button.tsx'
import './refusal.css'

function sentenceOf(refusal: Refusal): string {
  if (refusal.isOffline) return ui.offline
  if (refusal.isOfOtherAccount) return ui.otherAccount(user.value?.name ?? '')
  return refusal.sentence || ui.unexpectedStatus(refusal.status)
}

export function RefusalNote({ refusal, onAgain }: { refusal: Refusal; onAgain?: () => void }) {
  const sentence = sentenceOf(refusal)
  return (
    <div class="refusal" role="alert">
      <p class="refusal-sentence">{sentence}</p>
      {refusal.requestId && refusal.status >= 500 ? (
        <p class="muted">
          {ui.requestId} <code>{refusal.requestId}</code>
        </p>
      ) : null}
      {onAgain ? <Button onClick={onAgain}>{ui.tryAgain}</Button> : null}
    </div>
  )
}
