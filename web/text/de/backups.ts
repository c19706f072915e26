import type * as english from '../backups.ts'
import { formatBytes, formatCountWithNoun } from '../numbers.ts'

export const backups: typeof english.backups = {
  title: 'Sicherungen',
  lead: 'Sicherungen enthalten die Datenbank, alle Repositorys und alle Dateien, aber nicht den geheimen Schlüssel. Bewahren Sie eine Kopie von secret.key an einem anderen Ort auf.',
  create: 'Jetzt sichern',
  requested: 'Sicherung gestartet',
  target: 'Speicherort',
  schedule: 'Zeitplan',
  keep: 'Aufbewahrung',
  kept: (count: number) => formatCountWithNoun(count, 'Sicherung', 'Sicherungen'),
  next: 'Nächste Sicherung',
  due: 'Jetzt fällig',
  states: {
    waiting: 'Eine Sicherung beginnt in Kürze',
    running: 'Eine Sicherung läuft',
    delayed: 'Die letzte Sicherung ist fehlgeschlagen und wird wiederholt',
    failed: 'Die letzte Sicherung ist fehlgeschlagen',
  },
  unreadable: (error: string) => `Der Speicherort kann nicht gelesen werden: ${error}`,
  list: 'Sicherungen',
  contents: (repositories: number, blobs: number) =>
    [
      formatCountWithNoun(repositories, 'Repository', 'Repositorys'),
      formatCountWithNoun(blobs, 'Datei', 'Dateien'),
    ].join(', '),
  size: (bytes: number) => formatBytes(bytes),
  version: (version: string) => `Bloomery ${version}`,
  withKeys: 'Mit Schlüsseln',
  empty: 'Noch keine Sicherungen',
  unconfigured: 'Regelmäßige Sicherungen sind nicht eingerichtet',
  setUp:
    'Setzen Sie einen Ordner auf einer anderen Festplatte oder einen S3-Bucket als Umgebungsvariable oder als backup_to in bloomery.json im Datenordner. Starten Sie den Server danach neu: Er erstellt jede Nacht um 3:00 UTC eine Sicherung und behält 14 davon.',
  setting: 'BLOOMERY_BACKUP_TO=/var/backups/bloomery',
  settingName: 'Einstellung',
  more: 'Dokumentation der Sicherungen',
  restore: 'Wiederherstellen',
  restoreText:
    'Um eine Sicherung wiederherzustellen, stoppen Sie den Server und führen Sie diesen Befehl mit den Einstellungen des Servers aus, in einem leeren Datenordner mit derselben Datei secret.key.',
  restoreLine: (target: string) => `bloomery restore --from '${target}' --check`,
  restoreCommand: 'Befehl zum Wiederherstellen',
}
