import type * as english from '../issue-links.ts'

export const issueLinks: typeof english.issueLinks = {
  linked: 'Verknüpfte Issues',
  linkedEmpty: 'Keine verknüpften Issues',
  linkAdd: 'Verknüpfung hinzufügen',
  linkRemove: (reference: string) => `Verknüpfung mit ${reference} entfernen`,
  linkField: 'Zu verknüpfendes Issue',
  linkHint:
    'Suchen Sie nach dem Titel, oder geben Sie eine Referenz wie #123 oder gruppe/projekt#123 ein.',
  linkType: 'Beziehung',
  linkTypes: [
    ['relates_to', 'Verwandt mit'],
    ['blocks', 'Blockiert'],
    ['is_blocked_by', 'Wird blockiert von'],
  ],
  linkWords: {
    relates_to: 'Verwandt mit',
    blocks: 'Blockiert',
    is_blocked_by: 'Wird blockiert von',
  },
  relatedRequests: 'Zugehörige Merge Requests',
  createBranch: 'Merge Request erstellen',
}
