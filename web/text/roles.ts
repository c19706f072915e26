export const roles: readonly (readonly [string, string])[] = [
  ['10', 'Guest'],
  ['20', 'Reporter'],
  ['30', 'Developer'],
  ['40', 'Maintainer'],
  ['50', 'Owner'],
]

export const levelNames: Readonly<Record<number, string>> = {
  5: 'Minimal access',
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
}
