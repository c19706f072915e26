import { formatCount, formatCountWithNoun, formatDuration } from '../numbers.ts'
import type * as english from '../security.ts'

const severityWords: typeof english.security.severityList = [
  ['critical', 'Kritisch'],
  ['high', 'Hoch'],
  ['medium', 'Mittel'],
  ['low', 'Niedrig'],
  ['info', 'Info'],
  ['unknown', 'Unbekannt'],
]

const stateWords = {
  detected: 'Erkannt',
  confirmed: 'Bestätigt',
  dismissed: 'Verworfen',
  resolved: 'Behoben',
}

const reportWords: Readonly<Record<string, string>> = {
  sast: 'SAST',
  secret_detection: 'Secret-Erkennung',
  dependency_scanning: 'Abhängigkeits-Scan',
  container_scanning: 'Container-Scan',
  cluster_image_scanning: 'Cluster-Image-Scan',
  dast: 'DAST',
  coverage_fuzzing: 'Coverage-Fuzzing',
  api_fuzzing: 'API-Fuzzing',
}

export const security: typeof english.security = {
  places: 'Sicherheit',
  report: 'Schwachstellenbericht',
  dependencies: 'Abhängigkeiten',
  licenses: 'Lizenzen',
  severities: Object.fromEntries(severityWords),
  severityList: severityWords,
  states: stateWords,
  reportTypes: reportWords,
}

export const vulnerabilities: typeof english.vulnerabilities = {
  lead: 'Schwachstellen, die Sicherheits-Scanner auf dem Standard-Branch gefunden haben.',
  groupLead:
    'Schwachstellen, die Sicherheits-Scanner auf den Standard-Branches der Projekte dieser Gruppe gefunden haben.',
  bySeverity: 'Schwachstellen nach Schweregrad',
  countOf: (severity: string, number: number) => `${severity} ${formatCount(number)}`,
  filters: 'Filter',
  state: 'Status',
  stateOptions: [['', 'Handlungsbedarf'], ['all', 'Alle Status'], ...Object.entries(stateWords)],
  tool: 'Werkzeug',
  toolOptions: [['', 'Alle Werkzeuge'], ...Object.entries(reportWords)],
  activity: 'Aktivität',
  activityOptions: [
    ['', 'Jede Aktivität'],
    ['detected', 'Noch erkannt'],
    ['gone', 'Nicht mehr erkannt'],
  ],
  clear: 'Filter zurücksetzen',
  empty: 'Keine Schwachstellen zu prüfen',
  emptyText:
    'Funde erscheinen hier, sobald ein Job einen Sicherheitsbericht veröffentlicht, zum Beispiel von SAST oder einem Abhängigkeits-Scan.',
  noMatches: 'Keine passenden Schwachstellen',
  noMatchesText:
    'Ändern Sie die Filter, oder setzen Sie sie zurück, um mehr Schwachstellen zu sehen.',
  gone: 'Nicht mehr erkannt',
  select: (title: string) => `${title} auswählen`,
  confirm: 'Bestätigen',
  dismiss: 'Verwerfen',
  dismissVulnerability: 'Schwachstelle verwerfen',
  resolve: 'Als behoben markieren',
  revert: 'Auf erkannt zurücksetzen',
  reason: 'Grund',
  reasons: [
    ['acceptable_risk', 'Akzeptables Risiko'],
    ['false_positive', 'Fehlalarm'],
    ['mitigating_control', 'Gegenmaßnahme vorhanden'],
    ['used_in_tests', 'In Tests verwendet'],
    ['not_applicable', 'Nicht zutreffend'],
  ],
  comment: 'Kommentar',
  archived: 'Das Projekt ist archiviert',
  dismissedAs: (reason: string) => `Grund: ${reason}`,
  changed: (state: string) => `Status geändert: ${state}`,
  severity: 'Schweregrad',
  confidence: 'Konfidenz',
  scanner: 'Scanner',
  location: 'Fundort',
  identifiers: 'Kennungen',
  links: 'Links',
  description: 'Beschreibung',
  noDescription: 'Der Scanner hat keine Beschreibung angegeben.',
  solution: 'Lösung',
  goneText: 'Der letzte Scan des Standard-Branches hat diese Schwachstelle nicht gefunden.',
  history: 'Verlauf',
  firstFound: 'Von einem Scan erkannt',
  changedFrom: (from: string, to: string) => `Geändert von ${from} zu ${to}`,
  foundAgain: 'Von einem Scan erneut gefunden',
  by: (name: string) => `von ${name}`,
  issues: 'Verknüpfte Issues',
  noIssues: 'Keine verknüpften Issues',
  createIssue: 'Issue erstellen',
  issueCreated: (iid: number) => `Issue #${iid} erstellt`,
  issueTitle: (title: string) => `Schwachstelle untersuchen: ${title}`,
  linkIssue: 'Issue verknüpfen',
  issueNumber: 'Issue-Nummer',
  unlink: 'Verknüpfung entfernen',
  createdFrom: 'Aus dieser Schwachstelle erstellt',
  issueOf: (id: number, url: string) => `Schwachstelle [${id}](${url})`,
  lines: {
    severity: (word: string) => `Schweregrad: ${word}`,
    scanner: (name: string) => `Scanner: ${name}`,
    location: (place: string) => `Fundort: ${place}`,
    identifiers: (names: string) => `Kennungen: ${names}`,
  },
}

export const vulnerabilityExports: typeof english.vulnerabilityExports = {
  export: 'Als CSV exportieren',
  title: 'Export',
  created: 'Wartet auf Start',
  running: 'Wird erstellt',
  finished: 'Bereit',
  failed: 'Fehlgeschlagen',
  progress: 'Exportierte Zeilen',
  percent: (percent: number) => `${percent} %`,
  percentAndTime: (percent: number, left_s: number) =>
    `${percent} %, noch etwa ${formatDuration(left_s)}`,
  since: 'Angefordert',
  failedText: 'Der Export konnte nicht erstellt werden. Fordern Sie ihn erneut an.',
  keptText: 'Die Datei wird eine Stunde lang aufbewahrt.',
  expired: 'Dieser Export ist abgelaufen. Fordern Sie ihn erneut an.',
  download: 'CSV herunterladen',
  close: 'Export schließen',
}

export const dependencies: typeof english.dependencies = {
  lead: 'Pakete, die der Standard-Branch verwendet, aus Abhängigkeits-Scans oder Lock-Dateien.',
  groupLead: 'Pakete, die die Standard-Branches der Projekte dieser Gruppe verwenden.',
  search: 'Pakete suchen',
  manager: 'Paketmanager',
  managers: [
    ['', 'Alle Paketmanager'],
    ...[
      ...['bundler', 'composer', 'conan', 'go', 'gradle', 'maven', 'npm'],
      ...['nuget', 'pip', 'pipenv', 'yarn', 'sbt', 'setuptools'],
    ].map((name) => [name, name] as const),
  ],
  sort: 'Sortieren nach',
  sorts: [
    ['', 'Schweregrad'],
    ['name', 'Name'],
  ],
  empty: 'Keine Abhängigkeiten gefunden',
  emptyText:
    'Committen Sie eine Lock-Datei auf den Standard-Branch, oder führen Sie einen Job aus, der einen Bericht eines Abhängigkeits-Scans oder eine CycloneDX-Stückliste veröffentlicht.',
  noMatches: 'Keine passenden Abhängigkeiten',
  noMatchesText: 'Ändern Sie Suche oder Paketmanager, um mehr Abhängigkeiten zu sehen.',
  vulnerabilities: (number: number) =>
    formatCountWithNoun(number, 'Schwachstelle', 'Schwachstellen'),
  of: (name: string) => `in ${name}`,
  noLicense: 'Lizenz unbekannt',
}

export const licenses: typeof english.licenses = {
  lead: 'Lizenzen der verwendeten Pakete, und welche davon dieses Projekt erlaubt.',
  found: 'Gefundene Lizenzen',
  foundIn: 'Aus Pipeline',
  noPipeline: 'Noch keine erfolgreiche Pipeline auf dem Standard-Branch',
  noneFound: 'Keine Lizenzen gefunden',
  noneFoundText:
    'Jobs, die eine CycloneDX-Stückliste oder einen Bericht eines Lizenz-Scans veröffentlichen, listen hier Lizenzen auf.',
  noMatches: 'Keine passenden Lizenzen',
  status: 'Status',
  statuses: [
    ['', 'Alle'],
    ['denied', 'Abgelehnt'],
    ['unclassified', 'Nicht eingestuft'],
    ['allowed', 'Erlaubt'],
  ],
  words: { allowed: 'Erlaubt', denied: 'Abgelehnt', unclassified: 'Nicht eingestuft' },
  usedBy: (number: number) => `Verwendet von ${formatCountWithNoun(number, 'Paket', 'Paketen')}`,
  more: (number: number) => `und ${formatCount(number)} weitere`,
  policies: 'Richtlinien',
  noPolicies: 'Noch keine Richtlinien',
  noPoliciesText:
    'Fügen Sie eine Richtlinie hinzu, um eine Lizenz in diesem Projekt zu erlauben oder abzulehnen.',
  add: 'Richtlinie hinzufügen',
  new: 'Neue Richtlinie',
  name: 'Lizenz',
  nameHint: 'Eine SPDX-Kennung wie MIT oder ein Name.',
  policy: 'Richtlinie',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  remove: 'Richtlinie löschen',
  removeTitle: (name: string) => `Richtlinie für ${name} löschen?`,
  removeText:
    'Die Lizenz gilt dann als nicht eingestuft. Sie können die Richtlinie wieder hinzufügen.',
  menu: (name: string) => `Aktionen für Richtlinie ${name}`,
  saved: (name: string) => `Richtlinie für ${name} gespeichert`,
  removed: (name: string) => `Richtlinie für ${name} gelöscht`,
}

export const dashboard: typeof english.dashboard = {
  title: 'Sicherheits-Dashboard',
  lead: 'Schwachstellen der Projekte, die Sie auswählen. Ein Export umfasst alle diese Projekte.',
  projects: 'Projekte',
  empty: 'Noch keine Projekte in Ihrem Dashboard',
  emptyText: 'Fügen Sie Projekte hinzu, in denen Sie mindestens die Rolle Developer haben.',
  add: 'Projekt hinzufügen',
  project: 'Projekt',
  remove: 'Entfernen',
  removed: (name: string) => `${name} aus Ihrem Dashboard entfernt`,
}
