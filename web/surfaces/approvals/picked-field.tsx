// A form field for several users, groups or branches: the chosen ones, and a button that opens the list to choose from.
import { approvals as words } from '../../text/approvals.ts'
import { Chip } from '../../ui/chip/chip.tsx'
import { useFieldProblem } from '../../ui/form/form-refusal-context.ts'
import { type PickedChoice, Picker } from '../../ui/picker/picker.tsx'

export function PickedField({
  label,
  hint,
  problemsOf,
  chosen,
  find,
  onChoose,
}: {
  label: string
  hint?: string
  /** As the server calls it in its refusals. */
  problemsOf: string
  chosen: readonly PickedChoice[]
  find: (search: string) => Promise<readonly PickedChoice[]>
  onChoose: (chosen: readonly PickedChoice[]) => void
}) {
  const problem = useFieldProblem(problemsOf)
  return (
    <div class={`field ${problem ? 'field-wrong' : ''}`}>
      <span class="field-label">{label}</span>
      <div class="row">
        {chosen.map(({ value, words: name }) => (
          <Chip key={value}>{name}</Chip>
        ))}
        <Picker
          isMulti
          label={label}
          openerLabel={`${words.select}: ${label}`}
          chosen={chosen}
          find={find}
          onChoose={onChoose}
        >
          {words.select}
        </Picker>
      </div>
      {hint ? <p class="field-hint">{hint}</p> : null}
      {problem ? <p class="field-problem">{problem}</p> : null}
    </div>
  )
}

export const idsOf = (chosen: readonly PickedChoice[]): number[] =>
  chosen.map(({ value }) => Number(value))

/** Returns the chosen ids if they changed. Unchanged ones are not sent: groups that the reader cannot see would be removed. */
export function changedIds(
  before: readonly { id: number }[],
  chosen: readonly PickedChoice[],
): number[] | undefined {
  const ids = idsOf(chosen)
  const isSame = ids.length === before.length && before.every(({ id }) => ids.includes(id))
  return isSame ? undefined : ids
}
