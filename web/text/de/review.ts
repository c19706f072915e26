import { formatCount, formatCountWithNoun } from '../numbers.ts'
import type * as english from '../review.ts'

export const review: typeof english.review = {
  viewed: 'Angesehen',
  viewedCount: (viewed: number, all: number) =>
    `${formatCount(viewed)} von ${formatCountWithNoun(all, 'Datei', 'Dateien')} angesehen`,
  markViewed: (path: string) => `Angesehen: ${path}`,
  toggleViewed: 'Datei als angesehen markieren',
  commentOnLine: 'Zeile kommentieren',
  commentOnFile: 'Diese Datei kommentieren',
  commentWord: 'Kommentieren',
  onFile: (path: string) => `in ${path}`,
  commentOnWhole: (path: string) => `Kommentar zu ${path}`,
  onWhole: 'zur ganzen Datei',
  onPoint: (x: number, y: number) => `zum Punkt ${x}, ${y}`,
  pointNumber: (number: number) => `Punkt ${number}`,
  commentOn: (path: string, lines: string) => `Kommentar zu ${path}, ${lines}`,
  lines: (first: number, last: number) =>
    first === last ? `Zeile ${last}` : `Zeilen ${first} bis ${last}`,
  pickLine:
    'Wählen Sie eine Zeilennummer aus, um die Zeile zu kommentieren. Mit gedrückter Umschalttaste wählen Sie mehrere Zeilen.',
  addComment: 'Kommentar sofort hinzufügen',
  addToReview: 'Zum Review hinzufügen',
  draftNote: 'Entwurf',
  editDraft: 'Entwurf bearbeiten',
  deleteDraft: 'Entwurf löschen',
  saveDraft: 'Entwurf speichern',
  drafts: (number: number) => formatCountWithNoun(number, 'Kommentarentwurf', 'Kommentarentwürfe'),
  finish: 'Review abschließen',
  finishTitle: 'Ihr Review abschließen',
  summary: 'Zusammenfassung (optional)',
  publishOnly: 'Nur kommentieren',
  publishAndApprove: 'Genehmigen',
  publishHint: 'Veröffentlicht alle Ihre Kommentarentwürfe.',
  approveHint: 'Veröffentlicht alle Ihre Kommentarentwürfe und genehmigt den Merge Request.',
  requestChanges: 'Änderungen anfordern',
  requestChangesHint:
    'Veröffentlicht alle Ihre Kommentarentwürfe und bittet um Änderungen. Das blockiert den Merge nicht.',
  submit: 'Review absenden',
  approveTitle: 'Merge Request genehmigen',
  password: 'Ihr Passwort',
  passwordHint: 'Dieses Projekt verlangt zum Genehmigen Ihr Passwort.',
  wrongPassword: 'Das Passwort ist falsch, oder Sie dürfen in diesem Projekt nicht genehmigen.',
  published: 'Review abgesendet',
  discard: 'Entwürfe verwerfen',
  discardTitle: 'Alle Kommentarentwürfe verwerfen?',
  discardText:
    'Ihre Kommentarentwürfe zu diesem Merge Request werden gelöscht. Das kann nicht rückgängig gemacht werden.',
  suggest: 'Vorschlag einfügen',
  outdated: 'Veraltet',
  suggestedChange: 'Vorgeschlagene Änderung',
  suggestionOutdated:
    'Die Zeilen haben sich seither geändert, daher lässt sich dieser Vorschlag nicht anwenden.',
  applySuggestion: 'Vorschlag übernehmen',
  addToBatch: 'Zur Auswahl hinzufügen',
  inBatch: 'In der Auswahl',
  applyBatch: (number: number) =>
    `${formatCountWithNoun(number, 'Vorschlag', 'Vorschläge')} übernehmen`,
  suggestionApplied: 'Vorschlag übernommen',
  suggestionStale:
    'Die Zeilen haben sich inzwischen geändert. Übernehmen Sie den Vorschlag von Hand.',
  suggestionMessage: (number: number) =>
    `${formatCountWithNoun(number, 'Vorschlag', 'Vorschläge')} übernehmen`,
  compareWith: 'Vergleichen mit',
  targetBranch: (branch: string) => `${branch} (Basis)`,
  version: (number: number, sha: string) => `Version ${number} (${sha})`,
  sinceLastLook: 'Änderungen seit Ihrem letzten Besuch',
  comparingVersions:
    'Sie sehen die Änderungen zwischen zwei Versionen. Kommentare erscheinen, wenn alle Änderungen angezeigt werden.',
  showAll: 'Alle Änderungen anzeigen',
}
