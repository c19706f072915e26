// Which branch or tag: looked for on the server as one types; a commit may be named as well.
import { repository } from '../../text/repository.ts'
import { Combobox } from './combobox.tsx'
import { branchFinder, refFinder } from './finders.ts'

export function RefField({
  projectId,
  value,
  onPick,
  label = repository.refLabel,
  isLabelHidden = false,
  withTags = true,
}: {
  projectId: number
  value: string
  onPick: (ref: string) => void
  label?: string
  isLabelHidden?: boolean
  withTags?: boolean
}) {
  return (
    <Combobox
      {...{ label, isLabelHidden }}
      isFree
      chosen={value === '' ? undefined : { value, words: value }}
      find={withTags ? refFinder(projectId) : branchFinder(projectId)}
      onChoose={(choice) => onPick(choice.value)}
    />
  )
}
