export const nodes = {
  title: 'Nodes',
  lead: 'Servers that share the database. With SQLite, there is only one.',
  list: 'Nodes',
  states: { running: 'Running', lost: 'Lost' },
  started: 'Started',
  seen: 'Last seen',
  version: (version: string) => `Bloomery ${version}`,
  storages: (names: readonly string[]) => `Storages: ${names.join(', ')}`,
  mixed: 'The nodes run different versions. Finish the upgrade on all of them.',
}
