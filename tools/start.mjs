// What `npm start` runs. This process installs and builds what is out of date, and then is the server: to start another Node that
// only looks for changes would take longer than looking.
import { installAndBuild } from './install-and-build.mjs'

// With the packages another version of Node may have been installed.
if (installAndBuild(true)) {
  process.execve(process.execPath, [
    process.execPath,
    ...process.execArgv,
    ...process.argv.slice(1),
  ])
}
await import('../dist/main.js')
