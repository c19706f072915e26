/** A piece of a note in another language: words, or a part of the note that stays, with `translate` for the words in it. */
export type NotePart =
  | string
  | { from: number; to: number; translate?: ((words: string) => string) | undefined }

/** What stands for an element within a note: a name, a title, a link. */
export const elementSign = '\uFFFC'

/**
 * What the server noted of a change, such as `changed title from **{-a-}** to **{+b+}**`. The API speaks English, by texts that
 * clients know: other languages translate them here. `text` is the whole note; in `masked` each element is `elementSign`, and it
 * is the text that parts are cut from. Undefined for what stays as it is.
 */
export const translateNote = (_note: {
  text: string
  masked: string
}): readonly NotePart[] | undefined => undefined
