import type * as english from '../instance-settings.ts'

export const settingText: typeof english.settingText = {
  title: 'Einstellungen',
  lead: 'Einstellungen der gesamten Instanz. Sie gelten sofort und auf jedem Knoten.',
  search: 'Einstellungen suchen',
  noMatches: 'Keine passenden Einstellungen',
  save: 'Änderungen speichern',
  saved: 'Einstellungen gespeichert',
  subjects: {
    defaults: 'Neue Benutzer, Projekte und Gruppen',
    limits: 'Größenlimits',
    pipelines: 'CI/CD',
    network: 'Ausgehende Anfragen',
    pages: 'Pages',
    signUp: 'Registrierung',
    signIn: 'Anmeldung',
    rates: 'Ratenlimits',
  },
  fields: {
    default_projects_limit: ['Projektlimit neuer Benutzer', ''],
    user_default_external: [
      'Neue Benutzer sind extern',
      'Externe Benutzer sehen nur öffentliche Projekte und Projekte, in denen sie Mitglied sind.',
    ],
    default_project_visibility: ['Standard-Sichtbarkeit von Projekten', ''],
    default_group_visibility: ['Standard-Sichtbarkeit von Gruppen', ''],
    default_branch_name: ['Name des Standard-Branches', 'Leer lassen für main.'],
    file_template_project_id: [
      'Projekt mit Dateivorlagen (ID)',
      'Seine Vorlagen werden in allen Projekten angeboten. Für keine leer lassen.',
    ],
    max_attachment_size: ['Maximale Größe eines Anhangs (MB)', ''],
    repository_size_limit: [
      'Größenlimit von Repositorys (MB)',
      'Pushes darüber hinaus werden abgelehnt. 0 bedeutet kein Limit.',
    ],
    max_pages_size: ['Maximale Größe einer Pages-Website (MB)', '0 bedeutet kein Limit.'],
    wiki_page_max_content_bytes: ['Maximale Größe einer Wiki-Seite (Bytes)', ''],
    allow_jobs_without_isolation: [
      'Jobs des eingebauten Runners ohne Sandbox ausführen',
      'Nur wenn Sie allen vertrauen, die pushen dürfen: Jobs laufen dann als Benutzer des Servers.',
    ],
    push_event_hooks_limit: [
      'Maximale Anzahl Branches oder Tags eines Pushs, die Webhooks auslösen',
      'Ein Push, der mehr Branches oder Tags ändert, löst keine Webhooks aus.',
    ],
    allow_local_requests_from_web_hooks_and_services: [
      'Webhooks dürfen das lokale Netzwerk erreichen',
      'Ebenso Mirrors, Statusprüfungen und Cluster.',
    ],
    allow_local_requests_from_system_hooks: [
      'System-Hooks dürfen das lokale Netzwerk erreichen',
      '',
    ],
    outbound_local_requests_whitelist: [
      'Lokale Adressen, die erreicht werden dürfen',
      'Eine pro Zeile: Hostnamen, IP-Adressen oder Bereiche wie 10.0.0.0/8. Anfragen an sie sind immer erlaubt.',
    ],
    pages_domain_verification_enabled: [
      'Domains müssen verifiziert werden',
      'Eine eigene Domain liefert eine Website aus, sobald ihr Inhaber einen DNS-Eintrag gesetzt hat.',
    ],
    signup_enabled: [
      'Registrierung aktiviert',
      'Alle können unter /users/sign_up ein Konto erstellen. Mit BLOOMERY_CONFIRM_EMAILS müssen sie ihre E-Mail-Adresse bestätigen.',
    ],
    require_admin_approval_after_user_signup: [
      'Administratoren genehmigen neue Konten',
      'Neue Benutzer können sich erst anmelden, wenn ein Administrator ihr Konto genehmigt hat.',
    ],
    domain_allowlist: [
      'Für die Registrierung erlaubte Domains',
      'Eine pro Zeile. Nur Benutzer mit E-Mail-Adressen dieser Domains können sich registrieren. * ist ein Platzhalter. Leer lassen, um alle zu erlauben.',
    ],
    domain_denylist_enabled: ['Domains von der Registrierung ausschließen', ''],
    domain_denylist: [
      'Von der Registrierung ausgeschlossene Domains',
      'Eine pro Zeile. Benutzer mit E-Mail-Adressen dieser Domains können sich nicht registrieren. * ist ein Platzhalter.',
    ],
    email_restrictions_enabled: ['E-Mail-Adressen für die Registrierung einschränken', ''],
    email_restrictions: [
      'Abgelehnte E-Mail-Adressen',
      'Ein regulärer Ausdruck. Benutzer, deren E-Mail-Adresse zu ihm passt, können sich nicht registrieren, außer bei einer erlaubten Domain.',
    ],
    minimum_password_length: [
      'Mindestlänge des Passworts bei der Registrierung',
      'Nie weniger als 8 Zeichen.',
    ],
    password_authentication_enabled_for_web: [
      'Anmeldung mit Passwort für OAuth-Anwendungen erlauben',
      'Aktiviert den OAuth-Grant-Typ password.',
    ],
  },
  rate: {
    authenticated_api: 'API-Anfragen angemeldeter Benutzer',
    unauthenticated_api: 'API-Anfragen von Besuchern',
    authenticated_files_api: 'Datei-API-Anfragen angemeldeter Benutzer',
    unauthenticated_files_api: 'Datei-API-Anfragen von Besuchern',
    incident_management_notification: 'Alarme von Monitoring-Werkzeugen',
  },
  rateEnabled: (what: string) => `${what} begrenzen`,
  rateRequests: (what: string) => `${what}: maximale Anzahl`,
  ratePeriod: (what: string) => `${what}: Zeitraum in Sekunden`,
  visibilities: [
    ['private', 'Privat'],
    ['internal', 'Intern'],
    ['public', 'Öffentlich'],
  ],
  configuration: 'Server-Konfiguration',
  configurationLead:
    'Festgelegt in der Umgebung des Servers oder in bloomery.json. Die meisten Änderungen erfordern einen Neustart.',
  unset: 'nicht gesetzt',
  secret: 'Konfiguriert',
}
