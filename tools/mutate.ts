// Changes the rules of access one condition at a time, runs the tests beside them, and lists each change that no test
// noticed. `npm run mutate -- <folder, file or file:line-line>... [--tests=<pattern>]... [--only-tests=<pattern>]...`
//
// Of a folder the files that state rules are changed, and all tests in it are run; a file, or the lines of it that are
// given, is changed whatever it states, and the tests of its folder are run. `--tests` names further test files;
// `--only-tests` names the test files to run instead of the folder's. Takes minutes for each rule file.
import { globSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

/** Files that say who may do or see something. */
const rules = [
  '*.policy.ts',
  '*-right.ts',
  'may-*.ts',
  'can-call-each.ts',
  'endpoint.ts',
  'check-push.ts',
  'freeze-refs.ts',
  'not-expired-condition.ts',
  'level.ts',
  'visibility.ts',
  'rule.ts',
  'address-policy.ts',
]
const noticed_percent_min = 95

const args = process.argv.slice(2)
const named = args.filter((arg) => !arg.startsWith('--')).map((arg) => arg.replace(/\/$/, ''))
const valuesOf = (option: string) =>
  args.filter((arg) => arg.startsWith(option)).map((arg) => arg.slice(option.length))
const further = valuesOf('--tests=')
const instead = valuesOf('--only-tests=')
const isFolder = (path: string) => statSync(path.replace(/:\d+-\d+$/, '')).isDirectory()

const mutated = named.flatMap((path) =>
  isFolder(path) ? rules.flatMap((rule) => globSync(join(path, '**', rule))) : [path],
)
const beside = named.map((path) => join(isFolder(path) ? path : dirname(path), '**/*.test.ts'))
const tests = instead.length > 0 ? instead : beside
if (mutated.length === 0) {
  console.error(
    'No files with rules found. Usage: npm run mutate -- <folder, file or file:line-line>... [--tests=<pattern>]... [--only-tests=<pattern>]...',
  )
  process.exit(2)
}
process.env.MUTATE_TESTS = [...tests, ...further].join('\n')

const results = await new Stryker({
  mutate: mutated,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', resolve('tools/mutate.reporter.ts')],
  vitest: { configFile: 'tools/mutate.vitest.ts', related: false },
  coverageAnalysis: 'perTest',
  reporters: ['each'],
  // A text of an error or of a query's name is no rule; a changed one is noticed by tests of its own.
  mutator: { excludedMutations: ['StringLiteral', 'Regex'] },
  // TypeScript 7 has no API for the rewriting that this would ask for; Node runs the sources as they are.
  tsconfigFile: 'none.json',
  concurrency: 1,
  timeoutMS: 60_000,
  // Some mutants never finish their app's start.
  timeoutFactor: 4,
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['web/dist', '.shots', 'data'],
  allowConsoleColors: false,
}).runMutationTest()

const counted = results.filter(
  ({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status),
)
const noticed = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout').length
const percent = counted.length === 0 ? 100 : (noticed * 100) / counted.length
console.log(`${noticed} of ${counted.length} mutants killed, ${percent.toFixed(1)} %`)
process.exit(percent < noticed_percent_min ? 1 : 0)
