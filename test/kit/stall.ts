import { setTimeout as wait } from 'node:timers/promises'

const look_ms = 10

/**
 * The longest time, in milliseconds, in which nobody else got a turn while the task ran: what this thread
 * computed between two turns of the event loop. What the machine did for others meanwhile is not counted.
 */
export async function longestStall(task: () => Promise<unknown>): Promise<number> {
  let longest_us = 0
  let last = process.threadCpuUsage()
  const look = () => {
    const now = process.threadCpuUsage()
    longest_us = Math.max(longest_us, now.user - last.user + (now.system - last.system))
    last = now
  }
  const timer = setInterval(look, look_ms)
  // A turn is measured from one look to the next, so there has to be one before and one after.
  await wait(3 * look_ms)
  longest_us = 0
  await task()
  await wait(3 * look_ms)
  clearInterval(timer)
  look()
  return longest_us / 1000
}

/**
 * What part of all that this thread computed for the task was in the longest time in which nobody else got a turn, from 0
 * to 1; it does not depend on how quick the machine is.
 */
export async function longestStallShare(task: () => Promise<unknown>): Promise<number> {
  let total_ms = 0
  const longest_ms = await longestStall(async () => {
    const before = process.threadCpuUsage()
    await task()
    const after = process.threadCpuUsage()
    total_ms = (after.user - before.user + (after.system - before.system)) / 1000
  })
  return longest_ms / total_ms
}
