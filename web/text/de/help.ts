import type * as english from '../help.ts'

export const helpPagesText: typeof english.helpPagesText = {
  title: 'Hilfe',
  lead: 'Erste Schritte mit Bloomery.',
  git: 'Klonen, pullen und pushen',
  gitText:
    'Verwenden Sie über HTTP Ihren Benutzernamen und ein persönliches Zugriffstoken mit dem Scope write_repository. Verwenden Sie über SSH einen SSH-Schlüssel, den Sie Ihrem Konto hinzugefügt haben.',
  gitLine: 'Klon-Befehl',
  tokens: 'Persönliches Zugriffstoken erstellen',
  keys: 'SSH-Schlüssel hinzufügen',
  find: 'Befehlspalette und Tastenkürzel',
  findText:
    'Strg K (am Mac Cmd K) öffnet die Befehlspalette. Sie findet Projekte, Gruppen, Benutzer und Dateien und führt die Aktionen der aktuellen Seite aus. Mit ? sehen Sie die Tastenkürzel einer Seite.',
  signs: [
    ['>', 'Aktionen dieser Seite'],
    ['@', 'Benutzer'],
    ['#', 'Issues'],
    ['!', 'Merge Requests'],
    ['~', 'Dateien dieses Projekts'],
    [':', 'Zeilennummer'],
  ],
  ci: 'CI/CD-Pipelines',
  ciText:
    'Legen Sie in Ihrem Repository eine Datei .gitlab-ci.yml an. Sie legt die Jobs fest, die bei jedem Push laufen. Der Pipeline-Editor eines Projekts prüft die Datei während der Eingabe.',
  api: 'REST-API',
  apiText:
    'Mit der REST-API lässt sich alles tun, was diese Seiten können. Authentifizieren Sie sich mit einem persönlichen Zugriffstoken. Die API-Anfragen der aktuellen Seite sehen Sie mit „Als API anzeigen“ in Ihrem Kontomenü.',
  apiDocument: 'API-Referenz anzeigen',
  apiLine: 'API-Anfrage',
  search: 'Dokumentation durchsuchen',
  sections: [
    ['start', 'Erste Schritte'],
    ['operating', 'Einen Server betreiben'],
    ['api', 'REST-API'],
  ],
  results: 'Suchergebnisse',
  noResults: 'Keine passenden Seiten',
  noResultsText: 'Versuchen Sie es mit weniger oder anderen Wörtern.',
  tooManyResults:
    'Nur die besten Treffer werden angezeigt. Mit weiteren Wörtern grenzen Sie die Suche ein.',
}
