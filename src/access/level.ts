/** The numbers the API gives to roles. No role has a number between two of them. */
export const Level = {
  none: 0,
  minimal: 5,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  admin: 60,
} as const

/** The levels a membership or an invited group can have. */
export const memberLevels = [
  Level.guest,
  Level.reporter,
  Level.developer,
  Level.maintainer,
  Level.owner,
] as const

const names: Record<number, string> = {
  [Level.none]: 'No access',
  [Level.minimal]: 'Minimal Access',
  [Level.guest]: 'Guest',
  [Level.reporter]: 'Reporter',
  [Level.developer]: 'Developer',
  [Level.maintainer]: 'Maintainer',
  [Level.owner]: 'Owner',
}

export function levelName(level: number): string {
  return names[level] ?? String(level)
}
