import { describe, expect, it } from 'vitest'
import type { CiStatus } from '../kernel/ci-status.ts'
import { derivePipelineStatus } from './job-states.ts'

/** A trailing question mark: the job may fail. */
const jobsOf = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({
      status: word.replace('?', '') as CiStatus,
      allow_failure: word.endsWith('?'),
    }))

describe('the status of a pipeline', () => {
  it.each([
    ['', 'created'],
    ['success', 'success'],
    ['success skipped', 'success'],
    ['success failed?', 'success'],
    ['success canceled?', 'success'],
    ['failed?', 'success'],
    ['success manual?', 'success'],
    ['skipped', 'skipped'],
    ['skipped manual?', 'skipped'],
    ['manual?', 'skipped'],
    ['created', 'created'],
    ['created failed?', 'created'],
    ['created manual?', 'created'],
    ['preparing', 'preparing'],
    ['preparing created', 'preparing'],
    ['canceled', 'canceled'],
    ['canceled success', 'canceled'],
    ['canceled failed', 'failed'],
    ['pending', 'pending'],
    ['pending created skipped', 'pending'],
    ['pending success', 'running'],
    ['pending failed', 'running'],
    ['running', 'running'],
    ['running failed', 'running'],
    ['success created', 'running'],
    ['waiting_for_resource success', 'waiting_for_resource'],
    ['manual success', 'manual'],
    ['manual created', 'manual'],
    ['scheduled success', 'scheduled'],
    ['preparing success', 'preparing'],
    ['failed', 'failed'],
    ['failed success', 'failed'],
    ['failed skipped', 'failed'],
    ['failed success failed?', 'failed'],
  ] as const)('of %j is %s', (jobs, status) => {
    expect(derivePipelineStatus(jobsOf(jobs))).toBe(status)
    expect(derivePipelineStatus(jobsOf(jobs).toReversed())).toBe(status)
  })
})
