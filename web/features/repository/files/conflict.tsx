// Both versions of a file that somebody else changed while one wrote.
import { LazyLineDiff } from '../../../surfaces/line-diff/lazy-line-diff.ts'
import { fileEditingText } from '../../../text/editing.ts'
import { Button } from '../../../ui/button/button.tsx'
import type { FileDraft, OriginalFile } from './drafts.ts'

/** `theirs` is the file as it is now, null where it is gone. */
export type FileConflictState = { id: number; path: string; theirs: OriginalFile | null }

export function FileConflict({
  stale: { path, theirs },
  mine,
  onSettle,
}: {
  stale: FileConflictState
  mine: string
  onSettle: (draft: Partial<FileDraft>) => void
}) {
  const { conflict } = fileEditingText
  return (
    <section class="stack edit-conflict" role="alert">
      <h2>{conflict.title}</h2>
      <p>{theirs ? conflict.text(path) : conflict.deletedText(path)}</p>
      {theirs ? (
        <LazyLineDiff label={conflict.differences} before={theirs.text ?? ''} after={mine} />
      ) : null}
      {theirs?.text ? (
        <details>
          <summary>{conflict.theirs}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys. */}
          <pre class="edit-theirs" tabIndex={0}>
            {theirs.text}
          </pre>
        </details>
      ) : null}
      <div class="row">
        <Button look="primary" onClick={() => onSettle({ original: theirs })}>
          {conflict.useMine}
        </Button>
        {theirs ? (
          <Button
            onClick={() => onSettle({ original: theirs, path: theirs.path, text: theirs.text })}
          >
            {conflict.useTheirs}
          </Button>
        ) : null}
      </div>
    </section>
  )
}
