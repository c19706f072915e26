import { expect, it } from 'vitest'
import { sharedApp } from '../../test/kit/world.ts'
import { anonymous } from '../access/actor.ts'
import { anyone } from '../access/rule.ts'
import { ApiError, forbidden, notFound, unauthorized } from '../kernel/errors.ts'
import { canCallEach } from './can-call-each.ts'
import { endpoint } from './endpoint.ts'

/** Whether anyone may call an endpoint whose loader fails with the error. */
async function canCall(error: Error): Promise<boolean[]> {
  const { db } = await sharedApp()
  const on = { parameters: {}, load: () => Promise.reject(error) }
  const about = { route: 'GET /things/:id', summary: 'Get a thing', tag: 'Things' } as const
  const thing = endpoint({ ...about, on, allow: anyone, run: async () => undefined })
  return canCallEach([thing], { db, actor: anonymous, tier: 'ultimate', parameters: { id: '1' } })
}

it.each([unauthorized(), forbidden(), notFound()])(
  'nobody can call an endpoint whose loader refuses them with $status',
  async (error) => {
    expect(await canCall(error)).toEqual([false])
  },
)

it.each([new ApiError('conflict', 'Not now'), new Error('The disk is full')])(
  'a loader that fails with "$message" is no refusal',
  async (error) => {
    await expect(canCall(error)).rejects.toBe(error)
  },
)
