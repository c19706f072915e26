// Which branch or tag: looked for on the server as one types.
import { useState } from 'preact/hooks'
import { useApi } from '../../api/use-api.ts'
import { code } from '../../text/code.ts'
import { Combobox } from './combobox.tsx'

export function RefPicker({
  projectId,
  value,
  onPick,
  label = code.ref,
  isLabelHidden = false,
  withTags = true,
  hint,
}: {
  projectId: number
  value: string
  onPick: (ref: string) => void
  label?: string
  isLabelHidden?: boolean
  withTags?: boolean
  hint?: string
}) {
  const [text, setText] = useState<string>()
  const asked =
    text === undefined
      ? undefined
      : { id: projectId, per_page: 20, ...(text ? { search: text } : {}) }
  const { data: branches } = useApi('GET /projects/:id/repository/branches', asked)
  const { data: tags } = useApi('GET /projects/:id/repository/tags', withTags ? asked : undefined)
  const options = [
    ...(branches ?? []).map(({ name }) => ({ value: name, words: name })),
    ...(tags ?? []).map(({ name }) => ({ value: name, words: name, more: code.tags })),
  ]
  return (
    <Combobox
      {...{ label, value, options, onPick, isLabelHidden, ...(hint ? { hint } : {}) }}
      allowsOther
      onType={setText}
    />
  )
}
