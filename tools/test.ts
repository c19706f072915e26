// Runs every test, on SQLite and on PostgreSQL, and closes with one line of counts.
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { listLeftOut } from '../test/kit/programs.ts'

const filters = process.argv.slice(2)
const vitest = await startVitest('test', filters, { watch: false })
const modules = vitest.state.getTestModules()
const tests = modules.flatMap((module) => [...module.children.allTests()])
const passed = tests.filter((test) => test.result().state === 'passed').length
const failed = tests.length - passed
// What fails after its test has ended belongs to no test.
const strays = vitest.state.getUnhandledErrors().length
const isBroken = strays > 0 || modules.some((module) => !module.ok())
await vitest.close()
const isAskedFor = (file: string) =>
  filters.length === 0 || filters.some((filter) => file.includes(filter))
const leftOut = listLeftOut(join(import.meta.dirname, '..')).flatMap(({ files, ...program }) =>
  files.filter(isAskedFor).map((file) => ({ ...program, file })),
)
for (const { program, install, file } of leftOut) {
  console.log(`skipped, ${program} not found (${install}): ${file}`)
}
console.log(`${passed} passed, ${failed} failed`)
// Where changes are landed every program is installed.
const isIncomplete = process.env.CI !== undefined && leftOut.length > 0
process.exit(failed > 0 || isBroken || passed === 0 || isIncomplete ? 1 : 0)
