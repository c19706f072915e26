// The results of the palette that need no server: actions, pages, recently opened ones, a line to go to.
import { palette } from '../../text/palette.ts'
import { listKeyActions } from '../../ui/keys.ts'
import { currentUrl, replaceUrl } from '../../ui/navigation.ts'
import { listRecent } from '../../ui/recent.ts'
import type { PalettePlace } from './places.ts'

export type PaletteItem = {
  id: string
  words: string
  kind: string
  also?: string | undefined
  keys?: string | undefined
  href?: string | undefined
  run?: () => void
}

/** The places that were opened last, without the one that is shown. */
export function listRecentPaletteItems(): PaletteItem[] {
  return listRecent()
    .filter(({ href }) => href !== currentUrl.value.pathname)
    .slice(0, 8)
    .map(({ href, words }) => ({ id: `recent ${href}`, words, href, kind: palette.recent }))
}

/** Actions of the page, then places; each address once. `:` is a line of the file that is shown. */
export function findLocalPaletteItems(
  typed: string,
  places: readonly PalettePlace[],
): PaletteItem[] {
  if (typed.startsWith(':')) {
    const line = /^:(\d{1,9}(?:-\d{1,9})?)$/.exec(typed)?.[1]
    if (line === undefined) return []
    return [
      {
        id: 'line',
        words: palette.toLine(line),
        kind: palette.actions,
        run: () => replaceUrl(`#L${line}`),
      },
    ]
  }
  const isOfActions = typed.startsWith('>')
  const known = new Map<string, PaletteItem>()
  for (const { name, keys, run, href, isListed = true } of listKeyActions()) {
    if (!isListed || (isOfActions && href)) continue
    const find = { words: name, keys, run, href, kind: href ? palette.place : palette.actions }
    known.set(href ?? name, { id: `action ${href ?? name}`, ...find })
  }
  for (const place of places) {
    const href = 'href' in place ? place.href : undefined
    if (isOfActions && href) continue
    const key = href ?? place.words
    // The name of a tab is extended by its synonyms here.
    known.set(key, {
      ...known.get(key),
      id: `action ${key}`,
      kind: href ? palette.place : palette.actions,
      ...place,
    })
  }
  return rankPaletteItems([...known.values()], typed.replace(/^>/, ''))
}

/** Returns the items for which each typed word begins a word of the name or of a synonym; matches of names first. */
export function rankPaletteItems(finds: readonly PaletteItem[], typed: string): PaletteItem[] {
  const asked = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (asked.length === 0) return [...finds]
  const ranked: { find: PaletteItem; score: number }[] = []
  for (const find of finds) {
    const score = scoreOf(find, asked)
    if (score !== undefined) ranked.push({ find, score })
  }
  return ranked.sort((one, other) => one.score - other.score).map(({ find }) => find)
}

/** Returns the score of an item; lower is better. Undefined if a word does not match. */
function scoreOf({ words, also = '' }: PaletteItem, asked: readonly string[]): number | undefined {
  const name = words.toLowerCase()
  if (name.startsWith(asked.join(' '))) return name.length / 1_000
  const begins = (text: string, word: string) =>
    text.startsWith(word) || text.includes(` ${word}`) || text.includes(`/${word}`)
  let score = 1
  for (const word of asked) {
    const [isNamed, isMeant] = [begins(name, word), begins(also, word)]
    if (!isNamed && !isMeant) return undefined
    // Items that match by both name and synonym come before items that match by name only.
    score += isNamed ? (isMeant ? -0.1 : 0) : 1
  }
  return score + name.length / 1_000
}
