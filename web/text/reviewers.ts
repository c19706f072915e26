/** Words of the reviewers of a merge request. */
export const reviewers = {
  states: {
    unreviewed: 'Not yet reviewed',
    review_started: 'Review started',
    reviewed: 'Reviewed',
    requested_changes: 'Changes requested',
    approved: 'Approved',
    unapproved: 'Approval revoked',
  } as Readonly<Record<string, string>>,
  requestAgain: 'Re-request review',
  requestAgainFrom: (name: string) => `Re-request review from ${name}`,
  requested: (name: string) => `Review requested from ${name}`,
}
