import { formatFieldErrors, invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'

const entities: readonly (readonly [string, string])[] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]

/** Returns a title without HTML tags and with entities decoded (docs/api/milestones.md, "Titles"). */
export function stripTagsFromTitle(title: string): string {
  let text = ''
  let at = 0
  while (at < title.length) {
    const open = title.indexOf('<', at)
    const close = open < 0 ? -1 : title.indexOf('>', open)
    const isTag = close > 0 && /^<[/!a-zA-Z]/.test(title.slice(open, open + 2))
    if (close < 0) break
    text += title.slice(at, isTag ? open : close + 1)
    at = close + 1
  }
  text += title.slice(at)
  for (const [entity, sign] of entities) text = text.replaceAll(entity, sign)
  return text.trim()
}

type Checked = { title: string; start_date: string | null; due_date: string | null }
type GivenDates = { start_date?: string | null; due_date?: string | null }

/**
 * Throws a 400 whose message lists the problems (docs/api/milestones.md, "Errors"). `given` has the dates as the client sent
 * them, since a year of five digits is refused although it is not parsed.
 */
export function checkMilestoneFields(
  { title, start_date, due_date }: Checked,
  { verb, isTaken, given }: { verb: 'create' | 'update'; isTaken: boolean; given: GivenDates },
): void {
  const problems: Record<string, string[]> = {}
  if (title === '') problems.title = ["can't be blank"]
  else if (title.length > limits.title_characters) {
    problems.title = [`is too long (maximum is ${limits.title_characters} characters)`]
  } else if (isTaken) {
    problems.title = ['already being used for another group or project milestone.']
  }
  if (start_date !== null && due_date !== null && due_date <= start_date) {
    problems.due_date = ['must be greater than start date']
  }
  for (const name of ['start_date', 'due_date'] as const) {
    if (hasLaterYear(given[name] ?? '')) {
      problems[name] = ['date must not be after 9999-12-31']
    }
  }
  if (Object.keys(problems).length > 0) {
    throw invalid(`Failed to ${verb} milestone ${formatFieldErrors(problems)}`)
  }
}

/** Returns whether a text is a date with a year after 9999. */
function hasLaterYear(text: string): boolean {
  const parts = text.trim().split('-')
  return parts.length === 3 && Number(parts[0]) > 9999
}
