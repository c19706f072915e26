import { Readable } from 'node:stream'
import type { Forwarder } from '../../forwarding/forwarder.ts'
import type { CommandContext } from '../git-ssh/run-command.ts'
import { readCommandAnswer } from './command-stream.ts'

/** The URL path at which a server runs SSH commands that were forwarded by another one. */
export const commandUrl = '/-/nodes/ssh-command'

/** A command for another server to run: its text, caller and connection, without its input. */
export type ForwardedCommand = Pick<CommandContext, 'keyId' | 'line' | 'protocol' | 'baseUrl'>

/** Lets the server with the disk of the storage run the command, and returns the exit status. */
export async function forwardCommand(
  forwarder: Pick<Forwarder, 'request'>,
  storage: string,
  { io, keyId, line, protocol, baseUrl }: ForwardedCommand & Pick<CommandContext, 'io'>,
): Promise<number> {
  const facts: ForwardedCommand = { keyId, line, protocol, baseUrl }
  const answer = await forwarder.request(storage, {
    method: 'POST',
    url: commandUrl,
    facts,
    body: Readable.from(io.chunks(), { objectMode: false }),
    signal: io.signal,
  })
  return readCommandAnswer(answer, io)
}
