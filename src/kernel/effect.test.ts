import { describe, expect, it } from 'vitest'
import { declareEffect, onEffect, registerEffectSteps } from './effect.ts'

describe('an effect', () => {
  it('runs its steps in the order of the list, each after the one before', async () => {
    const done: string[] = []
    const made = declareEffect<{ name: string }>('something is made')
    const step = (label: string, turns: number) => async (input: { name: string }) => {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      done.push(`${label} ${input.name}`)
    }
    registerEffectSteps([onEffect(made, step('first', 5)), onEffect(made, step('second', 0))])
    await made.run({ name: 'x' })
    expect(done).toEqual(['first x', 'second x'])
  })

  it('ends with the step that throws', async () => {
    const done: string[] = []
    const removed = declareEffect<undefined>('something is removed')
    registerEffectSteps([
      onEffect(removed, async () => void done.push('first')),
      onEffect(removed, async () => {
        throw new Error('It cannot be.')
      }),
      onEffect(removed, async () => void done.push('third')),
    ])
    await expect(removed.run(undefined)).rejects.toThrow('It cannot be.')
    expect(done).toEqual(['first'])
  })

  it('that nothing is a step of is a fault', async () => {
    const forgotten = declareEffect<undefined>('something is forgotten')
    await expect(forgotten.run(undefined)).rejects.toThrow(
      'Effect "something is forgotten" has no handlers.',
    )
  })
})
