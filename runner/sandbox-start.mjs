// The first program of a job inside its sandbox. It opens the ports that lead out, hands them to the runner, which
// is outside, and becomes the command. Nothing else is imported: of the runner only this file is seen here.
import { createServer } from 'node:net'

const loopback = ['127.0.0.1', '::1']

process.once('message', async ({ command, environment, ports }) => {
  for (const port of ports) {
    for (const address of loopback) await hand(port, address)
  }
  // The runner takes this for: from here on it is the command that runs.
  await new Promise((resolve) => process.send({ isReady: true }, resolve))
  process.execve(command[0], command, environment)
})

/** A machine without IPv6 has one address less. */
function hand(port, address) {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen(port, address, () => process.send({ port }, server, resolve))
  })
}
