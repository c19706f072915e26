// Runs git for a test's process (test/kit/git.ts): to start a program copies the table of all memory a process has, which for a
// process that has loaded the whole server takes longer than most of what git does. Plain JavaScript, which starts at once.
import { spawn } from 'node:child_process'

process.on('message', ({ id, args, cwd, env, stdin }) => {
  const child = spawn('git', args, { cwd, env, stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  }
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  child.on('error', ({ message }) => process.send({ id, failure: message }))
  child.on('close', (status) => process.send({ id, status, ...output }))
})
process.on('disconnect', () => process.exit())
