import type * as english from '../line-diff.ts'

export const lineDiff: typeof english.lineDiff = {
  noChange: 'Keine Änderungen',
  moreLines: 'Weitere Zeilen werden nicht angezeigt.',
}
