// A field that finds what is typed among many (ARIA authoring practices, "Combobox with list autocomplete").
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Refusal } from '../../api/refusal.ts'
import { combobox } from '../../text/combobox.ts'
import { useFieldProblem } from '../form/form-refusal-context.ts'
import { describeInPageLanguage } from '../refusal/in-page-language.ts'
import { useUniqueId } from '../unique-id.ts'
import './combobox.css'

/** `value` is what is sent, `words` what people read, `detail` what tells it from others of that name. */
export type ComboboxChoice = { value: string; words: string; detail?: string }

type Props = {
  label: string
  hint?: ComponentChildren
  /** As the server calls it in its refusals, where that is not its name in the form. */
  problemsOf?: string
  isLabelHidden?: boolean
  /** The field of a form that the value goes by. */
  name?: string
  chosen?: ComboboxChoice | undefined
  onChoose?: (choice: ComboboxChoice) => void
  /** What there is for the words typed; throws `Refusal`. */
  find: (words: string) => Promise<readonly ComboboxChoice[]>
  /** What is typed may be taken as it is. */
  isFree?: boolean
  required?: boolean
  placeholder?: string
}

const pause_ms = 120

export function Combobox(props: Props) {
  const { label, hint, isLabelHidden, name, onChoose, find, isFree } = props
  const id = useUniqueId()
  const problem = useFieldProblem(props.problemsOf ?? name)
  const [chosen, setChosen] = useState(props.chosen)
  const [typed, setTyped] = useState(props.chosen?.words ?? '')
  const [choices, setChoices] = useState<readonly ComboboxChoice[]>([])
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const [trouble, setTrouble] = useState('')
  const turn = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    setChosen(props.chosen)
    setTyped(props.chosen?.words ?? '')
  }, [props.chosen?.value])

  const look = async (words: string) => {
    const mine = ++turn.current
    try {
      const found = await find(words)
      if (mine !== turn.current) return
      setChoices(found)
      setTrouble('')
      setAt(-1)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const said = await describeInPageLanguage(error)
      if (mine === turn.current) setTrouble(said)
    }
  }
  const open = (words: string) => {
    setOpen(true)
    void look(words)
  }
  const close = () => {
    setOpen(false)
    setAt(-1)
  }
  const choose = (choice: ComboboxChoice) => {
    setChosen(choice)
    setTyped(choice.words)
    close()
    onChoose?.(choice)
  }
  /** `words` are those in the field, which may have come after the last drawing. */
  const leave = (words: string) => {
    close()
    if (words === (chosen?.words ?? '')) return
    if (isFree && words !== '') choose({ value: words, words })
    else setTyped(chosen?.words ?? '')
  }
  const move = (step: number) => {
    if (!isOpen) return open('')
    const next = (at + step + choices.length) % choices.length
    setAt(Number.isNaN(next) ? -1 : at < 0 && step < 0 ? choices.length - 1 : next)
  }
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      move(step)
    } else if (event.key === 'Enter' && isOpen) {
      const choice = choices[at] ?? (isFree ? undefined : choices[0])
      if (choice) {
        event.preventDefault()
        choose(choice)
      } else leave(event.currentTarget.value)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      event.stopPropagation()
      setTyped(chosen?.words ?? '')
      close()
    }
  }
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const saying = trouble || (choices.length === 0 ? combobox.none : combobox.found(choices.length))
  return (
    <div class={`field combobox ${problem ? 'field-wrong' : ''}`}>
      <label class={isLabelHidden ? 'only-spoken' : 'field-label'} for={id}>
        {label}
      </label>
      <input
        id={id}
        type="text"
        class="field-control"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        aria-describedby={described || undefined}
        aria-invalid={problem ? 'true' : undefined}
        required={props.required}
        placeholder={props.placeholder}
        value={typed}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => open('')}
        onInput={(event) => {
          const words = event.currentTarget.value
          setTyped(words)
          setOpen(true)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => void look(words), pause_ms)
        }}
        onKeyDown={press}
        onBlur={(event) => leave(event.currentTarget.value)}
      />
      {name ? <input type="hidden" name={name} value={chosen?.value ?? ''} /> : null}
      <div class="combobox-pop" hidden={!isOpen}>
        <div class="combobox-list" id={`${id}-list`} role="listbox" aria-label={label}>
          {choices.map((choice, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's, as the pattern has it.
            // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, as the pattern has it.
            <div
              key={choice.value}
              id={`${id}-${place}`}
              class="combobox-choice"
              role="option"
              aria-selected={place === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              <span>{choice.words}</span>
              {choice.detail ? <span class="muted">{choice.detail}</span> : null}
            </div>
          ))}
        </div>
        {choices.length === 0 ? <p class="combobox-none muted">{saying}</p> : null}
      </div>
      <span class="only-spoken" role="status">
        {isOpen ? saying : ''}
      </span>
      {hint ? (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      ) : null}
    </div>
  )
}
