// What the palette finds without the server: actions of this page, what was used last, a line to go to.
import { palette } from '../../text/palette.ts'
import { listActions } from '../../ui/keys.ts'
import { say } from '../../ui/navigation.ts'

export type Find = {
  id: string
  words: string
  kind: string
  keys?: string | undefined
  href?: string
  run?: () => void
}

const last_max = 8

/** The places that were opened from here last, the newest first. */
export function last(): Find[] {
  try {
    const kept = JSON.parse(localStorage.getItem('palette') ?? '[]') as Find[]
    return kept.map(({ id, words, href = '/' }) => ({
      id: `last ${id}`,
      words,
      href,
      kind: palette.recent,
    }))
  } catch {
    return []
  }
}

/** Keeps a place; what acts is not kept. */
export function remember({ id, words, kind, href }: Find): void {
  if (href === undefined || id.startsWith('search')) return
  const bare = id.replace(/^last /, '')
  const others = last().filter((one) => one.href !== href)
  const kept = [{ id: bare, words, kind, href }, ...others].slice(0, last_max)
  localStorage.setItem('palette', JSON.stringify(kept))
}

/** Actions whose name has all the words typed; `:` is a line of the file that is shown. */
export function findHere(words: string, sign: string): Find[] {
  if (sign === ':') {
    const line = /^:(\d{1,9}(?:-\d{1,9})?)$/.exec(words)?.[1]
    if (line === undefined) return []
    return [
      { id: 'line', words: palette.toLine(line), kind: palette.actions, run: () => goToLine(line) },
    ]
  }
  if (sign !== '' && sign !== '>') return []
  const asked = words.replace(/^>/, '').toLowerCase().split(/\s+/).filter(Boolean)
  if (sign === '' && asked.length === 0) return listAll()
  return listAll().filter(({ words: name }) =>
    asked.every((word) => name.toLowerCase().includes(word)),
  )
}

function listAll(): Find[] {
  return listActions()
    .filter(({ isListed = true }) => isListed)
    .map(({ name, keys, run }) => ({
      id: `action ${name}`,
      words: name,
      keys,
      run,
      kind: palette.actions,
    }))
}

function goToLine(line: string): void {
  say(`#L${line}`)
}
