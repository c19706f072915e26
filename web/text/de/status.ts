import type * as english from '../status.ts'

export const statusWords: typeof english.statusWords = {
  success: 'erfolgreich',
  passed: 'erfolgreich',
  failed: 'fehlgeschlagen',
  running: 'läuft',
  pending: 'ausstehend',
  waiting: 'wartet',
  waiting_for_resource: 'wartet auf Ressource',
  waiting_for_callback: 'wartet auf Rückmeldung',
  preparing: 'wird vorbereitet',
  created: 'erstellt',
  scheduled: 'geplant',
  manual: 'manuell',
  blocked: 'blockiert',
  canceled: 'abgebrochen',
  canceling: 'wird abgebrochen',
  skipped: 'übersprungen',
  warning: 'fehlgeschlagen (darf fehlschlagen)',
  online: 'online',
  offline: 'offline',
  active: 'aktiv',
  paused: 'pausiert',
  stale: 'veraltet',
  never_contacted: 'noch nie verbunden',
  opened: 'offen',
  closed: 'geschlossen',
  merged: 'gemergt',
  locked: 'wird gemergt',
}

export const statusFilters: typeof english.statusFilters = [
  ['', 'Alle'],
  ['running', 'Läuft'],
  ['pending', 'Ausstehend'],
  ['success', 'Erfolgreich'],
  ['failed', 'Fehlgeschlagen'],
]
