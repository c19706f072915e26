import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { issuables as words } from '../../text/issues.ts'
import { SelectField } from '../../ui/field/field.tsx'

/**
 * The choice of a description template, where the project has any; `onText` receives the text of the one chosen last. A template
 * named Default is chosen by itself where there is no text yet: its text goes to `onBegin`.
 */
export function TemplateField({
  projectId: id,
  type,
  text,
  isReady = true,
  onText,
  onBegin,
}: {
  projectId: number
  type: 'issues' | 'merge_requests'
  text: string
  /** Whether the text is what it begins with: some comes from commits that are still being read. */
  isReady?: boolean
  onText: (text: string) => void
  onBegin: (text: string) => void
}) {
  const { data } = useApi('GET /projects/:id/templates/:type', { id, type, per_page: 100 })
  const [name, setName] = useState('')
  const now = useRef({ text, name })
  now.current = { text, name }
  const preset = data?.find((template) => template.name.toLowerCase() === 'default')?.key
  const readTemplate = (key: string) =>
    call('GET /projects/:id/templates/:type/:name', { id, type, name: key })
  useEffect(() => {
    if (preset === undefined || !isReady || text !== '') return
    let isOver = false
    void readTemplate(preset).then(({ content }) => {
      if (isOver || now.current.text !== '' || now.current.name !== '') return
      setName(preset)
      onBegin(content)
    })
    return () => {
      isOver = true
    }
  }, [preset, isReady])
  const choose = async (key: string) => {
    now.current.name = key
    setName(key)
    if (key === '') return
    const { content } = await readTemplate(key)
    if (now.current.name === key) onText(content)
  }
  if (!data || data.length === 0) return null
  const options = data.map(({ key, name: title }) => [key, title] as const)
  return (
    <SelectField
      label={words.template}
      options={[['', words.noTemplate], ...options]}
      value={name}
      onChange={(event) => void choose(event.currentTarget.value)}
    />
  )
}
