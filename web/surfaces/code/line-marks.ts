// Marks what was searched for in lines that are HTML already: in colours, or escaped.

/** Longer lines stay without marks, and no line has more of them. */
const characters_max = 5_000
const marks_max = 50

/** Puts each occurrence of the words in the text of the line into `mark`, in any case. */
export function markWordsInHtml(html: string, text: string, words: string): string {
  const needle = words.trim().toLowerCase()
  const hay = text.toLowerCase()
  // Some letters are longer in lower case: their places would be others.
  if (needle === '' || text.length > characters_max || hay.length !== text.length) return html
  const places: number[] = []
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + needle.length)) {
    if (places.push(at) === marks_max) break
  }
  return places.length === 0 ? html : markPlaces(html, places, needle.length)
}

function markPlaces(html: string, places: readonly number[], length: number): string {
  const isMarked = (at: number) => places.some((place) => at >= place && at < place + length)
  let marked = ''
  let at = 0
  let isOpen = false
  const turn = (isOn: boolean) => {
    if (isOn !== isOpen) marked += isOn ? '<mark>' : '</mark>'
    isOpen = isOn
  }
  for (const [part] of html.matchAll(/<[^>]*>|&[^;]{1,8};|[\s\S]/g)) {
    if (part.length > 1 && part.startsWith('<')) {
      // Elements of colours begin and end outside of marks.
      turn(false)
      marked += part
      continue
    }
    turn(isMarked(at))
    marked += part
    at += part.length > 1 ? 1 : part.length
  }
  turn(false)
  return marked
}
