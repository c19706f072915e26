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

/** Throws the 400 in whose sentence the problems are printed (docs/api/milestones.md, "Errors"). */
export function checkMilestoneFields(
  { title, start_date, due_date }: Checked,
  { verb, isTaken }: { verb: 'create' | 'update'; isTaken: boolean },
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
  if (Object.keys(problems).length > 0) {
    throw invalid(`Failed to ${verb} milestone ${formatFieldErrors(problems)}`)
  }
}
