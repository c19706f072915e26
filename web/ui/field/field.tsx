// A control with its label, a hint, and what is wrong with it.
import type {
  ComponentChildren,
  PartialInputHTMLAttributes,
  PartialSelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'preact'
import { useFieldProblem } from '../form/form-refusal-context.ts'
import { useUniqueId } from '../unique-id.ts'
import './field.css'

type Input = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'role' | 'label' | 'type'> & {
  type?: string
}
type Select = Omit<PartialSelectHTMLAttributes<HTMLSelectElement>, 'role' | 'label'>
type TextAreaAttributes = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'role' | 'label'>
type Around = {
  label: string
  hint?: ComponentChildren
  /** As the server calls it in its refusals, where that is not its name in the form. */
  problemsOf?: string | undefined
  isLabelHidden?: boolean
}
type Said = Omit<Around, 'problemsOf'> & { problem: string | undefined }

function Frame({
  id,
  around,
  children,
}: {
  id: string
  around: Said
  children: ComponentChildren
}) {
  const { label, hint, problem, isLabelHidden } = around
  return (
    <div class={`field ${problem ? 'field-wrong' : ''}`}>
      <label class={isLabelHidden ? 'only-spoken' : 'field-label'} for={id}>
        {label}
      </label>
      {children}
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

function described(id: string, { hint, problem }: Said) {
  const ids = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return {
    id,
    'aria-describedby': ids || undefined,
    'aria-invalid': problem ? ('true' as const) : undefined,
  }
}

/** What is around a control, and what is its own. */
function useAround<T extends Around & { name?: unknown }>(props: T): [Said, Omit<T, keyof Around>] {
  const { label, hint, problemsOf, isLabelHidden = false, ...rest } = props
  const problem = useFieldProblem(problemsOf ?? (props.name as string | undefined))
  return [{ label, hint, problem, isLabelHidden }, rest]
}

export function TextField(props: Around & Input) {
  const id = useUniqueId()
  const [around, rest] = useAround(props)
  return (
    <Frame id={id} around={around}>
      <input type="text" {...(rest as object)} {...described(id, around)} class="field-control" />
    </Frame>
  )
}

export function TextArea(props: Around & TextAreaAttributes) {
  const id = useUniqueId()
  const [around, rest] = useAround(props)
  return (
    <Frame id={id} around={around}>
      <textarea rows={4} {...(rest as object)} {...described(id, around)} class="field-control" />
    </Frame>
  )
}

/** `options` are pairs of a value and what people read. */
export function SelectField(
  props: Around & Select & { options: readonly (readonly [string, string])[] },
) {
  const id = useUniqueId()
  const [around, { options, value, ...rest }] = useAround(props)
  return (
    <Frame id={id} around={around}>
      <select {...(rest as object)} {...described(id, around)} class="field-control">
        {options.map(([one, words]) => (
          <option key={one} value={one} selected={one === value}>
            {words}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** A box to tick, its label beside it. */
export function CheckField({
  label,
  hint,
  ...rest
}: { label: string; hint?: ComponentChildren } & Input) {
  const id = useUniqueId()
  return (
    <div class="field-check">
      <input
        type="checkbox"
        {...(rest as object)}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <label for={id}>{label}</label>
      {hint ? (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}

/** One of several, all in sight. */
export function RadioField({
  legend,
  name,
  options,
  value,
  onChange,
}: {
  legend: string
  name: string
  options: readonly { value: string; label: string; hint?: string }[]
  value: string
  onChange: (value: string) => void
}) {
  return (
    <fieldset class="field">
      <legend class="field-label">{legend}</legend>
      {options.map((option) => (
        <label class="field-radio" key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {option.hint ? <span class="field-hint">{option.hint}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
