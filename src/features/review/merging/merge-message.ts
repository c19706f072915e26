// The messages of merge and squash commits, by default or by the project's templates (docs/api/merge-requests.md,
// "Messages").
import type { Commit } from '../../../git/objects.ts'
import { ownValue } from '../../../kernel/own-value.ts'

type Person = { name: string; email: string }

/** The values of the placeholders of a template. `commits` are newest first. */
export type MergeMessagePlaceholders = {
  source_branch: string
  target_branch: string
  title: string
  description: string | null
  /** The full reference, such as `group/project!1`. */
  reference: string
  url: string
  /** Short references of the issues that the merge closes. */
  closes: readonly string[]
  commits: readonly Commit[]
  approvers: readonly Person[]
  merger: Person
}

export const defaultMergeTemplate = `Merge branch '%{source_branch}' into '%{target_branch}'

%{title}

%{issues}

See merge request %{reference}`

export const defaultSquashTemplate = '%{title}'

const signed = ({ name, email }: Person) => `${name} <${email}>`

const placeholders: Record<string, (facts: MergeMessagePlaceholders) => string> = {
  source_branch: (facts) => facts.source_branch,
  target_branch: (facts) => facts.target_branch,
  title: (facts) => facts.title,
  issues: ({ closes }) => (closes.length === 0 ? '' : `Closes ${sentenceOf(closes)}`),
  description: (facts) => facts.description ?? '',
  reference: (facts) => facts.reference,
  first_commit: ({ commits }) => messageOf(commits.at(-1)),
  first_multiline_commit: (facts) =>
    messageOf(findFirstMultilineCommit(facts.commits)) || facts.title,
  url: (facts) => facts.url,
  approved_by: ({ approvers }) => approvers.map((one) => `Approved-by: ${signed(one)}`).join('\n'),
  merged_by: ({ merger }) => signed(merger),
  co_authored_by: coAuthors,
  all_commits: ({ commits }) =>
    commits
      .filter(({ parents }) => parents.length < 2)
      .toReversed()
      .map((commit) => `* ${messageOf(commit)}`)
      .join('\n\n'),
}

/** Returns the oldest commit whose message has more than a title. */
export function findFirstMultilineCommit(commits: readonly Commit[]): Commit | undefined {
  return commits.findLast(({ message }) => message.trim().includes('\n'))
}

function messageOf(commit: Commit | undefined): string {
  return commit?.message.trim() ?? ''
}

/** Returns all authors of the commits except the author of the newest one, who is the author of the squash commit. */
function coAuthors({ commits }: MergeMessagePlaceholders): string {
  const own = commits[0]?.author.email
  const others = new Map<string, string>()
  for (const { author } of commits) {
    if (author.email !== own) others.set(author.email, `Co-authored-by: ${signed(author)}`)
  }
  return [...others.values()].join('\n')
}

/** Joins words: `#1`, `#1 and #2`, or `#1, #2, and #3`. */
function sentenceOf(words: readonly string[]): string {
  if (words.length < 3) return words.join(' and ')
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`
}

const placeholder = /%\{(\w{1,40})\}/g
const alone = /^%\{(\w{1,40})\}$/

/**
 * Fills in the placeholders of a template. A line that consists of an empty placeholder is removed, with the blank line
 * before it if a blank line or the end follows. Unknown placeholders are kept.
 */
export function fillMergeMessageTemplate(
  template: string,
  facts: MergeMessagePlaceholders,
): string {
  const kept: string[] = []
  const lines = template.replaceAll('\r', '').split('\n')
  for (const [at, line] of lines.entries()) {
    const name = alone.exec(line)?.[1]
    const isEmpty = name !== undefined && ownValue(placeholders, name)?.(facts) === ''
    if (!isEmpty) {
      kept.push(
        line.replace(placeholder, (text, key) => ownValue(placeholders, key)?.(facts) ?? text),
      )
    } else if (kept.at(-1) === '' && (lines[at + 1] ?? '') === '') kept.pop()
  }
  return kept.join('\n').trim()
}
