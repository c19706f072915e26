// Names of emoji as the server knows them (docs/api/notes.md, "Awards"); loaded when somebody looks for one.
import { nameToEmoji } from 'gemoji'

export type Emoji = { name: string; emoji: string }

const all: readonly Emoji[] = Object.entries(nameToEmoji).map(([name, emoji]) => ({ name, emoji }))

export function emojiOf(name: string): string | undefined {
  return all.find((one) => one.name === name)?.emoji
}

/** Names that begin with the words, then names that have them inside. */
export function findEmoji(search: string, count: number): Emoji[] {
  const term = search.toLowerCase().replaceAll(' ', '_')
  const starting = all.filter(({ name }) => name.startsWith(term))
  const having = all.filter(({ name }) => name.includes(term) && !name.startsWith(term))
  return [...starting, ...having].slice(0, count)
}
