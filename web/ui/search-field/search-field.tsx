// The field that filters a list. What is typed is in the address once typing rests.
import { useEffect, useRef } from 'preact/hooks'
import { TextField } from '../field/field.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../navigation.ts'

const quiet_ms = 200

/** `name` is the parameter in the address. */
export function SearchField({ label, name = 'search' }: { label: string; name?: string }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const tell = (words: string) =>
    replaceUrl(currentUrlWithQuery({ [name]: words, page: '' }, currentUrl.value))
  return (
    <search>
      <TextField
        label={label}
        isLabelHidden
        type="search"
        placeholder={label}
        defaultValue={currentUrl.value.searchParams.get(name) ?? ''}
        onInput={(event) => {
          const words = event.currentTarget.value.trim()
          clearTimeout(timer.current)
          timer.current = setTimeout(() => tell(words), quiet_ms)
        }}
      />
    </search>
  )
}
