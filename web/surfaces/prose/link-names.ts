// Makes links of what a file names: `#1`, `!2`, `group/project#3`, `@user`, `~label`, `%milestone`, a commit's hash. The
// server renders a file once for all readers, so what this reader may see is asked for here.
import type { Answer } from '../../api/call.ts'
import { readCached } from '../../api/use-api.ts'

type Reference = Answer<'GET /projects/:id/references'>[number]

/** As the server reads names (docs/api/markdown.md, "Names and uploads"). */
const wordPattern = /[~%](?:"[^"\n]*"|[\p{L}\p{N}_\-.&:?]+)|[\w.\-/#!@]+/gu
const endPattern = /[.!?:&-]{1,3}$/
const namePattern = /^(?:[~%].+|@\w[\w.-]*|[\w./-]*[#!][1-9]\d{0,8}|[0-9a-f]{7,40})$/
const characters_max = 100
/** Names that the server is asked for at once, and questions for one text. */
const names_max = 100
const questions_max = 3

/** Replaces names outside of links and code. `isOver` says whether the text was replaced meanwhile. */
export async function linkReferencesInProse(
  element: HTMLElement,
  projectId: number,
  isOver: () => boolean,
): Promise<void> {
  const texts = textsOf(element)
  const names = [
    ...new Set(texts.flatMap(({ data }) => [...wordsIn(data)].map(({ name }) => name))),
  ]
  const questions = Array.from({ length: questions_max }, (_, at) =>
    names.slice(at * names_max, (at + 1) * names_max),
  ).filter((some) => some.length > 0)
  const answers = await Promise.all(
    questions.map((some) =>
      readCached('GET /projects/:id/references', { id: projectId, names: some }),
    ),
  )
  if (isOver()) return
  const references = new Map(answers.flat().map((reference) => [reference.name, reference]))
  if (references.size > 0) for (const text of texts) replaceNames(text, references)
}

function textsOf(element: HTMLElement): Text[] {
  const texts: Text[] = []
  const walker = document.createTreeWalker(
    element,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    {
      acceptNode: (node) =>
        node instanceof Element
          ? node.matches('a, code, pre, math')
            ? NodeFilter.FILTER_REJECT
            : NodeFilter.FILTER_SKIP
          : NodeFilter.FILTER_ACCEPT,
    },
  )
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
  return texts
}

function* wordsIn(text: string): Generator<{ name: string; at: number }> {
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const name = word.replace(endPattern, '')
    const isWithinWord = /^[~%]/.test(word) && /[\p{L}\p{N}_]/u.test(text[index - 1] ?? '')
    if (!isWithinWord && name.length <= characters_max && namePattern.test(name))
      yield { name, at: index }
  }
}

function replaceNames(node: Text, references: ReadonlyMap<string, Reference>): void {
  const parts: (string | Node)[] = []
  let from = 0
  for (const { name, at } of wordsIn(node.data)) {
    const reference = references.get(name)
    if (!reference) continue
    const link = document.createElement('a')
    link.href = reference.url
    link.title = reference.title
    link.className = `gfm gfm-${reference.kind}`
    link.textContent = reference.text
    parts.push(node.data.slice(from, at), link)
    from = at + name.length
  }
  if (parts.length > 0) node.replaceWith(...parts, node.data.slice(from))
}
