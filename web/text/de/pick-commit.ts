import type * as english from '../pick-commit.ts'

export const pickCommit: typeof english.pickCommit = {
  revertTitle: 'Merge Request rückgängig machen',
  cherryPickTitle: 'Cherry-Pick des Merge Requests',
  intoBranch: 'Branch',
  newRequestFromIt: 'Neuen Merge Request mit dieser Änderung erstellen',
}
