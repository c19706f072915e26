import { describe, expect, it } from 'vitest'
import { FairLimiter } from './fair-limiter.ts'
import {
  currentWorkHolder,
  lastActiveWork,
  markWorkResumed,
  runAsWork,
} from './work-attribution.ts'

const limits = {
  running_max: 2,
  running_of_one_max: 1,
  waiting_max: 4,
  waiting_of_one_max: 3,
  waiting_ms_max: 60_000,
}

describe('a budget', () => {
  it('lets each have their part, and all together no more than there is', async () => {
    const budget = new FairLimiter(limits)
    const ends = [await budget.acquire({ holder: 'a' }), await budget.acquire({ holder: 'b' })]
    const waiting = [budget.acquire({ holder: 'a' }), budget.acquire({ holder: 'c' })]
    expect([budget.running, budget.waiting]).toEqual([2, 2])
    for (const end of ends) end()
    await Promise.all(waiting)
    expect([budget.running, budget.waiting]).toEqual([2, 0])
  })

  it('gives turns in rotation, not in the order of arrival', async () => {
    const budget = new FairLimiter({ ...limits, running_max: 1, running_of_one_max: 1 })
    const order: string[] = []
    let end = await budget.acquire({ holder: 'first' })
    const take = async (name: string, holder: string) => {
      const release = await budget.acquire({ holder })
      order.push(name)
      end = release
    }
    const all = [take('a1', 'a'), take('a2', 'a'), take('a3', 'a'), take('b1', 'b')]
    for (const _ of all) {
      end()
      await new Promise(setImmediate)
    }
    await Promise.all(all)
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  it('refuses one who waits for too much with 429, and everybody with 503', async () => {
    const budget = new FairLimiter({ ...limits, running_max: 1 })
    const end = await budget.acquire({ holder: 'a' })
    const pass = async (holder: string) => (await budget.acquire({ holder }))()
    const waiting = ['a', 'a', 'a'].map(pass)
    await expect(budget.acquire({ holder: 'a' })).rejects.toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
    })
    waiting.push(pass('b'))
    await expect(budget.acquire({ holder: 'c' })).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    })
    end()
    await Promise.all(waiting)
    expect([budget.running, budget.waiting]).toEqual([0, 0])
  })

  it('refuses who waits for too long, and gives their place to the next', async () => {
    const budget = new FairLimiter({ ...limits, running_max: 1, waiting_ms_max: 5 })
    const end = await budget.acquire({ holder: 'a' })
    await expect(budget.acquire({ holder: 'b' })).rejects.toMatchObject({ status: 503 })
    expect(budget.waiting).toBe(0)
    end()
    end()
    expect(budget.running).toBe(0)
    await budget.acquire({ holder: 'c' })
  })

  it('lets who goes away out of the line', async () => {
    const budget = new FairLimiter({ ...limits, running_max: 1 })
    await budget.acquire({ holder: 'a' })
    const gone = new AbortController()
    const waiting = budget.acquire({ holder: 'b', signal: gone.signal })
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(budget.waiting).toBe(0)
  })

  it('lets who came last go first where it is told to, and drops who has waited longest', async () => {
    const budget = new FairLimiter({
      ...limits,
      running_max: 1,
      waiting_max: 2,
      isNewestFirst: true,
    })
    let end = await budget.acquire({ holder: 'a' })
    const order: string[] = []
    const take = async (holder: string) => {
      const release = await budget.acquire({ holder })
      order.push(holder)
      end = release
    }
    const dropped = take('b').catch((error) => error.status)
    const served = [take('c'), take('d')]
    expect(await dropped).toBe(503)
    for (const _ of served) {
      end()
      await new Promise(setImmediate)
    }
    expect(order).toEqual(['d', 'c'])
  })

  it('counts a turn for what it costs', async () => {
    const budget = new FairLimiter({ ...limits, running_max: 10, running_of_one_max: 8 })
    const end = await budget.acquire({ holder: 'a', cost: 8 })
    const small = budget.acquire({ holder: 'a' })
    const other = budget.acquire({ holder: 'b', cost: 3 })
    expect(budget.waiting).toBe(2)
    end()
    await Promise.all([small, other])
    expect(budget.running).toBe(4)
  })

  it('counts what follows from a call on account of who made it', async () => {
    const later = async () => {
      await new Promise(setImmediate)
      return currentWorkHolder()
    }
    expect(await runAsWork({ holder: 'user:7', name: 'GET /x' }, later)).toBe('user:7')
    expect(currentWorkHolder()).toBe('server')
  })

  it('knows what was under way last', async () => {
    const first = runAsWork({ holder: 'user:1', name: 'first' }, async () => {
      await new Promise(setImmediate)
      markWorkResumed()
      return lastActiveWork().name
    })
    runAsWork({ holder: 'user:2', name: 'second' }, () => {})
    expect(lastActiveWork().name).toBe('second')
    expect(await first).toBe('first')
  })
})
