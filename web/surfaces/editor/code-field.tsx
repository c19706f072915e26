// A text one edits: a plain field at once, the editor in its place as soon as it is there.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CodeEditor } from './code-mirror.ts'
import './code-field.css'

/** `text` is what it begins with; give another `key` to begin anew. */
export function CodeField({
  label,
  text,
  path,
  onText,
}: {
  label: string
  text: string
  path: string
  onText: (text: string) => void
}) {
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const now = useRef(text)
  const told = useRef(onText)
  told.current = onText
  const [editor, setEditor] = useState<CodeEditor>()
  const take = (next: string) => {
    now.current = next
    told.current(next)
  }
  useEffect(() => {
    let made: CodeEditor | undefined
    let isGone = false
    // Without the chunk the plain field stays: it does all but colours.
    void import('./code-mirror.ts').then(
      ({ openCodeEditor }) => {
        if (isGone || !host.current) return
        const hasFocus = document.activeElement === plain.current
        made = openCodeEditor(host.current, { text: now.current, onText: take })
        if (hasFocus) made.focus()
        setEditor(made)
      },
      () => {},
    )
    return () => {
      isGone = true
      made?.end()
    }
  }, [])
  useEffect(() => editor?.setFile(path, label), [editor, path, label])
  return (
    <div class="code-field">
      <div ref={host} class="code-field-host" />
      {editor ? null : (
        <textarea
          ref={plain}
          class="code-field-plain"
          aria-label={label}
          spellcheck={false}
          defaultValue={text}
          onInput={(event) => take(event.currentTarget.value)}
        />
      )}
    </div>
  )
}
