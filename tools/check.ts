// Types, lint, format, and the tests that read the source instead of running it.
import { spawnSync } from 'node:child_process'

const steps: [string, string[]][] = [
  ['types', ['node_modules/.bin/tsc', '-p', '.']],
  ['types of web', ['node_modules/.bin/tsc', '-p', 'web']],
  ['types of test/web', ['node_modules/.bin/tsc', '-p', 'test/web']],
  ['lint and format', ['node_modules/.bin/biome', 'check', '.']],
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

for (const [name, [program = '', ...args]] of steps) {
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) {
    console.error(`${name}: failed`)
    process.exit(1)
  }
  console.log(`${name}: passed`)
}
