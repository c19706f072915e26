/** Commands that work on the data of a server; the others are programs of their own. */
export const commandNames = ['migrate', 'backup', 'restore', 'blobs', 'admin', 'health'] as const
export type CommandName = (typeof commandNames)[number]

export function isCommandName(name: string): name is CommandName {
  return (commandNames as readonly string[]).includes(name)
}
