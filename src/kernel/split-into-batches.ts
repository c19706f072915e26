/** Splits a list into parts of at most `size` items, as one statement or message takes. */
export function* splitIntoBatches<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
