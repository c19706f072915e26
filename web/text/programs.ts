/** Marks of programs in what they say of themselves; of several the first counts, since many claim to be others too. */
const programs = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Vivaldi/', 'Vivaldi'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** The program of a `User-Agent` as people call it, `Firefox on Linux`; one that is not known says what it says. */
export function programOfUserAgent(agent: string): string {
  const [, program] = programs.find(([mark]) => agent.includes(mark)) ?? []
  const [, system] = systems.find(([mark]) => agent.includes(mark)) ?? []
  if (!program) return agent
  return system ? `${program} on ${system}` : program
}
