// Reads `.gitlab/changelog_config.yml` (docs/api/changelogs.md, "Configuration").
import { ConfigurationError } from '../../../ci/diagnostic-collector.ts'
import { readYaml } from '../../../ci/read-yaml.ts'
import { StepBudget } from '../../../ci/step-budget.ts'
import { childOfDict, isNullScalar, type Tree } from '../../../ci/tree.ts'
import { limits } from '../../../kernel/limits.ts'
import { compileLinearRegex } from '../../../kernel/linear-regex.ts'
import { ChangelogError } from './changelog-error.ts'
import { type ChangelogTemplate, parseChangelogTemplate } from './template.ts'

export type ChangelogConfig = {
  date_format: string
  /** Titles by value of the trailer, in the order of the changelog. */
  categories: ReadonlyMap<string, string>
  template: ChangelogTemplate
  /** Matches names of tags, with groups `major`, `minor` and `patch`, and optionally `pre` and `meta`. */
  tag_regex: RegExp
  include_groups: readonly string[]
}

const number = '(?:0|[1-9]\\d*)'
const preWord = `(?:${number}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`
const version = `(?<major>${number})\\.(?<minor>${number})\\.(?<patch>${number})`
const pre = `(?:-(?<pre>${preWord}(?:\\.${preWord})*))?`
const meta = '(?:\\+(?<meta>[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?'

/** Matches versions as in semver.org, with or without a `v`. */
export const versionExpression = compileLinearRegex(`^v?${version}${pre}${meta}$`)

const usualTemplate = `{% if categories %}
{% each categories %}
### {{ title }} ({% if single_change %}1 change{% else %}{{ count }} changes{% end %})

{% each entries %}
- [{{ title }}]({{ commit.reference }})\\
{% if author.credit %} by {{ author.reference }}{% end %}\\
{% if merge_request %} ([merge request]({{ merge_request.reference }})){% end %}

{% end %}

{% end %}
{% else %}
No changes.
{% end %}`

const usual = {
  date_format: '%Y-%m-%d',
  categories: new Map<string, string>(),
  tag_regex: versionExpression,
  include_groups: [],
}

/** Parses a changelog configuration, with defaults for missing fields. Throws ChangelogError if it is invalid. */
export async function parseChangelogConfig(text: string | undefined): Promise<ChangelogConfig> {
  const tree = text === undefined ? undefined : await readTree(text)
  if (tree === undefined || isNullScalar(tree))
    return { ...usual, template: parseChangelogTemplate(usualTemplate) }
  if (tree.kind !== 'dict') throw new ChangelogError('The configuration must be a YAML mapping')
  const expression = textOf(tree, 'tag_regex')
  return {
    date_format: textOf(tree, 'date_format') ?? usual.date_format,
    categories: categoriesOf(tree),
    template: parseChangelogTemplate(textOf(tree, 'template') ?? usualTemplate),
    tag_regex: expression === undefined ? usual.tag_regex : tagExpression(expression),
    include_groups: groupsOf(tree),
  }
}

async function readTree(text: string): Promise<Tree | undefined> {
  try {
    const [tree] = await readYaml(text, 'changelog_config.yml', new StepBudget())
    return tree
  } catch (error) {
    if (error instanceof ConfigurationError) {
      throw new ChangelogError(`The configuration is no valid YAML: ${error.message}`)
    }
    throw error
  }
}

function textOf(tree: Tree, key: string): string | undefined {
  const found = childOfDict(tree, key)
  if (found === undefined || isNullScalar(found)) return undefined
  if (found.kind !== 'scalar') throw new ChangelogError(`The "${key}" configuration must be a text`)
  if (key !== 'template' && found.text.length > limits.changelogs.setting_characters) {
    throw new ChangelogError(`The "${key}" configuration is too long`)
  }
  return found.text
}

function categoriesOf(tree: Tree): ReadonlyMap<string, string> {
  const found = childOfDict(tree, 'categories')
  if (found === undefined || isNullScalar(found)) return usual.categories
  if (found.kind !== 'dict') {
    throw new ChangelogError('The "categories" configuration must be a YAML mapping')
  }
  return new Map(
    [...found.entries].map(([name, { value }]) => [
      name,
      value.kind === 'scalar' ? value.text : name,
    ]),
  )
}

function groupsOf(tree: Tree): string[] {
  const found = childOfDict(tree, 'include_groups')
  if (found === undefined || isNullScalar(found)) return []
  if (found.kind !== 'list')
    throw new ChangelogError('The "include_groups" configuration must be a list')
  if (found.items.length > limits.changelogs.groups_max) {
    throw new ChangelogError(`At most ${limits.changelogs.groups_max} groups can be included`)
  }
  return found.items.flatMap((item) => (item.kind === 'scalar' ? item.text : []))
}

/** Compiles an expression that is matched in linear time. Groups may be named as in RE2: `(?P<major>...)`. */
function tagExpression(text: string): RegExp {
  try {
    const expression = compileLinearRegex(text.replaceAll('(?P<', '(?<'))
    for (const name of ['major', 'minor', 'patch']) {
      if (!expression.source.includes(`(?<${name}>`)) {
        throw new ChangelogError(`The "tag_regex" configuration has no group named "${name}"`)
      }
    }
    return expression
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new ChangelogError('The "tag_regex" configuration is no valid regular expression')
    }
    throw error
  }
}
