import type * as english from '../admin-lists.ts'
import { formatBytes, formatCountWithNoun } from '../numbers.ts'

export const adminSites: typeof english.adminSites = {
  title: 'Pages-Websites',
  lead: 'Die Websites, die Projekte auf diesem Server veröffentlicht haben.',
  list: 'Pages-Websites',
  empty: 'Noch keine Pages-Websites',
  emptyText: 'Websites erscheinen hier, sobald ein Pages-Job sie veröffentlicht hat.',
  size: (size: number, files: number) =>
    `${formatBytes(size)} in ${formatCountWithNoun(files, 'Datei', 'Dateien')}`,
  deployed: 'Letztes Deployment',
  access: {
    public: 'Alle',
    enabled: 'Alle mit Zugriff auf das Projekt',
    private: 'Projektmitglieder',
    disabled: 'Deaktiviert',
  },
  domains: (names: string) => `Domains: ${names}`,
  unverified: (domain: string) => `${domain} (nicht verifiziert)`,
  settings: 'Einstellungen',
  settingsOf: (path: string) => `Einstellungen von ${path}`,
}

export const adminExports: typeof english.adminExports = {
  title: 'Schwachstellen-Exporte',
  lead: 'Schwachstellen-Exporte der letzten Stunde. Nur wer einen Export angefordert hat, kann ihn herunterladen.',
  list: 'Schwachstellen-Exporte',
  empty: 'Keine aktuellen Exporte',
  emptyText: 'Exporte von Schwachstellenberichten erscheinen hier eine Stunde lang.',
  statuses: {
    created: 'Wartet auf Start',
    running: 'Wird erstellt',
    finished: 'Bereit',
    failed: 'Fehlgeschlagen',
  },
  dashboard: 'Sicherheits-Dashboard',
  progress: 'Exportierte Zeilen',
  by: 'Angefordert von',
  finished: 'Beendet',
  started: 'Gestartet',
  attempts: (number: number) => formatCountWithNoun(number, 'Versuch', 'Versuche'),
  size: formatBytes,
}
