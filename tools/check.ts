// Types, lint, format, and the tests that read the source instead of running it. `--without-tests` leaves these out, for
// `.ci/run`, where all tests follow.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

type Step = [name: string, command: string[]]

/** Runs one checker for each project: several would compute the same types, a third of the total time. */
const typesOf = (project: string) => ['node_modules/.bin/tsc', '--checkers', '1', '-p', project]

/** They run beside each other. */
const readers: Step[] = [
  ['types', typesOf('.')],
  ['types of web', typesOf('web')],
  ['types of test/web', typesOf('test/web')],
  ['lint and format', ['node_modules/.bin/biome', 'check', '.']],
]

const tests: Step[] = [
  [
    'architecture',
    [
      'node_modules/.bin/vitest',
      'run',
      '--project',
      'sqlite',
      'test/architecture.test.ts',
      'test/web-architecture.test.ts',
      'test/web-size.test.ts',
      'test/citations.test.ts',
      'test/linear-expressions.test.ts',
      'test/own-keys.test.ts',
      'test/web-client.test.ts',
    ],
  ],
]

async function run([name, [program = '', ...args]]: Step): Promise<boolean> {
  const [status] = await once(spawn(program, args, { stdio: 'inherit' }), 'close')
  if (status === 0) console.log(`${name}: passed`)
  else console.error(`${name}: failed`)
  return status === 0
}

const passed = await Promise.all(readers.map(run))
if (passed.includes(false)) process.exit(1)
if (process.argv.includes('--without-tests')) process.exit(0)
for (const step of tests) if (!(await run(step))) process.exit(1)
