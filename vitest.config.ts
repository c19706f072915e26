import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/kit/longest-first.ts'
import { listLeftOut } from './test/kit/programs.ts'

// What is compiled is kept for the processes of the run and those that tests start, as for a server's next start.
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, 'node_modules/.cache/compile')

/** Test files that need a program which is not installed. */
const leftOut = listLeftOut(import.meta.dirname).flatMap(({ files }) => files)

const common = {
  exclude: leftOut,
  // They end what hangs; on a busy machine a test takes ten times as long as alone.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // What is waited for may need long on a busy machine; what is right at once waits for nothing.
  expect: { poll: { timeout: 20_000 } },
  pool: 'forks' as const,
  // What is imported is loaded once a process: most files would take longer to load than to run.
  isolate: false,
  // Node runs the sources as they are. Vite's own loader takes a fifth more of the processor.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  globalSetup: ['test/kit/global-setup.ts'],
  setupFiles: ['test/kit/file-setup.ts'],
}

/** Tests that sample memory or stalls: they run one at a time, after all others. */
const alone = [
  'src/features/security/reports/read-report.test.ts',
  'test/stories/git-bombs.test.ts',
  'test/stories/large-blobs-in-s3.test.ts',
  'test/stories/large-lists.test.ts',
  'test/stories/large-push.test.ts',
  'test/stories/one-caller.test.ts',
]

/** In folders that speak to the database, what is pure code and takes a second and more. */
const pure = [
  'src/features/content/pages-domains/print-certificate.test.ts',
  'src/features/repository/languages/linguist-attributes.test.ts',
  'src/features/security/lock-files/lock-file.test.ts',
  'src/http/json-reader.test.ts',
  'src/http/raw-parameters.test.ts',
]

/** Every test but the pages' on SQLite, which needs no server of its own. */
export const onSqlite = {
  ...common,
  name: 'sqlite',
  include: ['src/**/*.test.ts', 'runner/**/*.test.ts', 'test/**/*.test.ts'],
  // The first two compare databases, so they run once, where there is PostgreSQL; the others have a project.
  exclude: [
    'test/schema.test.ts',
    'test/expanding-migrations.test.ts',
    'test/web/**',
    ...alone,
    ...leftOut,
  ],
  env: { TEST_DB: 'sqlite' },
}

// biome-ignore lint/style/noDefaultExport: the tool asks for one.
export default defineConfig({
  test: {
    // Two a processor: each of them waits for git, the disk or PostgreSQL a third of its time.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: onSqlite },
      {
        test: {
          ...common,
          name: 'web',
          include: ['test/web/**/*.test.ts'],
          env: { TEST_DB: 'sqlite', TEST_HASHES: 'cheap' },
          // After all others, a few at once: browsers take what processors there are, and some tests count time.
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...onSqlite,
          name: 'alone',
          include: alone,
          exclude: leftOut,
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          // What speaks to the database; pure code needs no second run.
          include: [
            'src/features/**/*.test.ts',
            'src/access/**/*.test.ts',
            'src/subjects/**/*.test.ts',
            'src/http/**/*.test.ts',
            'src/tasks/**/*.test.ts',
            'src/db/**/*.test.ts',
            'src/backup/**/*.test.ts',
            'src/cluster/**/*.test.ts',
            'src/commands/**/*.test.ts',
            'test/clients/**/*.test.ts',
            // The further tables differ in rules, not in what the database does.
            'test/access-matrix/*.test.ts',
            'test/hidden-objects.test.ts',
            'test/tokens-made-by-tokens.test.ts',
            'test/confidential-ways.test.ts',
            'test/stories/fuzz.test.ts',
            'test/schema.test.ts',
            'test/expanding-migrations.test.ts',
          ],
          exclude: [...pure, ...alone, ...leftOut],
          env: { TEST_DB: 'postgres' },
        },
      },
    ],
  },
})
