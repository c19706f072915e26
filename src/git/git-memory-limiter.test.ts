import { describe, expect, it } from 'vitest'
import { limits } from '../kernel/limits.ts'
import { runAsWork } from '../kernel/work-attribution.ts'
import { GitMemoryLimiter } from './git-memory-limiter.ts'

const mb = 1024 * 1024
const { reserve_bytes, read } = limits.git_memory

/** A machine with so much left for programs that run already hold nothing. */
function machine({ left_mb, max_mb = 1_000_000 }: { left_mb: number; max_mb?: number }) {
  const state = { left_mb, held_mb: 0 }
  const turns = new GitMemoryLimiter({
    available_bytes: () => state.left_mb * mb + reserve_bytes,
    held_bytes: () => state.held_mb * mb,
    max_bytes: max_mb * mb,
  })
  const reserve = (user: string, reserved_mb: number) =>
    runAsWork({ holder: user, name: 'test' }, () => turns.reserve(reserved_mb * mb))
  return { state, turns, reserve }
}

describe('a program that needs memory', () => {
  it('starts when the machine has it, counting what others have reserved and not yet taken', async () => {
    const { turns, reserve } = machine({ left_mb: 1000 })
    const first = await reserve('a', 400)
    await reserve('b', 400)
    const third = reserve('c', 300)
    expect(turns.waiting).toBe(1)
    first()
    await third
    expect(turns.waiting).toBe(0)
  })

  it('does not count twice what running programs have taken', async () => {
    const { state, turns, reserve } = machine({ left_mb: 1000 })
    await reserve('a', 400)
    Object.assign(state, { left_mb: 600, held_mb: 400 })
    await reserve('b', 400)
    expect(turns.waiting).toBe(0)
  })

  it('starts when the machine has memory again, although no program of git has ended', async () => {
    const { state, reserve } = machine({ left_mb: 100 })
    await reserve('a', 100)
    const second = reserve('b', 200)
    state.left_mb = 1000
    await second
  })

  it('runs alone where it needs more than there is', async () => {
    const { reserve } = machine({ left_mb: 100 })
    await reserve('a', 5000)
  })

  it('of one caller leaves half of the machine to others', async () => {
    const { turns, reserve } = machine({ left_mb: 1000 })
    await reserve('a', 400)
    void reserve('a', 200)
    expect(turns.waiting).toBe(1)
    await reserve('b', 400)
  })

  it('stays below the bound of the settings', async () => {
    const { turns, reserve } = machine({ left_mb: 10_000, max_mb: 500 })
    await reserve('a', 200)
    void reserve('b', 400)
    expect(turns.waiting).toBe(1)
  })

  it('does not wait where it needs little', async () => {
    const { turns, reserve } = machine({ left_mb: 0 })
    await reserve('a', 1000)
    await reserve('b', 90)
    expect(turns.waiting).toBe(0)
  })
})

describe('a program that answers a question', () => {
  it.each([
    [0, read.bytes_min],
    [800, Math.round(0.4 * (800 * mb + reserve_bytes))],
    [100_000, read.bytes_max],
  ])('with %d MB left may hold %d bytes', (left_mb, bytes) => {
    expect(machine({ left_mb }).turns.answerMax_bytes()).toBe(bytes)
  })
})
