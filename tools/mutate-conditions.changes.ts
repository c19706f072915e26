// Loaded into each process of the tests that tools/mutate-conditions.ts runs: removes one condition of a query from its
// file, or puts a mark at each condition, as the file is loaded.
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Part of a source file: from the character `from` to before the character `to`. */
export type Part = { file: string; from: number; to: number }

const removal = JSON.parse(process.env.MUTATE_REMOVAL ?? 'null') as Part | null
const marks = JSON.parse(process.env.MUTATE_MARKS ?? '[]') as Part[]

/** The source text of a file with a call of `markReached` around each part of it. */
function withMarks(source: string, url: string): string {
  const insertions = marks.flatMap(({ file, from, to }, index) =>
    pathToFileURL(file).href === url
      ? [
          { at: from, length: to - from, text: `globalThis.markReached(${index}, ` },
          { at: to, length: from - to, text: ')' },
        ]
      : [],
  )
  // From the end to the beginning. Where two parts begin at one place the longer is the outer one.
  const backwards = insertions.toSorted((a, b) => b.at - a.at || a.length - b.length)
  return backwards.reduce(
    (text, insertion) => text.slice(0, insertion.at) + insertion.text + text.slice(insertion.at),
    source,
  )
}

const changed = new Set([removal, ...marks].map((part) => part && pathToFileURL(part.file).href))

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (!changed.has(url)) return loaded
    const source = String(loaded.source)
    return {
      ...loaded,
      source: removal
        ? source.slice(0, removal.from) + source.slice(removal.to)
        : withMarks(source, url),
    }
  },
})
