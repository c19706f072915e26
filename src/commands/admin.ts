import { type Command, UsageError } from './command-line.ts'
export const adminCommand: Command = {
  usage: 'Usage: bloomery admin ...\n',
  async run() {
    throw new UsageError('todo')
  },
}
