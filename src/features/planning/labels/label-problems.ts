import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import colorNames from './color-names.json' with { type: 'json' }

/** Whether a title is valid; commas separate labels in lists. */
export function isLabelTitle(title: string): boolean {
  return title !== '' && title.length <= limits.title_characters && !title.includes(',')
}

/** Returns the validation problems of a label (docs/api/labels.md, "Labels"). */
export function labelProblems({
  title,
  color,
}: {
  title: string
  color: string | undefined
}): FieldErrors {
  const problems: FieldErrors = {}
  if (title === '') problems.title = ["can't be blank"]
  else if (title.length > limits.title_characters) {
    problems.title = [`is too long (maximum is ${limits.title_characters} characters)`]
  } else if (!isLabelTitle(title)) problems.title = ['is invalid']
  if (color === undefined) problems.color = ['must be a valid color code']
  return problems
}

/** Returns the color as `#rrggbb`, from that form, the short form, or a CSS color name; undefined for anything else. */
export function parseLabelColor(text: string): string | undefined {
  const given = text.trim()
  if (/^#[0-9A-Fa-f]{6}$/.test(given)) return given
  const [, r, g, b] = /^#([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])$/.exec(given) ?? []
  if (r && g && b) return `#${r}${r}${g}${g}${b}${b}`
  return ownValue(colorNames as Record<string, string>, given.toLowerCase())
}
