import { describe, expect, it } from 'vitest'
import { Budget } from './budget.ts'
import { currentHolder, workFor } from './holder.ts'

const limits = {
  running_max: 2,
  running_of_one_max: 1,
  waiting_max: 4,
  waiting_of_one_max: 3,
  waiting_ms_max: 60_000,
}

describe('a budget', () => {
  it('lets each have their part, and all together no more than there is', async () => {
    const budget = new Budget(limits)
    await budget.acquire('a')
    await budget.acquire('b')
    const waiting = [budget.acquire('a'), budget.acquire('c')]
    expect([budget.running, budget.waiting]).toEqual([2, 2])
    expect(waiting).toHaveLength(2)
  })

  it('gives turns in rotation, not in the order of arrival', async () => {
    const budget = new Budget({ ...limits, running_max: 1, running_of_one_max: 1 })
    const order: string[] = []
    let end = await budget.acquire('first')
    const take = async (name: string, holder: string) => {
      const release = await budget.acquire(holder)
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
    const budget = new Budget({ ...limits, running_max: 1 })
    await budget.acquire('a')
    const waiting = ['a', 'a', 'a'].map((holder) => budget.acquire(holder))
    await expect(budget.acquire('a')).rejects.toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
    })
    waiting.push(budget.acquire('b'))
    await expect(budget.acquire('c')).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    })
    expect(waiting).toHaveLength(4)
  })

  it('refuses who waits for too long, and gives their place to the next', async () => {
    const budget = new Budget({ ...limits, running_max: 1, waiting_ms_max: 5 })
    const end = await budget.acquire('a')
    await expect(budget.acquire('b')).rejects.toMatchObject({ status: 503 })
    expect(budget.waiting).toBe(0)
    end()
    end()
    expect(budget.running).toBe(0)
    await budget.acquire('c')
  })

  it('lets who goes away out of the line', async () => {
    const budget = new Budget({ ...limits, running_max: 1 })
    await budget.acquire('a')
    const gone = new AbortController()
    const waiting = budget.acquire('b', gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(budget.waiting).toBe(0)
  })

  it('counts what follows from a call on account of who made it', async () => {
    const later = async () => {
      await new Promise(setImmediate)
      return currentHolder()
    }
    expect(await workFor('user:7', later)).toBe('user:7')
    expect(currentHolder()).toBe('server')
  })
})
