import type * as english from '../nodes.ts'

export const nodes: typeof english.nodes = {
  title: 'Knoten',
  lead: 'Die Server, die sich die Datenbank teilen. Mit SQLite gibt es nur einen.',
  list: 'Knoten',
  states: { running: 'Läuft', lost: 'Nicht erreichbar' },
  started: 'Gestartet',
  seen: 'Zuletzt gesehen',
  version: (version: string) => `Bloomery ${version}`,
  storages: (names: readonly string[]) => `Speicher: ${names.join(', ')}`,
  mixed: 'Die Knoten haben verschiedene Versionen. Schließen Sie das Upgrade auf allen Knoten ab.',
}
