import type * as english from '../roles.ts'

export const roles: typeof english.roles = [
  ['10', 'Gast'],
  ['20', 'Reporter'],
  ['30', 'Developer'],
  ['40', 'Maintainer'],
  ['50', 'Owner'],
]

export const levelNames: typeof english.levelNames = {
  5: 'Minimaler Zugriff',
  10: 'Gast',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
}
