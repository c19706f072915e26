import type * as english from '../admin-places.ts'

export const adminPlaces: typeof english.adminPlaces = {
  label: 'Administration',
  groups: [
    {
      title: 'Instanz',
      places: [
        ['/admin', 'Übersicht'],
        ['/admin/users', 'Benutzer'],
        ['/admin/groups', 'Gruppen'],
        ['/admin/projects', 'Projekte'],
      ],
    },
    {
      title: 'CI/CD',
      places: [
        ['/admin/runners', 'Runner'],
        ['/admin/jobs', 'Jobs'],
        ['/admin/ci_cd', 'Variablen'],
      ],
    },
    {
      title: 'Betrieb',
      places: [
        ['/admin/tasks', 'Hintergrundaufgaben'],
        ['/admin/storage', 'Speicher'],
        ['/admin/backups', 'Sicherungen'],
        ['/admin/nodes', 'Knoten'],
        ['/admin/clusters', 'Cluster'],
        ['/admin/pages', 'Pages'],
        ['/admin/exports', 'Exporte'],
        ['/admin/broadcast_messages', 'Rundmeldungen'],
        ['/admin/audit_events', 'Audit-Ereignisse'],
      ],
    },
    {
      title: 'Konfiguration',
      places: [
        ['/admin/settings', 'Einstellungen'],
        ['/admin/applications', 'Anwendungen'],
        ['/admin/hooks', 'System-Hooks'],
      ],
    },
  ],
}

export const broadcastPlace: typeof english.broadcastPlace = {
  label: 'Meldungen der Administration',
  dismiss: (message: string) => `Meldung ausblenden: ${message}`,
}

export const impersonation: typeof english.impersonation = {
  label: 'Identitätswechsel',
  actingAs: (name: string, username: string) => `Sie handeln als ${name} (@${username}).`,
  stop: 'Zur eigenen Identität zurückkehren',
}

export const instanceVariables: typeof english.instanceVariables = { title: 'CI/CD-Variablen' }
