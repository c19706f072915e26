/** A part of a translated note: words, or a range of the note that is kept, with `translate` for the words in it. */
export type NotePart =
  | string
  | { from: number; to: number; translate?: ((words: string) => string) | undefined }

/** Replaces an element of a note: a name, a title, a link. */
export const elementSign = '\uFFFC'

/**
 * Translates a system note, such as `changed title from **{-a-}** to **{+b+}**`. The API uses English texts that clients
 * know; other languages translate them here. `text` is the whole note; in `masked` each element is replaced by
 * `elementSign`, and ranges refer to it. Returns undefined for a note that stays in English.
 */
export const translateNote = (_note: {
  text: string
  masked: string
}): readonly NotePart[] | undefined => undefined
