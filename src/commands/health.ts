import { type Command, CommandError, parseOptions, refuseUnexpectedArguments } from './command.ts'

const answer_ms_max = 4000

export const healthCommand: Command = {
  usage: `Usage: bloomery health

Checks whether the server on this machine is ready. Exits with 0 if it is, with 1 if it is not.
`,
  async run({ config, args, print }) {
    refuseUnexpectedArguments(parseOptions(args, {}).positionals)
    const isAny = ['0.0.0.0', '::'].includes(config.host)
    const host = isAny ? '127.0.0.1' : config.host
    const name = host.includes(':') ? `[${host}]` : host
    try {
      const signal = AbortSignal.timeout(answer_ms_max)
      const answer = await fetch(`http://${name}:${config.port}/-/readiness`, { signal })
      print((await answer.text()).trim())
      return answer.ok ? 0 : 1
    } catch (error) {
      throw new CommandError(`No answer from ${name}:${config.port}: ${(error as Error).message}`)
    }
  },
}
