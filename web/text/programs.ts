import { readUserAgent } from './user-agents.ts'

/** The program of a `User-Agent` as people call it, `Firefox on Linux`; one that is not known says what it says. */
export function programOfUserAgent(agent: string): string {
  const { program, system } = readUserAgent(agent)
  if (!program) return agent
  return system ? `${program} on ${system}` : program
}
