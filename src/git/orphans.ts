// Finds programs whose spawn helper has died, by an environment variable that the helper sets and that programs pass on
// to their children. Without Linux's /proc none are found.
import { readdirSync, readFileSync } from 'node:fs'

const variable = 'BLOOMERY_SPAWN_HELPER'
const grace_ms = 2000

/** The environment variable that identifies the programs of one spawn helper; `id` is unique to the helper. */
export function orphanMarkEnvironment(id: string): Record<string, string> {
  return { [variable]: id }
}

/** Ends every program that a dead helper left behind: SIGTERM first, SIGKILL after two seconds. */
export function killOrphanedPrograms(id: string): void {
  const end = (signal: 'SIGTERM' | 'SIGKILL') => {
    for (const pid of processesMarked(id)) signalProcess(pid, signal)
  }
  end('SIGTERM')
  setTimeout(() => end('SIGKILL'), grace_ms).unref()
}

function processesMarked(id: string): number[] {
  const mark = `${variable}=${id}\0`
  return listProcesses().filter((pid) => readEnvironment(pid).includes(mark))
}

function listProcesses(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Empty for a process that has ended, or is another user's. */
function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

function signalProcess(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process ended just now.
  }
}
