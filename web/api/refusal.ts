// What the API says when it does not do what was asked, made one shape of its several.

type Words = { sentence: string; fields: Readonly<Record<string, readonly string[]>> }

const otherAccount = 'other_account'

/** `fields` are the problems of single fields, by name; `sentence` says all of it. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly sentence: string
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly body: unknown
  readonly requestId: string
  /** Whether its words are those of the page's language, and not the server's. */
  readonly isTranslated: boolean

  /** `words` stand in place of those in the body. */
  constructor(given: { status: number; body: unknown; requestId: string; words?: Words }) {
    const { sentence, fields } = given.words ?? readBody(given.body)
    super(sentence)
    this.status = given.status
    this.body = given.body
    this.requestId = given.requestId
    this.sentence = sentence
    this.fields = fields
    this.isTranslated = given.words !== undefined
  }

  /** The same, in words that say more than the server's. */
  saying(sentence: string): Refusal {
    const { status, requestId } = this
    return new Refusal({ status, body: { message: sentence }, requestId })
  }

  /** The same of a write that was not sent again, because somebody else is signed in now. */
  ofOtherAccount(): Refusal {
    const { status, requestId } = this
    return new Refusal({ status, body: { error: otherAccount }, requestId })
  }

  get isOfOtherAccount(): boolean {
    return this.sentence === otherAccount
  }

  /** Whether the server did not answer at all. */
  get isOffline(): boolean {
    return this.status === 0
  }

  problemOf(field: string): string | undefined {
    return this.fields[field]?.join(', ')
  }
}

/** Both shapes of docs/api/conventions.md, "Errors": `message`, a text, list or record; and `error`. */
function readBody(body: unknown): Words {
  if (typeof body !== 'object' || body === null) return { sentence: String(body ?? ''), fields: {} }
  const { message, error, error_description } = body as Record<string, unknown>
  const told = message ?? error_description ?? error ?? ''
  if (typeof told === 'string') return { sentence: withoutStatus(told), fields: fieldsOf(told) }
  if (Array.isArray(told)) return { sentence: told.join('. '), fields: {} }
  const fields = Object.fromEntries(
    Object.entries(told as Record<string, unknown>).map(([name, problems]) => [
      name,
      [problems].flat().map(String),
    ]),
  )
  const sentences = Object.entries(fields).map(([name, problems]) =>
    name === 'base' ? problems.join(', ') : `${wordsOf(name)} ${problems.join(', ')}`,
  )
  return { sentence: sentences.join('. '), fields }
}

/** `404 Project Not Found` is `Project Not Found` to people. */
const withoutStatus = (text: string) => text.replace(/^\d{3} (?=\S)/, '')

const wordsOf = (name: string) => name.replaceAll('_', ' ')

/** `name is missing, path is empty` names its fields too. */
function fieldsOf(text: string): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const part of text.split(', ')) {
    const [, name = '', problem = ''] =
      /^([a-z_]{1,64}) ((?:is|does|must|has) .+)$/.exec(part) ?? []
    if (name !== '') fields[name] = [...(fields[name] ?? []), problem]
  }
  return fields
}
