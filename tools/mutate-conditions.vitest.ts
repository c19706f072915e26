// The tests that tools/mutate-conditions.ts runs: on SQLite alone, until the first fails.
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { onSqlite } from '../vitest.config.ts'

const include = (process.env.MUTATE_TESTS ?? '').split('\n')
const isMarking = process.env.MUTATE_MARKS !== undefined

class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => include.indexOf(moduleId)
    return files.toSorted((one, other) => rank(one) - rank(other))
  }
}

// biome-ignore lint/style/noDefaultExport: the tool asks for one.
export default defineConfig({
  root: process.cwd(),
  test: {
    ...onSqlite,
    include,
    exclude: [],
    bail: 1,
    maxWorkers: 1,
    sequence: { sequencer: AsNamed },
    execArgv: ['--import', './tools/mutate-conditions.changes.ts'],
    // A query that is made once a process is made again in each test file, to see all files that reach it.
    isolate: isMarking,
    setupFiles: [
      ...onSqlite.setupFiles,
      ...(isMarking ? ['tools/mutate-conditions.reached.ts'] : []),
    ],
  },
})
