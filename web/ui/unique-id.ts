import { useState } from 'preact/hooks'

let made = 0

/** An id that no other element of the document has, whichever tree of components the caller is in. */
export function useUniqueId(): string {
  const [id] = useState(() => `id-${++made}`)
  return id
}
