import { commentBox as words } from '../../text/comment-box.ts'
import { Button } from '../../ui/button/button.tsx'
import type { TextDraft } from './drafts.ts'

/** Shows that texts come from an unsent draft, with a button that discards it. Shows nothing if there is no draft. */
export function RestoredDraft({ drafts }: { drafts: readonly TextDraft[] }) {
  if (!drafts.some(({ isRestored }) => isRestored)) return null
  return (
    <p class="row muted">
      {words.draftRestored}
      <Button
        look="quiet"
        onClick={() => {
          for (const draft of drafts) draft.discard()
        }}
      >
        {words.discardDraft}
      </Button>
    </p>
  )
}
