// What the server noted, in the language of the page. Only words of the server change, as text: elements are moved as they are.
import { elementSign, type NotePart, translateNote } from '../../text/system-notes.ts'

/** Changes the paragraphs of a note that is shown. */
export function translateSystemNote(note: HTMLElement): void {
  for (const block of note.querySelectorAll(':scope > p')) {
    const [first] = block.childNodes
    const isLink = block.childNodes.length === 1 && first instanceof HTMLAnchorElement
    translateChildren(isLink ? first : block)
  }
}

function translateChildren(block: Element): void {
  const nodes = [...block.childNodes]
  const parts = translateNote({
    text: nodes.map(textOf).join(''),
    masked: nodes.map(maskedTextOf).join(''),
  })
  if (parts) block.replaceChildren(...parts.flatMap((part) => nodesOf(part, nodes)))
}

const signs: Readonly<Record<string, string>> = { STRONG: '**', CODE: '`' }

/** As the note is written. */
function textOf(node: ChildNode): string {
  const sign = signs[node.nodeName] ?? ''
  return `${sign}${node.textContent ?? ''}${sign}`
}

const maskedTextOf = (node: ChildNode): string => (node instanceof Text ? node.data : elementSign)

/** The nodes of which a part is made: texts are cut, elements are whole. */
function nodesOf(part: NotePart, nodes: readonly ChildNode[]): Node[] {
  if (typeof part === 'string') return [new Text(part)]
  const { from, to, translate = (words: string) => words } = part
  const found: Node[] = []
  let start = 0
  for (const node of nodes) {
    const masked = maskedTextOf(node)
    const words = masked.slice(Math.max(from - start, 0), Math.max(to - start, 0))
    if (words !== '') found.push(node instanceof Text ? new Text(translate(words)) : node)
    start += masked.length
  }
  return found
}
