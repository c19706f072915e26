import type * as english from '../new-request.ts'

export const newRequest: typeof english.newRequest = {
  create: 'Merge Request erstellen',
  createDraft: 'Als Entwurf markieren',
  createDraftHint: 'Ein Entwurf kann erst gemergt werden, wenn er als bereit markiert ist.',
  targetProject: 'Zielprojekt',
  chooseBranches: 'Branches wählen',
  sameBranch: 'Wählen Sie zwei verschiedene Branches.',
  noChanges:
    'Es gibt nichts zu mergen: Der Ziel-Branch enthält bereits alle Commits des Quell-Branches.',
  branchNotFound: (source, target) =>
    `Den Branch ${source} oder ${target} gibt es nicht. Vielleicht wurde er gelöscht oder umbenannt.`,
  alreadyOpen: 'Für diese Branches gibt es bereits einen offenen Merge Request.',
  viewOpen: 'Merge Request anzeigen',
  allowCollaboration: 'Commits von Mitgliedern erlauben, die in den Ziel-Branch mergen dürfen',
}
