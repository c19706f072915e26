// What the server refused, in the language of the page.
import { Refusal } from '../../api/refusal.ts'
import { translateFieldName, translateProblem } from '../../text/problems.ts'

/**
 * The refusal with its problems translated, each after the name of its field, which is the label in the form if there is one; of
 * a refusal that names no field its sentence.
 */
export function translateRefusal(refusal: Refusal, form?: HTMLFormElement): Refusal {
  const { status, body, requestId } = refusal
  const problems = Object.entries(refusal.fields).map(
    ([name, said]) => [name, said.map(translateProblem)] as const,
  )
  const sentence =
    problems.length === 0
      ? translateProblem(refusal.sentence)
      : problems
          .map(([name, said]) => [nameOf(name, form), said.join(', ')].join(' ').trim())
          .join('. ')
  return new Refusal({
    status,
    body,
    requestId,
    words: { sentence, fields: Object.fromEntries(problems) },
  })
}

/** As the form calls a field; what is wrong with all of it has no name. */
function nameOf(name: string, form?: HTMLFormElement): string {
  if (name === 'base') return ''
  const field = form?.elements.namedItem(name)
  const label = field && 'labels' in field ? (field as HTMLInputElement).labels?.[0] : undefined
  return label?.textContent || translateFieldName(name)
}
