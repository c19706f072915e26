import { type Command, CommandError, readOptions, UsageError } from './command.ts'

const answer_ms_max = 4000

export const healthCommand: Command = {
  usage: `Usage: bloomery health

Asks the server on this machine whether it is ready, for those who watch it. Exits with 0 where it is.
`,
  async run({ config, args, say }) {
    const { positionals } = readOptions(args, {})
    if (positionals.length > 0) throw new UsageError(`It takes no ${positionals[0]}.`)
    const isAny = ['0.0.0.0', '::'].includes(config.host)
    const host = isAny ? '127.0.0.1' : config.host
    const name = host.includes(':') ? `[${host}]` : host
    try {
      const signal = AbortSignal.timeout(answer_ms_max)
      const answer = await fetch(`http://${name}:${config.port}/-/readiness`, { signal })
      say((await answer.text()).trim())
      return answer.ok ? 0 : 1
    } catch (error) {
      throw new CommandError(
        `Nobody answers at ${name}:${config.port}: ${(error as Error).message}`,
      )
    }
  },
}
