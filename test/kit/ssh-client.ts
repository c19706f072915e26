// The part of ssh(1) that git needs, so that stories run where there is no such program:
// GIT_SSH_COMMAND, with the private keys to offer in TEST_SSH_KEYS as a JSON list.
import ssh2, { type AuthenticationType } from 'ssh2'

const [port, target, command] = readArguments(process.argv.slice(2))
const [username, host] = target.includes('@') ? target.split('@') : ['git', target]
const offers: string[] = JSON.parse(process.env.TEST_SSH_KEYS ?? '[]')
const protocol = process.env.GIT_PROTOCOL

const client = new ssh2.Client()
client.on('error', (error) => {
  process.stderr.write(
    /authentication/i.test(error.message)
      ? `${target}: Permission denied (publickey).\n`
      : `${error.message}\n`,
  )
  process.exitCode = 255
})
client.on('ready', () => {
  const env = protocol === undefined ? {} : { GIT_PROTOCOL: protocol }
  client.exec(command, { env }, (error, channel) => {
    if (error) throw error
    channel.on('exit', (status: number) => {
      process.exitCode = status
    })
    channel.on('close', () => {
      client.end()
      process.stdin.destroy()
    })
    process.stdin.pipe(channel).pipe(process.stdout)
    channel.stderr.pipe(process.stderr)
  })
})
client.connect({
  host,
  port,
  username,
  authHandler: (_left, _isPartial, next) => {
    const key = offers.shift()
    if (key) next({ type: 'publickey', username: username ?? '', key })
    else next(false as unknown as AuthenticationType)
  },
})

/** `[-o option] [-p port] [user@]host command`, as git calls a program of the kind "ssh". */
function readArguments(given: string[]): [number, string, string] {
  let port = 22
  const words: string[] = []
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? ''
    if (word === '-p') port = Number(given[++at])
    else if (word === '-o') at++
    else words.push(word)
  }
  return [port, words[0] ?? '', words.slice(1).join(' ')]
}
