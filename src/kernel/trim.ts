// Trims runs of characters from the ends of a text in one pass. An expression such as /=+$/ starts again at every
// character of every run, so a long run that is not at the end costs quadratic time.

/** Returns the text without these characters (each one code unit) at its end. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Returns the text without these characters (each one code unit) at its start. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text.charAt(start))) start++
  return text.slice(start)
}
