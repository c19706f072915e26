// Texts that were typed and not sent, kept in this browser for the account that typed them.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { accountStorageKey } from '../../api/session.ts'

const characters_max = 200_000
const nameOf = (key: string) => accountStorageKey('draft', key)

/** Keeps the text; an empty one, and one that is too long for the browser, is forgotten. */
function keepDraft(name: string, text: string): void {
  try {
    if (text.trim() === '' || text.length > characters_max) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
  } catch (error) {
    // The browser has no room left: the text is still in the field.
    if (!(error instanceof DOMException)) throw error
  }
}

export type TextDraft = ReturnType<typeof useTextDraft>

/**
 * A text with its stored draft. `end` deletes the draft, `discard` also restores `initial`, and `begin` sets a text that is not
 * stored as a draft. The last changes are stored when the field leaves the page.
 */
export function useTextDraft(key: string, initial = '') {
  // The name stays that of the account that typed, even if another one signs in.
  const name = useMemo(() => nameOf(key), [key])
  const [kept] = useState(() => localStorage.getItem(name) ?? '')
  const [text, setText] = useState(kept === '' ? initial : kept)
  const [begun, setBegun] = useState(initial)
  const keep = useRef(() => {})
  keep.current = () => keepDraft(name, text === initial || text === begun ? '' : text)
  useEffect(() => {
    const timer = setTimeout(() => keep.current(), 200)
    return () => clearTimeout(timer)
  }, [name, text, initial, begun])
  useEffect(() => () => keep.current(), [])
  const end = (next = '') => {
    keep.current = () => {}
    keepDraft(name, '')
    setText(next)
  }
  return {
    text,
    setText,
    begin: (next: string) => {
      setBegun(next)
      setText(next)
    },
    isRestored: kept !== '' && kept !== initial && text === kept,
    end,
    discard: () => end(initial),
  }
}
