// What in a text may name something: `#1`, `!2`, `group/project#3`, `@user`, `~label`, `%milestone`, a commit's hash.

/** Bounded at every place, so that no text takes longer than it is long. */
const namePattern =
  /(?<![\p{L}\p{N}_])[~%](?:"[^"\n]{1,255}"|[\p{L}\p{N}_][\p{L}\p{N}_\-.&:?]{0,254})|[\w.\-/#!@]+/gu
const endPattern = /[.!?:&-]{1,3}$/

/** The words of a text that may name something, and where each begins; without signs that end a sentence. */
export function* namesIn(text: string): Generator<{ name: string; at: number }> {
  for (const { 0: word, index } of text.matchAll(namePattern)) {
    yield { name: word.replace(endPattern, ''), at: index }
  }
}
