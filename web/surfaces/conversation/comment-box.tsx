// The field that comments and descriptions are written in: Markdown with a preview, names that complete, files that are
// dropped or pasted, and a draft that survives a reload.

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { Refusal } from '../../api/refusal.ts'
import { commentBox as words } from '../../text/comment-box.ts'
import { Button } from '../../ui/button/button.tsx'
import { useFieldProblem } from '../../ui/form/form-refusal-context.ts'
import { describeInPageLanguage } from '../../ui/refusal/in-page-language.ts'
import { useUniqueId } from '../../ui/unique-id.ts'
import { Prose } from '../prose/prose.tsx'
import {
  type Completion,
  findCompletions,
  parseTypedTrigger,
  type TypedTrigger,
} from './completions.ts'
import { keepPositionInWindow } from './keep-place.ts'
import type { TextContext } from './text-context.ts'
import './comment-box.css'

type Props = {
  label: string
  within: TextContext
  value: string
  onChange: (text: string) => void
  /** Under which an unsent text is kept; none where undefined. */
  draftKey?: string
  name?: string
  rows?: number
  isLabelHidden?: boolean
  onSubmit?: () => void
  onCancel?: () => void
  autoFocus?: boolean
  /** Beside the hint below the field. */
  children?: ComponentChildren
}

const tools = [
  ['bold', 'B', '**', '**'],
  ['italic', 'I', '_', '_'],
  ['code', '<>', '`', '`'],
  ['link', '[ ]( )', '[', '](url)'],
  ['quote', '❝', '\n> ', ''],
  ['list', '•', '\n- ', ''],
  ['taskList', '☑', '\n- [ ] ', ''],
] as const

export function CommentBox(props: Props) {
  const { label, within, value, onChange, rows = 5, isLabelHidden = true, children } = props
  const id = useUniqueId()
  const [isPreview, setPreview] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const [trouble, setTrouble] = useState('')
  const problem = useFieldProblem(props.name)
  const [typed, setTyped] = useState<TypedTrigger>()
  const now = useRef(value)
  now.current = value
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (props.autoFocus) field.current?.focus()
    return box.current
      ? keepPositionInWindow(box.current, () => now.current.trim() !== '')
      : undefined
  }, [])

  /** Puts a text where the selection is, or where `from` says, and the caret behind it. */
  const insert = (text: string, { from, to }: { from: number; to: number }) => {
    const next = now.current.slice(0, from) + text + now.current.slice(to)
    now.current = next
    // At once: what is typed next comes behind it.
    if (field.current) {
      field.current.value = next
      field.current.focus()
      field.current.setSelectionRange(from + text.length, from + text.length)
    }
    onChange(next)
  }
  const selection = () => ({
    from: field.current?.selectionStart ?? now.current.length,
    to: field.current?.selectionEnd ?? now.current.length,
  })
  const wrap = (before: string, after: string) => {
    const { from, to } = selection()
    const start = from === 0 ? before.replace(/^\n/, '') : before
    insert(start + now.current.slice(from, to) + after, { from, to })
  }
  const upload = async (files: Iterable<File>) => {
    for (const one of files) {
      const waiting = `![${words.uploading(one.name)}]()`
      insert(waiting, selection())
      const replace = (text: string) => {
        const at = now.current.indexOf(waiting)
        if (at >= 0) insert(text, { from: at, to: at + waiting.length })
      }
      try {
        replace(`${await store(one, within)}\n`)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        replace('')
        setTrouble(words.uploadFailed(one.name, await describeInPageLanguage(error)))
      }
    }
  }
  const take = (transfer: DataTransfer | null, event: Event) => {
    if (!within.mayUpload || !transfer || transfer.files.length === 0) return
    event.preventDefault()
    setTrouble('')
    void upload([...transfer.files])
  }
  const lookAtCaret = () => {
    const { selectionStart: caret, selectionEnd: end } = field.current ?? {}
    setTyped(
      caret === undefined || caret !== end
        ? undefined
        : parseTypedTrigger(field.current?.value ?? '', caret),
    )
  }
  const completer = useCompletions(within.projectId, typed)
  const complete = (completion: Completion) => {
    if (!typed) return
    const to = typed.from + 1 + typed.search.length
    setTyped(undefined)
    insert(`${completion.insert} `, { from: typed.from, to })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      event.stopPropagation()
      props.onSubmit?.()
      return
    }
    if (completer.press(event, complete)) return
    if (event.key === 'Escape' && props.onCancel) {
      event.preventDefault()
      props.onCancel()
    }
    const shortcut = { b: 0, i: 1, k: 3 }[event.key.toLowerCase()]
    const tool = shortcut === undefined ? undefined : tools[shortcut]
    if (tool && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      event.preventDefault()
      event.stopPropagation()
      wrap(tool[2], tool[3])
    }
  }
  const { list, at } = completer
  return (
    <div ref={box} class={`comment-box field ${problem ? 'field-wrong' : ''}`}>
      <label class={isLabelHidden ? 'only-spoken' : 'field-label'} for={id}>
        {label}
      </label>
      <div class="comment-box-frame">
        <div class="comment-box-bar">
          <fieldset class="row" aria-label={words.views}>
            <Button look="quiet" aria-pressed={!isPreview} onClick={() => setPreview(false)}>
              {words.write}
            </Button>
            <Button look="quiet" aria-pressed={isPreview} onClick={() => setPreview(true)}>
              {words.preview}
            </Button>
          </fieldset>
          {isPreview ? null : (
            <fieldset class="row comment-box-tools" aria-label={words.tools}>
              {tools.map(([name, sign, before, after]) => (
                <button
                  key={name}
                  type="button"
                  class="comment-box-tool"
                  title={words[name]}
                  aria-label={words[name]}
                  onClick={() => wrap(before, after)}
                >
                  {sign}
                </button>
              ))}
              {within.mayUpload ? (
                <button
                  type="button"
                  class="comment-box-tool"
                  title={words.attach}
                  aria-label={words.attach}
                  onClick={() => file.current?.click()}
                >
                  {words.attachWord}
                </button>
              ) : null}
            </fieldset>
          )}
        </div>
        {isPreview ? (
          <Preview text={value} path={within.path} />
        ) : (
          <textarea
            ref={field}
            id={id}
            name={props.name}
            class="comment-box-field"
            rows={rows}
            value={value}
            aria-autocomplete="list"
            aria-controls={list.length > 0 ? `${id}-list` : undefined}
            aria-activedescendant={list[at] ? `${id}-${at}` : undefined}
            aria-describedby={`${id}-hint`}
            onInput={(event) => {
              onChange(event.currentTarget.value)
              lookAtCaret()
            }}
            onClick={lookAtCaret}
            onBlur={() => setTyped(undefined)}
            onKeyDown={press}
            onPaste={(event) => take(event.clipboardData, event)}
            onDrop={(event) => take(event.dataTransfer, event)}
          />
        )}
        {list.length > 0 ? (
          <div
            class="comment-box-list"
            id={`${id}-list`}
            role="listbox"
            aria-label={words.completionList}
          >
            {list.map((completion, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's.
              <div
                key={completion.key}
                id={`${id}-${place}`}
                class={`comment-box-one ${place === at ? 'comment-box-at' : ''}`}
                role="option"
                tabIndex={-1}
                aria-selected={place === at}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => complete(completion)}
              >
                <span class="one-line grow">{completion.words}</span>
                <span class="muted">{completion.detail}</span>
              </div>
            ))}
          </div>
        ) : null}
        <input
          ref={file}
          type="file"
          hidden
          multiple
          onChange={(event) => {
            void upload([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
      </div>
      <span class="only-spoken" role="status">
        {list.length > 0 ? words.completions(list.length) : ''}
      </span>
      <div class="row row-apart">
        <p class="field-hint" id={`${id}-hint`}>
          {words.markdownHint}
        </p>
        {children}
      </div>
      {trouble || problem ? <p class="field-problem">{trouble || problem}</p> : null}
    </div>
  )
}

/** Stores a file and returns Markdown that shows it. Throws `Refusal`. */
async function store(file: File, { upload, projectId }: TextContext): Promise<string> {
  if (upload) return upload(file)
  const { markdown } = await call('POST /projects/:id/uploads', { id: projectId ?? 0, file })
  return markdown
}

const quiet_ms = 100

/** What the name at the caret may become, and the keys that choose one of it. */
function useCompletions(projectId: number | undefined, typed: TypedTrigger | undefined) {
  const [found, setFound] = useState<{ typed: TypedTrigger; list: readonly Completion[] }>()
  const [marked, setMarked] = useState<string>()
  const asked = typed && `${typed.sign}${typed.search}`
  useEffect(() => {
    setMarked(undefined)
    if (!typed) {
      setFound(undefined)
      return
    }
    let isOver = false
    const timer = setTimeout(async () => {
      const list = await findCompletions(projectId, typed).catch(() => [])
      if (!isOver) setFound({ typed, list })
    }, quiet_ms)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [asked])
  const shown = typed && found ? stillFitting(found, typed) : []
  const at = Math.max(
    0,
    shown.findIndex(({ key }) => key === marked),
  )
  return {
    list: shown,
    at,
    /** Whether the key was for the list. */
    press(event: KeyboardEvent, complete: (completion: Completion) => void): boolean {
      if (shown.length === 0) return false
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const completion = shown[at]
      if (step !== undefined) setMarked(shown[(at + step + shown.length) % shown.length]?.key)
      else if ((event.key === 'Enter' || event.key === 'Tab') && completion) complete(completion)
      else if (event.key === 'Escape') setFound(undefined)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}

/** Of what was found for a name, what fits the name as it has been typed since: the rest is being asked for. */
function stillFitting(
  { typed: { sign, search, from }, list }: { typed: TypedTrigger; list: readonly Completion[] },
  typed: TypedTrigger,
): readonly Completion[] {
  if (typed.sign !== sign || typed.from !== from) return []
  if (typed.search === search) return list
  if (sign === '/') return list.filter(({ insert }) => insert.startsWith(`/${typed.search}`))
  const wanted = typed.search.toLowerCase()
  return list.filter(({ words: text, insert }) =>
    `${text} ${insert}`.toLowerCase().includes(wanted),
  )
}

function Preview({ text, path }: { text: string; path: string }) {
  const [html, setHtml] = useState<string>()
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    if (text.trim() === '') return
    let isOver = false
    call('POST /markdown', { text, gfm: true, ...(path === '' ? {} : { project: path }) }).then(
      (answer) => isOver || setHtml(answer.html),
      () => isOver || setFailed(true),
    )
    return () => {
      isOver = true
    }
  }, [text, path])
  if (text.trim() === '') return <p class="comment-box-preview muted">{words.nothingToPreview}</p>
  return (
    <div class="comment-box-preview" aria-live="polite">
      {isFailed ? <p class="muted">{words.previewFailed}</p> : null}
      {html === undefined ? null : <Prose html={html} />}
    </div>
  )
}
