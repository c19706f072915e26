// What a list is filtered and ordered by; the address has it.
import { useEffect, useState } from 'preact/hooks'
import { projects } from '../../text/projects.ts'
import { SelectField, TextField } from '../field/field.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../navigation.ts'

const typing_ms = 200

export function ListFilter({
  label,
  orders,
  name = 'search',
}: {
  label: string
  orders?: readonly (readonly [string, string])[]
  name?: string
}) {
  const asked = currentUrl.value.searchParams.get(name) ?? ''
  const [text, setText] = useState(asked)
  useEffect(() => {
    if (text === asked) return
    const timer = setTimeout(
      () => replaceUrl(currentUrlWithQuery({ [name]: text, page: undefined })),
      typing_ms,
    )
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="row list-filter">
      <div class="grow">
        <TextField
          isLabelHidden
          label={label}
          type="search"
          placeholder={label}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {orders ? (
        <SelectField
          isLabelHidden
          label={projects.order}
          options={orders}
          value={currentUrl.value.searchParams.get('sort') ?? orders[0]?.[0] ?? ''}
          onChange={(event) =>
            replaceUrl(currentUrlWithQuery({ sort: event.currentTarget.value, page: undefined }))
          }
        />
      ) : null}
    </div>
  )
}
