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

/** The program and the system of a `User-Agent`, as far as they are known. */
export function readUserAgent(agent: string): { program?: string; system?: string } {
  const [, program] = programs.find(([mark]) => agent.includes(mark)) ?? []
  const [, system] = systems.find(([mark]) => agent.includes(mark)) ?? []
  return { ...(program && { program }), ...(system && { system }) }
}
