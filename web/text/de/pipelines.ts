import { formatCountWithNoun } from '../numbers.ts'
import type * as english from '../pipelines.ts'
import { statusFilters } from './status.ts'

export const pipelines: typeof english.pipelines = {
  title: 'Pipelines',
  titleOf: (id: number) => `Pipeline ${id}`,
  run: 'Pipeline ausführen',
  empty: 'Noch keine Pipelines',
  emptyText:
    'Pipelines führen die Jobs aus Ihrer Datei .gitlab-ci.yml aus, wenn Sie Commits pushen.',
  noMatches: 'Keine passenden Pipelines',
  openEditor: 'Pipeline-Editor öffnen',
  filters: statusFilters,
  ref: 'Branch oder Tag',
  filter: 'Status',
  by: (name: string) => `von ${name}`,
  sources: {
    push: 'Push',
    web: 'Web',
    trigger: 'Trigger-Token',
    schedule: 'Zeitplan',
    api: 'API',
    pipeline: 'vorgelagerte Pipeline',
    parent_pipeline: 'Eltern-Pipeline',
    merge_request_event: 'Merge Request',
    external: 'extern',
  },
  retry: 'Fehlgeschlagene Jobs wiederholen',
  retryCanceled: 'Abgebrochene Jobs wiederholen',
  cancel: 'Pipeline abbrechen',
  delete: 'Pipeline löschen',
  deleteTitle: (id: number) => `Pipeline ${id} löschen?`,
  deleteText:
    'Die Pipeline und alle ihre Jobs, Logs und Artefakte werden gelöscht. Das kann nicht rückgängig gemacht werden.',
  stages: 'Stages',
  jobsOf: (stage: string) => `Jobs in Stage ${stage}`,
  failedJobs: 'Fehlgeschlagene Jobs',
  lastLogLinesOf: (name: string) => `Letzte Log-Zeilen von ${name}`,
  needs: (names: string) => `braucht ${names}`,
  viewLog: 'Log anzeigen',
  viewLogOf: (name: string) => `Log von ${name} anzeigen`,
  tests: 'Tests',
  testSummary: (passed: number, failed: number, skipped: number) =>
    `${passed} bestanden, ${failed} fehlgeschlagen${skipped > 0 ? `, ${skipped} übersprungen` : ''}`,
  failedTests: 'Fehlgeschlagene Tests',
  outputOf: (test: string) => `Ausgabe von ${test}`,
  moreTests: (number: number) =>
    formatCountWithNoun(number, 'weiterer fehlgeschlagener Test', 'weitere fehlgeschlagene Tests'),
  suiteAndClass: (suite: string, classname: string) =>
    [suite, classname].filter((name) => name !== '').join(' · '),
  unparsableReport: (suite: string, problem: string) =>
    `Der Testbericht von ${suite} konnte nicht gelesen werden: ${problem}`,
  licenses: 'Lizenzen',
  licenseSummary: (denied: number, unclassified: number, allowed: number) =>
    [
      denied > 0 && `${denied} abgelehnt`,
      unclassified > 0 && `${unclassified} nicht eingestuft`,
      allowed > 0 && `${allowed} erlaubt`,
    ]
      .filter(Boolean)
      .join(', '),
  coverage: 'Testabdeckung',
  percent: (share: string | number) => `${String(share).replace('.', ',')} %`,
  yamlErrors: 'Ungültige CI-Konfiguration',
  protectedRefReason: (ref: string) =>
    `${ref} ist geschützt, und Sie haben keine Berechtigung, dafür Jobs auszuführen.`,
  runJob: (job: string) => `${job} ausführen`,
  retryJob: (job: string) => `${job} wiederholen`,
  noJobs: 'Diese Pipeline hat keine Jobs',
  variables: 'Variablen',
  addVariable: 'Variable hinzufügen',
  key: 'Schlüssel',
  value: 'Wert',
  newTitle: 'Neue Pipeline',
  newLead: 'Führt die Pipeline für einen Branch oder ein Tag aus. Sie können Variablen hinzufügen.',
  artifacts: 'Artefakte',
  ended: (id: number, word: string) => `Pipeline ${id}: ${word}`,
}
