// The tests that tools/mutate.ts runs for each mutant: on SQLite alone, the files it names.
import { defineConfig } from 'vitest/config'
import { onSqlite } from '../vitest.config.ts'

const include = (process.env.MUTATE_TESTS ?? '').split('\n')

// biome-ignore lint/style/noDefaultExport: the tool asks for one.
export default defineConfig({
  root: process.cwd(),
  // Stryker's runner is made for Vite's loader.
  test: { ...onSqlite, include, exclude: [], experimental: { viteModuleRunner: true } },
})
