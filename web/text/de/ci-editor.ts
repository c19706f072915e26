import type * as english from '../ci-editor.ts'

export const ciEditor: typeof english.ciEditor = {
  title: 'Pipeline-Editor',
  lead: (path: string) =>
    `Bearbeiten Sie ${path}. Die Konfiguration wird während der Eingabe geprüft.`,
  contentsOf: (path: string) => `Inhalt von ${path}`,
  storedElsewhere:
    'Die CI-Konfiguration dieses Projekts liegt in einem anderen Projekt oder unter einer URL. Bearbeiten Sie sie dort.',
  valid: 'Die CI-Konfiguration ist gültig.',
  invalid: 'Die CI-Konfiguration ist ungültig.',
  errors: 'Fehler',
  warnings: 'Warnungen',
  jobs: 'Jobs in einer Pipeline für den Standard-Branch',
  stage: (name: string) => `Stage: ${name}`,
  message: 'Commit-Nachricht',
  defaultMessage: 'CI-Konfiguration aktualisieren',
  branch: 'Ziel-Branch',
  commit: 'Änderungen committen',
  committed: 'Änderungen committet. In Kürze startet eine Pipeline.',
  template: `stages: [test]

test:
  stage: test
  script:
    - echo "Hallo"
`,
}
