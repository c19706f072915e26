import type { Family } from '../../family.ts'
import { notifyUpstream } from './notify-upstream.ts'
import { startDownstream } from './start-downstream.ts'

export const bridgeFamily: Family = {
  tasks: [startDownstream, notifyUpstream],
}
