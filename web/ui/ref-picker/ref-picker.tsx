// The branch or tag that is looked at, and the way to another one: searched on the server, so that thousands are no
// matter (ARIA authoring practices, "Editable Combobox With List Autocomplete").
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApi } from '../../api/use-api.ts'
import { repository } from '../../text/repository.ts'
import { useKeyActions } from '../keys.ts'
import { useUniqueId } from '../unique-id.ts'
import './ref-picker.css'

type Ref = { name: string; kind: 'branch' | 'tag' }

const quiet_ms = 120
const shown_max = 20

/** `onPick` is told the name that was chosen, or one that was typed. */
export function RefPicker({
  projectId,
  now,
  label,
  onPick,
  keys,
}: {
  projectId: number
  now: string
  /** What the choice is of; the branch or tag of the page unless said. */
  label?: string
  onPick: (name: string) => void
  keys?: string
}) {
  const id = useUniqueId()
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useKeyActions(
    keys ? [{ name: repository.refPicker(now), keys, run: () => box.current?.showPopover() }] : [],
  )
  const close = () => {
    box.current?.hidePopover()
    opener.current?.focus()
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="button button-plain button-opens ref-picker"
        style={{ anchorName: `--ref-${id}` }}
        popovertarget={id}
        aria-label={label ? `${label}: ${shortOf(now)}` : repository.refPicker(shortOf(now))}
      >
        <span class="ref-picker-sign" aria-hidden="true" />
        <span class="ref-picker-name">{shortOf(now)}</span>
      </button>
      <div
        ref={box}
        id={id}
        class="ref-picker-box"
        popover="auto"
        style={{ positionAnchor: `--ref-${id}` }}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen ? (
          <Choices
            id={id}
            projectId={projectId}
            now={now}
            onPick={(name) => {
              close()
              onPick(name)
            }}
          />
        ) : null}
      </div>
    </>
  )
}

/** A whole hash is told by its beginning. */
const shortOf = (name: string) => (/^[0-9a-f]{40}$/.test(name) ? name.slice(0, 10) : name)

function Choices({
  id,
  projectId,
  now,
  onPick,
}: {
  id: string
  projectId: number
  now: string
  onPick: (name: string) => void
}) {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const search = useQuiet(words)
  const input = { id: projectId, per_page: shown_max, ...(search ? { search } : {}) }
  const branches = useApi('GET /projects/:id/repository/branches', input)
  const tags = useApi('GET /projects/:id/repository/tags', input)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const refs: Ref[] = [
    ...(branches.data ?? []).map(({ name }) => ({ name, kind: 'branch' as const })),
    ...(tags.data ?? []).map(({ name }) => ({ name, kind: 'tag' as const })),
  ]
  const at = Math.min(chosen, refs.length - 1)
  const isReady = branches.data !== undefined && tags.data !== undefined
  return (
    <>
      <input
        ref={field}
        class="field-control"
        type="text"
        role="combobox"
        aria-label={repository.refHint}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={refs[at] ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        placeholder={repository.refHint}
        value={words}
        onInput={(event) => {
          setWords(event.currentTarget.value.trim())
          setChosen(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault()
            const step = event.key === 'ArrowDown' ? 1 : -1
            setChosen(Math.max(0, Math.min(refs.length - 1, at + step)))
          }
          if (event.key === 'Enter') {
            event.preventDefault()
            const name = search === words ? (refs[at]?.name ?? words) : words
            if (name !== '') onPick(name)
          }
        }}
      />
      <div class="ref-picker-list" role="listbox" id={`${id}-list`} aria-label={repository.refHint}>
        {refs.map(({ name, kind }, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's.
          <div
            key={`${kind} ${name}`}
            id={`${id}-${place}`}
            class="ref-picker-one"
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            onClick={() => onPick(name)}
          >
            <span class="one-line grow">{name}</span>
            <span class="muted">
              {name === now ? '✓ ' : ''}
              {kind === 'tag' ? repository.tag : ''}
            </span>
          </div>
        ))}
      </div>
      {isReady && refs.length === 0 ? (
        <p class="muted ref-picker-none" role="status">
          {repository.noMatchingRefs}
        </p>
      ) : null}
    </>
  )
}

/** What was typed, once typing rests. */
function useQuiet(words: string): string {
  const [quiet, setQuiet] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(words), quiet_ms)
    return () => clearTimeout(timer)
  }, [words])
  return quiet
}
