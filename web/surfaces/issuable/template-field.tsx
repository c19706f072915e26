import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { issuables as words } from '../../text/issues.ts'
import { SelectField } from '../../ui/field/field.tsx'

/** The choice of a description template, where the project has any; `onText` is told the text of the one chosen last. */
export function TemplateField({
  projectId: id,
  type,
  onText,
}: {
  projectId: number
  type: 'issues' | 'merge_requests'
  onText: (text: string) => void
}) {
  const { data } = useApi('GET /projects/:id/templates/:type', { id, type, per_page: 100 })
  const [name, setName] = useState('')
  useEffect(() => {
    if (name === '') return
    let isOver = false
    void call('GET /projects/:id/templates/:type/:name', { id, type, name }).then(
      ({ content }) => isOver || onText(content),
    )
    return () => {
      isOver = true
    }
  }, [name])
  if (!data || data.length === 0) return null
  const options = data.map(({ key, name: title }) => [key, title] as const)
  return (
    <SelectField
      label={words.template}
      options={[['', words.noTemplate], ...options]}
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
    />
  )
}
