// The field that filters a list. What is typed is in the address once typing rests.
import { useEffect, useRef } from 'preact/hooks'
import { TextField } from '../field/field.tsx'
import { here, say, withQuery } from '../navigation.ts'

const quiet_ms = 200

/** `name` is the parameter in the address. */
export function SearchField({ label, name = 'search' }: { label: string; name?: string }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const tell = (words: string) => say(withQuery({ [name]: words, page: '' }, here.value))
  return (
    <search>
      <TextField
        label={label}
        isLabelHidden
        type="search"
        placeholder={label}
        defaultValue={here.value.searchParams.get(name) ?? ''}
        onInput={(event) => {
          const words = event.currentTarget.value.trim()
          clearTimeout(timer.current)
          timer.current = setTimeout(() => tell(words), quiet_ms)
        }}
      />
    </search>
  )
}
