// What `npm start` runs. What is out of date is built in this process, which then is the server: a process of its own that only
// looks whether anything has changed would take as long to start as Node does.
import { setUp } from './set-up.mjs'

// With the packages another version of Node may have been installed.
if (setUp(true)) {
  process.execve(process.execPath, [
    process.execPath,
    ...process.execArgv,
    ...process.argv.slice(1),
  ])
}
await import('../dist/main.js')
