// The processes of the machine.
import { readdirSync, readFileSync } from 'node:fs'

/** The ids of processes whose command line satisfies a condition; its arguments are divided by spaces (proc(5)). */
export function findProcesses(fits: (command: string) => boolean): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return /^\d+$/.test(name) && fits(command.trim()) ? [Number(name)] : []
    } catch {
      // It has ended, or is no process.
      return []
    }
  })
}
