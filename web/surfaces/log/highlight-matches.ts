// Where what is searched for stands, in the colours of a find: the browser paints it, and nothing in the page changes.

const highlight = 'log-found'
const painted_max = 5_000

/** Paints a text, given in small letters, wherever it is in the sheet; nothing of an empty one. */
export function highlightMatches(sheet: HTMLElement, text: string): void {
  CSS.highlights?.delete(highlight)
  if (text === '' || !CSS.highlights) return
  const painted = new Highlight()
  for (const range of rangesOf(sheet, text)) painted.add(range)
  CSS.highlights.set(highlight, painted)
}

/** The first few thousand places. */
function rangesOf(sheet: HTMLElement, text: string): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const value = node.nodeValue ?? ''
    const small = value.toLowerCase()
    // A few letters are longer when small: then places would be wrong.
    if (small.length !== value.length) continue
    for (let at = small.indexOf(text); at >= 0; at = small.indexOf(text, at + text.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + text.length)
      ranges.push(range)
      if (ranges.length >= painted_max) return ranges
    }
  }
  return ranges
}
