import { formatCountWithNoun, formatDuration } from '../numbers.ts'
import type * as english from '../system-hooks.ts'

export const systemHookText: typeof english.systemHookText = {
  title: 'System-Hooks',
  lead: 'Der Server ruft diese Adressen auf, wenn sich Projekte, Gruppen, Benutzer und Repositorys ändern.',
  new: 'Neuer System-Hook',
  list: 'System-Hooks',
  empty: 'Noch keine System-Hooks',
  emptyText:
    'Fügen Sie eine Adresse hinzu, die aufgerufen wird, wenn sich auf der Instanz etwas ändert.',
  url: 'URL',
  token: 'Geheimes Token',
  tokenHint: 'Wird als X-Gitlab-Token gesendet und nie wieder angezeigt.',
  tokenKept: 'Leer lassen, um das bisherige zu behalten.',
  events: 'Weitere Ereignisse',
  eventsHint:
    'Änderungen an Projekten, Gruppen, Benutzern, Mitgliedern und Schlüsseln lösen den Hook immer aus.',
  eventNames: {
    repository_update_events: 'Aktualisierungen von Repositorys',
    push_events: 'Pushes',
    tag_push_events: 'Pushes von Tags',
    merge_requests_events: 'Merge Requests',
  },
  ssl: 'Zertifikat prüfen',
  noSsl: 'Zertifikat wird nicht geprüft',
  create: 'System-Hook hinzufügen',
  edit: 'System-Hook bearbeiten',
  save: 'Änderungen speichern',
  saved: 'System-Hook gespeichert',
  test: 'Testereignis senden',
  tested: 'Testereignis gesendet',
  remove: 'System-Hook löschen',
  removeTitle: 'Diesen System-Hook löschen?',
  removeText: 'Die Adresse wird nicht mehr aufgerufen.',
  removed: 'System-Hook gelöscht',
  menu: (url: string) => `Aktionen für System-Hook ${url}`,
  menuSign: '…',
  deliveries: 'Letzte Zustellungen',
  deliveriesOf: (url: string) => `Letzte Zustellungen an ${url}`,
  noDeliveries: 'Keine Zustellungen in den letzten sieben Tagen',
  delivered: (status: string) => (/^\d+$/.test(status) ? `Status ${status}` : status),
  took: (seconds: number) =>
    seconds < 1
      ? formatCountWithNoun(Math.round(seconds * 1000), 'Millisekunde', 'Millisekunden')
      : formatDuration(seconds),
  resend: 'Erneut senden',
  resent: 'Ereignis erneut gesendet',
  request: 'Anfrage und Antwort',
  requestBody: 'Inhalt der Anfrage',
  response: 'Inhalt der Antwort',
}
