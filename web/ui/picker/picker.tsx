// A button that opens a list to choose from, one or several: people, labels, milestones. Choices are searched on the
// server (ARIA authoring practices, "Editable Combobox With List Autocomplete").

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Refusal } from '../../api/refusal.ts'
import { picker as words } from '../../text/picker.ts'
import { ui } from '../../text/ui.ts'
import type { ComboboxChoice } from '../combobox/combobox.tsx'
import { describeInPageLanguage } from '../refusal/in-page-language.ts'
import { useUniqueId } from '../unique-id.ts'
import './picker.css'

export type PickedChoice = ComboboxChoice & { color?: string }

type Props = {
  /** What is chosen: `Assignee`, `Labels`. */
  label: string
  /** What the button says; `label` unless given. */
  children?: ComponentChildren
  /** What the button is called where its own words do not say it; these have to be in it. */
  openerLabel?: string
  look?: 'plain' | 'quiet'
  chosen: readonly PickedChoice[]
  find: (search: string) => Promise<readonly PickedChoice[]>
  /** Several can be chosen; `onChoose` is called when the list closes, if the choice has changed. */
  isMulti?: boolean
  onChoose: (chosen: readonly PickedChoice[]) => unknown
  /** Beneath the list. */
  footer?: ComponentChildren
}

const quiet_ms = 120

export function Picker(props: Props) {
  const { label, children, look = 'plain', chosen, isMulti, onChoose } = props
  const id = useUniqueId()
  const box = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const next = useRef(chosen)
  const toggle = (state: string) => {
    setOpen(state === 'open')
    if (state === 'open') next.current = chosen
    else if (!isSame(next.current, chosen)) void onChoose(next.current)
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={`button button-${look}`}
        style={{ anchorName: `--picker-${id}` }}
        popovertarget={id}
        aria-haspopup="dialog"
        aria-label={props.openerLabel}
      >
        {children ?? label}
      </button>
      <div
        ref={box}
        id={id}
        class="picker"
        popover="auto"
        role="dialog"
        aria-label={words.selectThing(label)}
        style={{ positionAnchor: `--picker-${id}` }}
        onToggle={(event) => toggle(event.newState)}
      >
        {isOpen ? (
          <Choices
            {...props}
            id={id}
            onChange={(choices) => {
              next.current = choices
              if (isMulti) return
              box.current?.hidePopover()
              opener.current?.focus()
            }}
          />
        ) : null}
      </div>
    </>
  )
}

const isSame = (some: readonly PickedChoice[], others: readonly PickedChoice[]) =>
  some.length === others.length &&
  some.every(({ value }) => others.some((other) => other.value === value))

function Choices({
  id,
  label,
  chosen,
  find,
  isMulti,
  footer,
  onChange,
}: Props & { id: string; onChange: (choices: readonly PickedChoice[]) => void }) {
  const [typed, setTyped] = useState('')
  const [now, setNow] = useState(chosen)
  const [found, setFound] = useState<readonly PickedChoice[]>()
  const [trouble, setTrouble] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    let isOver = false
    const look = async () => {
      try {
        const choices = await find(typed)
        if (isOver) return
        setFound(choices)
        setTrouble('')
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const said = await describeInPageLanguage(error)
        if (!isOver) setTrouble(said)
      }
    }
    const timer = setTimeout(() => void look(), typed === '' ? 0 : quiet_ms)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [typed])
  const isChosen = ({ value }: PickedChoice) => now.some((one) => one.value === value)
  // What is chosen stays in sight above what else there is.
  const rest = (found ?? []).filter((one) => !chosen.some(({ value }) => value === one.value))
  const choices = typed === '' ? [...chosen, ...rest] : (found ?? [])
  const take = (choice: PickedChoice) => {
    const without = now.filter(({ value }) => value !== choice.value)
    const changed = without.length < now.length ? without : isMulti ? [...now, choice] : [choice]
    setNow(changed)
    onChange(changed)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt(Math.max(0, Math.min(choices.length - 1, at + step)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const choice = choices[at]
      if (choice) take(choice)
    }
  }
  const isNothing = found !== undefined && choices.length === 0
  return (
    <>
      <input
        ref={field}
        class="field-control"
        type="text"
        role="combobox"
        aria-label={words.filterThing(label)}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={choices[at] ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        placeholder={words.filterThing(label)}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value.trim())
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div
        class="picker-list"
        role="listbox"
        id={`${id}-list`}
        aria-label={label}
        aria-multiselectable={isMulti ? 'true' : undefined}
      >
        {choices.map((choice, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's.
          <div
            key={choice.value}
            id={`${id}-${place}`}
            class={`picker-one ${place === at ? 'picker-at' : ''}`}
            role="option"
            tabIndex={-1}
            aria-selected={isChosen(choice)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(choice)}
          >
            <span class="picker-mark" aria-hidden="true">
              {isChosen(choice) ? '✓' : ''}
            </span>
            {choice.color ? (
              <span class="picker-dot" style={{ '--label-colour': choice.color }} />
            ) : null}
            <span class="one-line grow">{choice.words}</span>
            {choice.detail ? <span class="muted one-line">{choice.detail}</span> : null}
          </div>
        ))}
      </div>
      <p class={isNothing ? 'muted' : 'only-spoken'} role="status">
        {trouble || (isNothing ? words.noMatches : '')}
      </p>
      <div class="row row-apart">
        {now.length > 0 ? (
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              setNow([])
              onChange([])
            }}
          >
            {words.clear}
          </button>
        ) : (
          <span />
        )}
        {isMulti ? (
          <button type="button" class="button button-quiet" popovertarget={id}>
            {ui.done}
          </button>
        ) : null}
      </div>
      {footer}
    </>
  )
}
