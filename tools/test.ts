// Runs every test, on SQLite and on PostgreSQL, and closes with one line of counts.
import { startVitest } from 'vitest/node'

const vitest = await startVitest('test', process.argv.slice(2), { watch: false })
const modules = vitest.state.getTestModules()
const states = modules.flatMap((module) =>
  [...module.children.allTests()].map((test) => ({
    name: test.fullName,
    // Only stories in a browser may be left out, where there is none.
    isLeftOut: test.result().state === 'skipped' && module.moduleId.includes('/test/web/'),
    isPassed: test.result().state === 'passed',
  })),
)
const leftOut = states.filter(({ isLeftOut }) => isLeftOut)
const passed = states.filter(({ isPassed }) => isPassed).length
const failed = states.length - passed - leftOut.length
// What fails after its test has ended belongs to no test.
const strays = vitest.state.getUnhandledErrors().length
const isBroken = strays > 0 || modules.some((module) => !module.ok())
await vitest.close()
for (const { name } of leftOut) console.log(`skipped, chromium not found: ${name}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || isBroken || passed === 0 ? 1 : 0)
