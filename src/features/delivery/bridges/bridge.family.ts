import type { Family } from '../../family.ts'
import { startDownstream } from './start-downstream.ts'
import { tellUpstream } from './tell-upstream.ts'

export const bridgeFamily: Family = {
  tasks: [startDownstream, tellUpstream],
}
