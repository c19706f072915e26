// One file of the commit: its name, its text, how it will look and what changes in it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import { Refusal } from '../../../api/refusal.ts'
import { CodeField } from '../../../surfaces/editor/code-field.tsx'
import { setHtml } from '../../../surfaces/html.ts'
import { LazyLineDiff } from '../../../surfaces/line-diff/lazy-line-diff.ts'
import { fileEditingText } from '../../../text/editing.ts'
import { formatBytes } from '../../../text/numbers.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import type { FileDraft } from './drafts.ts'

type View = 'write' | 'preview' | 'changes'

export function DraftView({
  draft,
  project,
  onChange,
  onLeaveOut,
}: {
  draft: FileDraft
  project: string
  onChange: (next: Partial<FileDraft>) => void
  onLeaveOut: (() => void) | undefined
}) {
  const [view, setView] = useState<View>('write')
  const { original, path, text, isRemoved } = draft
  const views: View[] = /\.(?:md|markdown)$/i.test(path)
    ? ['write', 'preview', 'changes']
    : ['write', 'changes']
  return (
    <div class="stack">
      <TextField
        label={fileEditingText.path}
        hint={original ? fileEditingText.pathHint : undefined}
        value={path}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onChange({ path: event.currentTarget.value })}
      />
      <div class="row row-apart">
        {text === null ? (
          <span />
        ) : (
          <fieldset class="row edit-views" aria-label={fileEditingText.views}>
            {views.map((one) => (
              <Button
                key={one}
                look="quiet"
                aria-pressed={one === view}
                onClick={() => setView(one)}
              >
                {fileEditingText[one]}
              </Button>
            ))}
          </fieldset>
        )}
        <div class="row">
          {original ? (
            <Button look="quiet" onClick={() => onChange({ isRemoved: !isRemoved })}>
              {isRemoved ? fileEditingText.restore : fileEditingText.remove}
            </Button>
          ) : null}
          {onLeaveOut ? (
            <Button look="quiet" onClick={onLeaveOut}>
              {fileEditingText.removeFromCommit}
            </Button>
          ) : null}
        </div>
      </div>
      {isRemoved ? (
        <p class="edit-note">{fileEditingText.removed}</p>
      ) : (
        <Contents {...{ draft, project, view, onChange }} />
      )}
    </div>
  )
}

function Contents({
  draft,
  project,
  view,
  onChange,
}: {
  draft: FileDraft
  project: string
  view: View
  onChange: (next: Partial<FileDraft>) => void
}) {
  const { original, path, text, base64, size = 0 } = draft
  if (text === null)
    return (
      <p class="edit-note">
        {base64 === undefined
          ? fileEditingText.binary
          : fileEditingText.uploaded(formatBytes(size))}
      </p>
    )
  if (view === 'changes')
    return (
      <LazyLineDiff
        label={fileEditingText.diffOf(path)}
        before={original?.text ?? ''}
        after={text}
      />
    )
  if (view === 'preview') return <Preview text={text} project={project} />
  return (
    <>
      <CodeField
        label={fileEditingText.contentsOf(path)}
        text={text}
        path={path}
        onText={(next) => onChange({ text: next })}
      />
      <p class="field-hint">{fileEditingText.keysHint}</p>
    </>
  )
}

function Preview({ text, project }: { text: string; project: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [refusal, setRefusal] = useState<Refusal>()
  useEffect(() => {
    call('POST /markdown', { text, gfm: true, project }).then(
      ({ html }) => place.current && setHtml(place.current, html),
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        setRefusal(error)
      },
    )
  }, [])
  if (refusal) return <RefusalNote refusal={refusal} />
  return <div class="edit-preview prose" ref={place} />
}
