// What the server refused, where the thing would stand: its sentence, the request's id, and a way on.
import { useEffect, useState } from 'preact/hooks'
import type { Refusal } from '../../api/refusal.ts'
import { ui } from '../../text/ui.ts'
import { Button } from '../button/button.tsx'
import { describeRefusal, isInPageLanguage, toPageLanguage } from './in-page-language.ts'
import './refusal.css'

export function RefusalNote({ refusal, onAgain }: { refusal: Refusal; onAgain?: () => void }) {
  const said = useInPageLanguage(refusal)
  return said ? (
    <div class="refusal" role="alert">
      <p class="refusal-sentence">{describeRefusal(said)}</p>
      {said.requestId && said.status >= 500 ? (
        <p class="muted">
          {ui.requestId} <code>{said.requestId}</code>
        </p>
      ) : null}
      {onAgain ? <Button onClick={onAgain}>{ui.tryAgain}</Button> : null}
    </div>
  ) : null
}

/** Undefined until the words of the page's language are there. */
function useInPageLanguage(refusal: Refusal): Refusal | undefined {
  const [translated, setTranslated] = useState<Refusal>()
  const isReady = isInPageLanguage(refusal)
  useEffect(() => {
    if (!isReady) void toPageLanguage(refusal).then(setTranslated)
  }, [refusal])
  return isReady ? refusal : translated
}
