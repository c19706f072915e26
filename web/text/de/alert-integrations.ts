import type * as english from '../alert-integrations.ts'
import { formatCount } from '../numbers.ts'

export const alertIntegrations: typeof english.alertIntegrations = {
  title: 'Monitoring',
  lead: 'Lassen Sie Monitoring-Werkzeuge Alarme an dieses Projekt senden, und wählen Sie, wann Vorfälle erstellt werden.',
  integrations: 'Alarm-Integrationen',
  empty: 'Noch keine Alarm-Integrationen',
  emptyText:
    'Fügen Sie eine Integration hinzu, um eine URL und einen Schlüssel für Prometheus oder ein anderes Werkzeug zu erhalten, das JSON sendet.',
  add: 'Integration hinzufügen',
  types: [
    ['http', 'HTTP-Endpunkt'],
    ['prometheus', 'Prometheus'],
  ],
  type: 'Typ',
  name: 'Name',
  url: 'URL',
  inactive: 'Inaktiv',
  key: 'Schlüssel',
  keyTitle: (name: string) => `Schlüssel von ${name}`,
  keyText:
    'Kopieren Sie den Schlüssel jetzt. Er wird auf dieser Seite nicht noch einmal angezeigt.',
  authorization: 'Authorization-Header',
  test: 'Testalarm senden',
  tested: 'Testalarm gesendet',
  openTest: (iid: number) => `Alarm ${formatCount(iid)} öffnen`,
  reset: 'Schlüssel zurücksetzen',
  resetTitle: (name: string) => `Schlüssel von ${name} zurücksetzen?`,
  resetText:
    'Der alte Schlüssel wird sofort ungültig. Werkzeuge, die ihn verwenden, brauchen den neuen Schlüssel.',
  activate: 'Aktivieren',
  deactivate: 'Deaktivieren',
  edit: 'Umbenennen',
  mapping: 'Felder zuordnen',
  mappingText:
    'Geben Sie den Pfad jedes Alarmfelds im Payload ein: Schlüssel und Array-Indizes, durch Punkte getrennt, zum Beispiel event.hosts.0. Leere Felder werden unter ihrem Standardnamen gesucht.',
  saveMapping: 'Zuordnung speichern',
  fields: [
    ['title', 'Titel'],
    ['description', 'Beschreibung'],
    ['start_time', 'Beginn'],
    ['end_time', 'Ende'],
    ['service', 'Dienst'],
    ['monitoring_tool', 'Monitoring-Werkzeug'],
    ['hosts', 'Hosts'],
    ['severity', 'Schweregrad'],
    ['fingerprint', 'Fingerabdruck'],
    ['service_environment_name', 'Umgebung'],
  ],
  example: 'Beispiel-Payload',
  exampleHint: 'JSON, das das Werkzeug sendet. Es wird zum Nachschlagen aufbewahrt.',
  remove: 'Integration löschen',
  removeTitle: (name: string) => `${name} löschen?`,
  removeText:
    'Werkzeuge, die ihre URL verwenden, können keine Alarme mehr senden. Bereits gesendete Alarme bleiben erhalten.',
  menu: (name: string) => `Aktionen für ${name}`,
  settings: 'Einstellungen für Vorfälle',
  createIssue: 'Für jeden Alarm einen Vorfall erstellen',
  autoClose: 'Vorfall schließen, wenn sein Alarm behoben ist',
  sendEmail: 'Bei jedem Alarm eine E-Mail an Maintainer und Owner senden',
  save: 'Änderungen speichern',
  saved: 'Änderungen gespeichert',
}
