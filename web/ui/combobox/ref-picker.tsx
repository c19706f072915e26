// Which branch or tag: looked for on the server as one types; a commit may be named as well.
import { code } from '../../text/code.ts'
import { Combobox } from './combobox.tsx'
import { findBranches, findRefs } from './finds.ts'

export function RefPicker({
  projectId,
  value,
  onPick,
  label = code.ref,
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
      find={withTags ? findRefs(projectId) : findBranches(projectId)}
      onChoose={(choice) => onPick(choice.value)}
    />
  )
}
