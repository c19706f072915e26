import type * as english from '../programs.ts'
import { readUserAgent } from '../user-agents.ts'

export const programOfUserAgent: typeof english.programOfUserAgent = (agent) => {
  const { program, system } = readUserAgent(agent)
  if (!program) return agent
  return system ? `${program} unter ${system}` : program
}
