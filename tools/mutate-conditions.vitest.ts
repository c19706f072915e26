// The tests that tools/mutate-conditions.ts runs: on SQLite alone, with one condition of a query removed from its file.
import { defineConfig } from 'vitest/config'
import { onSqlite } from '../vitest.config.ts'

const include = (process.env.MUTATE_TESTS ?? '').split('\n')
const file = process.env.MUTATE_FILE
const [from = 0, to = 0] = (process.env.MUTATE_RANGE ?? '').split('-').map(Number)

// biome-ignore lint/style/noDefaultExport: the tool asks for one.
export default defineConfig({
  root: process.cwd(),
  plugins: [
    {
      name: 'remove-condition',
      enforce: 'pre',
      // Vitest keeps what it made of a file for the next run; each removal makes something else of it.
      configureVitest: ({ defineCacheKeyGenerator }) =>
        defineCacheKeyGenerator(({ id }) => (id === file ? `${from}-${to}` : undefined)),
      transform: (code, id) => (id === file ? code.slice(0, from) + code.slice(to) : undefined),
    },
  ],
  test: {
    ...onSqlite,
    include,
    exclude: [],
    bail: 1,
    maxWorkers: 1,
    // A plugin changes what Vite's loader loads, not what Node loads.
    experimental: { viteModuleRunner: true },
  },
})
