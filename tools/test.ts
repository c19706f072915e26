// Runs every test, on SQLite and on PostgreSQL, and closes with one line of counts.
import { startVitest } from 'vitest/node'

const vitest = await startVitest('test', process.argv.slice(2), { watch: false })
const modules = vitest.state.getTestModules()
const states = modules.flatMap((module) =>
  [...module.children.allTests()].map((test) => test.result().state),
)
const passed = states.filter((state) => state === 'passed').length
const failed = states.length - passed
// What fails after its test has ended belongs to no test.
const strays = vitest.state.getUnhandledErrors().length
const isBroken = strays > 0 || modules.some((module) => !module.ok())
await vitest.close()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || isBroken || passed === 0 ? 1 : 0)
