import type * as english from '../reviewers.ts'

export const reviewers: typeof english.reviewers = {
  states: {
    unreviewed: 'Noch nicht geprüft',
    review_started: 'Review begonnen',
    reviewed: 'Geprüft',
    requested_changes: 'Änderungen angefordert',
    approved: 'Genehmigt',
    unapproved: 'Genehmigung zurückgezogen',
  },
  requestAgain: 'Review erneut anfordern',
  requestAgainFrom: (name: string) => `Review erneut von ${name} anfordern`,
  requested: (name: string) => `Review von ${name} angefordert`,
}
