// A field with a list of what fits (ARIA authoring practices, "Combobox with list autocomplete").
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import './combobox.css'

export type Option = { value: string; words: string; more?: string }

/** `options` are what fits what was typed last, which `onType` is told; `onPick` is told a choice. */
export function Combobox({
  label,
  value,
  options,
  onType,
  onPick,
  hint,
  problem,
  isLabelHidden,
  allowsOther,
  placeholder,
  name,
}: {
  label: string
  value: string
  options: readonly Option[]
  onType: (text: string) => void
  onPick: (value: string, option?: Option) => void
  hint?: string
  problem?: string | undefined
  isLabelHidden?: boolean
  /** A text that is no option may be meant as well. */
  allowsOther?: boolean
  placeholder?: string
  name?: string
}) {
  const id = useId().replaceAll(':', '')
  const [text, setText] = useState(value)
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => setText(value), [value])
  const take = (option: Option | undefined) => {
    if (!option) return
    setText(option.words)
    setOpen(false)
    onPick(option.value, option)
  }
  const chosen = Math.min(at, options.length - 1)
  return (
    <div class={`combobox field ${problem ? 'field-wrong' : ''}`}>
      <label class={isLabelHidden ? 'only-spoken' : 'field-label'} for={id}>
        {label}
      </label>
      <input
        ref={field}
        id={id}
        name={name}
        class="field-control"
        role="combobox"
        aria-expanded={isOpen && options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options.length > 0 ? `${id}-${chosen}` : undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
        aria-invalid={problem ? 'true' : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={text}
        onFocus={(event) => {
          event.currentTarget.select()
          onType('')
        }}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false)
          if (allowsOther && text !== value) onPick(text)
          else if (!allowsOther) setText(value)
        }}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setOpen(true)
          setAt(0)
          onType(event.currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            const step = event.key === 'ArrowDown' ? 1 : -1
            setOpen(true)
            setAt((chosen + (isOpen ? step : 0) + options.length) % Math.max(1, options.length))
          } else if (event.key === 'Enter' && isOpen && options.length > 0) take(options[chosen])
          else if (event.key === 'Escape' && isOpen) setOpen(false)
          else return
          event.preventDefault()
        }}
      />
      <div
        class="combobox-list"
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        hidden={!isOpen || options.length === 0}
      >
        {options.map((option, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names it.
          <div
            key={option.value}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === chosen}
            class="combobox-option"
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            <span class="one-line">{option.words}</span>
            {option.more ? <span class="muted one-line">{option.more}</span> : null}
          </div>
        ))}
      </div>
      {hint ? (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {problem ? <p class="field-problem">{problem}</p> : null}
    </div>
  )
}
