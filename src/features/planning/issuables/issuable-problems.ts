import { type FieldErrors, invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'

/** Throws 400 in the words of model validation (docs/api/issues.md, "Errors"). */
export function checkIssuableTexts({
  title,
  description,
}: {
  title: string
  description: string | null
}): void {
  const problems: FieldErrors = {}
  if (title === '') problems.title = ["can't be blank"]
  if (title.length > limits.title_characters) {
    problems.title = [`is too long (maximum is ${limits.title_characters} characters)`]
  }
  const most = limits.issuable_description_characters
  if (description !== null && description.length > most) {
    problems.description = [`is too long (maximum is ${most} characters)`]
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}
