import type { Family } from '../../family.ts'
import { notifyUpstreamTask } from './notify-upstream.ts'
import { startDownstreamTask } from './start-downstream.ts'

export const bridgeFamily: Family = {
  tasks: [startDownstreamTask, notifyUpstreamTask],
}
