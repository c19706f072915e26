// Texts that were typed and not sent, kept in this browser for the account that typed them.
import { useEffect, useState } from 'preact/hooks'
import { accountStorageKey } from '../../api/session.ts'

const characters_max = 200_000
const nameOf = (key: string) => accountStorageKey('draft', key)

function readDraft(key: string): string {
  return localStorage.getItem(nameOf(key)) ?? ''
}

/** Keeps the text; an empty one, and one that is too long for the browser, is forgotten. */
function keepDraft(key: string, text: string): void {
  try {
    if (text.trim() === '' || text.length > characters_max) localStorage.removeItem(nameOf(key))
    else localStorage.setItem(nameOf(key), text)
  } catch (error) {
    // The browser has no room left: the text is still in the field.
    if (!(error instanceof DOMException)) throw error
  }
}

/** A text with the draft that was kept of it; `end` forgets the draft, `begin` puts a text that nobody typed. */
export function useTextDraft(key: string, initial = '') {
  const [kept] = useState(() => readDraft(key))
  const [text, setText] = useState(kept === '' ? initial : kept)
  const [begun, setBegun] = useState(initial)
  useEffect(() => {
    const timer = setTimeout(
      () => keepDraft(key, text === initial || text === begun ? '' : text),
      200,
    )
    return () => clearTimeout(timer)
  }, [key, text, initial, begun])
  return {
    text,
    setText,
    begin: (next: string) => {
      setBegun(next)
      setText(next)
    },
    isRestored: kept !== '' && kept !== initial && text === kept,
    end: (next = '') => {
      keepDraft(key, '')
      setText(next)
    },
  }
}
