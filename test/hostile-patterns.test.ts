// Every place where a pattern that a caller wrote is matched: none holds up the others, however hostile the pattern
// and what it is tried on. A new place fails here until it says how it is bounded.
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { hasMatchingPath, listPathsMatchingInclude } from '../src/ci/globs.ts'
import { compileRegexLiteral } from '../src/ci/regular-expression.ts'
import { StepBudget } from '../src/ci/step-budget.ts'
import { parseStableVersion } from '../src/features/content/changelogs/previous-tag.ts'
import {
  estimateLinguistMatchCost,
  linguistOverridesForPath,
  parseLinguistRules,
} from '../src/features/repository/languages/linguist-attributes.ts'
import { findGitAttribute, parseGitAttributes } from '../src/git/git-attributes.ts'
import { compileLinearRegex, compileLinearRegexTest } from '../src/kernel/linear-regex.ts'
import { MatchBudget } from '../src/kernel/match-budget.ts'
import { createNameFilter } from '../src/kernel/name-search.ts'
import { matchesWildcard } from '../src/kernel/wildcard.ts'
import { longestStall } from './kit/stall.ts'
import { readSyntax } from './kit/syntax.ts'

const syntax = readSyntax()
afterAll(syntax.close)

/** Far above what any of them takes, and far below what a pattern without a bound would: it never ends. */
const stall_ms_max = 2_000

/** Whose names make a file a place where patterns are matched. */
const matchers =
  /\b(compileLinearRegexTest|compileLinearRegex|compileRegexLiteral|RE2JS|matchesWildcard|hasMatchingPath|listPathsMatchingInclude|createNameFilter|findGitAttribute|linguistOverridesForPath)\b/

const wildcard =
  'The wildcard matcher: a pattern has 255 characters at most, a name 1024, and there are as many as a project has rules.'
const ofCi =
  'Each match counts as work of the configuration, which is bounded in all and between pauses.'
/** How each place is bounded. */
const places: Record<string, string> = {
  'src/kernel/linear-regex.ts': 'The matcher itself: below.',
  'src/kernel/wildcard.ts': 'The matcher itself: below.',
  'src/kernel/name-search.ts': 'The wildcard matcher on names of references, in turns.',
  'src/ci/regular-expression.ts': 'The matcher itself: below.',
  'src/ci/globs.ts': ofCi,
  'src/ci/evaluation-context.ts': ofCi,
  'src/ci/include.ts': ofCi,
  'src/ci/inputs.ts': ofCi,
  'src/ci/policy.ts': ofCi,
  'src/ci/condition.ts': ofCi,
  'src/ci/job.ts': ofCi,
  'src/git/errors.ts': 'Patterns of ours.',
  'src/git/git-attributes.ts': 'The matcher itself: below.',
  'src/git/ref-view.ts': 'In turns, and an expression within a budget.',
  'src/features/delivery/jobs/coverage.ts':
    'A budget for a line and for the log: coverage.test.ts.',
  'src/features/delivery/variables/collect-variables.ts': wildcard,
  'src/features/operating/broadcast-messages/broadcast-rules.ts': wildcard,
  'src/features/operating/clusters/cluster-variables.ts': wildcard,
  'src/features/content/changelogs/changelog-config.ts':
    'Refused beyond a size; tried by generate-changelog.ts.',
  'src/features/review/merge-requests/status-check-rule.store.ts': wildcard,
  'src/features/review/approval-states/approval-state.ts': wildcard,
  'src/features/activity/status-checks/status-check.store.ts': wildcard,
  'src/features/activity/webhooks/call-hooks.ts': wildcard,
  'src/features/repository/branches/branch.ts': 'Tried by ref-view.ts, within a budget.',
  'src/features/repository/languages/detect-languages.ts': 'In turns, within a budget.',
  'src/features/repository/languages/generated-paths.ts': 'Within a budget for a page.',
  'src/features/repository/languages/linguist-attributes.ts': 'The matcher itself: below.',
  'src/features/repository/lfs/apply-lfs-clean-filter.ts':
    'Each path within a bound, others in between.',
  'src/features/repository/protected-branches/protected-branch.ts': wildcard,
  'src/features/repository/protected-tags/protected-tag.ts': wildcard,
  'src/features/people/registrations/registration-problems.ts':
    'An address of a few hundred characters, and few patterns of administrators.',
}

it('knows every place that matches patterns', () => {
  const root = `${import.meta.dirname}/../`
  const found = syntax.sources
    .map(({ fileName }) => fileName.slice(fileName.indexOf('/src/') + 1))
    .filter((path) => matchers.test(readFileSync(root + path, 'utf8')))
  expect(found.toSorted()).toEqual(Object.keys(places).toSorted())
})

const letters = (count: number) => 'a'.repeat(count)
const expressions = [
  '(?:a?a?a?a?a?){15}',
  `(?:${'a?'.repeat(120)}){15}[bc]`,
  `(?:${'(a|b)?'.repeat(40)}){15}[cd]`,
  '(.*)'.repeat(60),
  '(?:(a|b|c|d)*){60}[yz]$',
  '(?:.*){300}[xz]$',
  '(?:.*){100}[xz]$',
  '(x+x+)+y',
  '(a|aa|aaa|a*|[^b]+){16}[cd]',
  '(?:[^/]*[^/]){100}$',
]
const texts = [letters(10_000), 'ab'.repeat(5000), 'a/'.repeat(5000), '1'.repeat(10_000)]
const globs = [
  '*a'.repeat(400),
  '**/'.repeat(300),
  '*?'.repeat(400),
  `{${'a,'.repeat(300)}a}*b`,
  '[!b]*'.repeat(150),
]
const long = (count: number) =>
  Array.from({ length: count }, (_, at) => `${'a'.repeat(250)}/${'ab'.repeat(120)}/${at}`)

type Case = [string, () => unknown]
const cases: Case[] = [
  ...expressions.flatMap((source): Case[] => [
    [
      `the linear engine with ${source.slice(0, 30)}`,
      () => {
        const test = compileLinearRegexTest(source)
        return test?.passes(letters(1024))
      },
    ],
    [
      `expressions of configurations with ${source.slice(0, 30)}`,
      () => {
        const work = new StepBudget()
        const expression = compileRegexLiteral(`/${source}/`, work)
        for (const text of texts) expression?.test(text, work)
      },
    ],
  ]),
  ...globs.flatMap((pattern): Case[] => [
    [
      `paths with ${pattern.slice(0, 20)}`,
      () => hasMatchingPath([pattern], long(20_000), { work: new StepBudget() }),
    ],
    [
      `includes with ${pattern.slice(0, 20)}`,
      () => listPathsMatchingInclude(pattern, long(20_000), new StepBudget()),
    ],
    [
      `names of branches with ${pattern.slice(0, 20)}`,
      () => createNameFilter(pattern.slice(0, 255))(letters(1024)),
    ],
    [
      `1000 rules with ${pattern.slice(0, 20)}`,
      () => {
        for (let at = 0; at < 1000; at++) matchesWildcard(pattern.slice(0, 255), letters(1024))
      },
    ],
    [
      `attributes with ${pattern.slice(0, 20)}`,
      () => {
        const lines = `${pattern.slice(0, 240).replaceAll(' ', '')} filter=lfs\n`.repeat(400)
        const file = parseGitAttributes(Buffer.from(lines))
        const folders = Array.from({ length: 200 }, (_, at) => 'a/'.repeat(at).slice(0, -1))
        const path = `${'a/'.repeat(250)}${letters(200)}`
        return findGitAttribute(
          folders.map((folder) => ({ folder, file })),
          path,
          'filter',
        )
      },
    ],
    [
      `languages with ${pattern.slice(0, 20)}`,
      () => {
        const line = `${pattern.replace(/[?[\]!]/g, 'a').slice(0, 240)} linguist-generated\n`
        const rules = parseLinguistRules(line.repeat(400))
        const budget = new MatchBudget(100_000)
        for (const path of long(100)) {
          if (budget.count(estimateLinguistMatchCost(rules, path)))
            linguistOverridesForPath(rules, path)
        }
      },
    ],
  ]),
]

describe('a hostile pattern', () => {
  it.each(cases)('holds nobody up, as %s', async (_, match) => {
    // What the configuration's bound refuses is an answer too.
    const stall = await longestStall(async () => {
      await Promise.resolve()
        .then(match)
        .catch((error) => expect(String(error)).toContain('too big'))
    })
    expect(stall).toBeLessThan(stall_ms_max)
  })

  it('is refused where what it repeats makes it large', () => {
    expect(compileLinearRegexTest(`(?:${'a?'.repeat(120)}){15}b`)).toBeUndefined()
    expect(compileLinearRegexTest('(?:a{4}){4}')).toBeDefined()
    const groups = '(?<major>[0-9]+)\\.(?<minor>[0-9]+)\\.(?<patch>[0-9]+)'
    expect(() => compileLinearRegex(`(?:${'a?'.repeat(200)}){15}${groups}`)).toThrow(SyntaxError)
    expect(parseStableVersion('1.2.3', compileLinearRegex(`^${groups}$`))).toBe('1.2.3')
  })
})
