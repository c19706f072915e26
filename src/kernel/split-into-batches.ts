/** The parts of a list, each of at most `size`: as much as one statement or message is given. */
export function* splitIntoBatches<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
