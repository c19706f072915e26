// Finds texts that may be references: `#1`, `!2`, `group/project#3`, `@user`, `~label`, `%milestone`, a commit hash.

import { limits } from '../../../kernel/limits.ts'

/** Longer words are no references. */
const characters_max = 600
const namePattern = /[~%](?:"[^"\n]*"|[\p{L}\p{N}_\-.&:?]+)|[\w.\-/#!@]+/gu
const endPattern = /[.!?:&-]{1,3}$/

/**
 * The words of a text that may name something, and where each begins; without signs that end a sentence. Only the first
 * `limits.reference_words_max` words are looked at.
 */
export function* findReferenceCandidates(text: string): Generator<{ name: string; at: number }> {
  let left = limits.reference_words_max
  for (const { 0: word, index } of text.matchAll(namePattern)) {
    if (left-- === 0) return
    if (word.length > characters_max || isWithinWord(word, text[index - 1])) continue
    yield { name: word.replace(endPattern, ''), at: index }
  }
}

/**
 * Returns whether the word is part of another word: `50%off` refers to no milestone, `a~b` and `~~struck~~`
 * to no label.
 */
function isWithinWord(word: string, before: string | undefined): boolean {
  return /^[~%]/.test(word) && before !== undefined && /[\p{L}\p{N}_~%]/u.test(before)
}
