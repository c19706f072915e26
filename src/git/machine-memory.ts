// Measures the memory that the machine has left for git programs: what the kernel reports, and the limits of the control
// groups of this process (a container, a systemd unit). The server and the spawn helper use it.
import { readFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { dirname, join } from 'node:path'

/** The folders of Linux's virtual file systems; tests pass folders of their own. */
export type MemoryFiles = { proc: string; cgroup: string }

const systemFiles: MemoryFiles = { proc: '/proc', cgroup: '/sys/fs/cgroup' }

/**
 * Bytes that could be allocated now without swapping: `MemAvailable` of proc(5), or less where a memory control group
 * has less left (cgroups(7), versions 1 and 2). Pages that only cache files count as available, because the kernel
 * drops them when programs need memory.
 */
export function readAvailableMemory_bytes(files: MemoryFiles = systemFiles): number {
  const meminfo = readText(join(files.proc, 'meminfo'))
  const available_kb = /^MemAvailable:\s+(\d+) kB$/m.exec(meminfo)?.[1]
  const machine_bytes = available_kb === undefined ? freemem() : Number(available_kb) * 1024
  const left_bytes = controlGroups(files).map(leftInGroup_bytes)
  return Math.max(0, Math.min(machine_bytes, ...left_bytes))
}

/** A memory control group: its folder, and whether it is of version 1. */
type ControlGroup = { folder: string; isVersion1: boolean }

/** The memory control group of this process, and all groups above it, whose limits count as well. */
function controlGroups({ proc, cgroup }: MemoryFiles): ControlGroup[] {
  const lines = readText(join(proc, 'self/cgroup')).split('\n')
  return lines.flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    const isVersion1 = controllers.split(',').includes('memory')
    if (!isVersion1 && (controllers !== '' || path === '')) return []
    const root = isVersion1 ? join(cgroup, 'memory') : cgroup
    const groups: ControlGroup[] = []
    for (let at = path; at !== '/'; at = dirname(at)) {
      groups.push({ folder: join(root, at), isVersion1 })
    }
    return [...groups, { folder: root, isVersion1 }]
  })
}

/** Infinity for a group without a limit, or one whose files are not visible here. */
function leftInGroup_bytes({ folder, isVersion1 }: ControlGroup): number {
  const [limitName, usageName, fileName, sharedName] = isVersion1
    ? ['memory.limit_in_bytes', 'memory.usage_in_bytes', 'total_cache', 'total_shmem']
    : ['memory.max', 'memory.current', 'file', 'shmem']
  const limit_bytes = Number(readText(join(folder, limitName)).trim() || Number.NaN)
  const usage_bytes = Number(readText(join(folder, usageName)).trim() || Number.NaN)
  if (!Number.isFinite(limit_bytes) || !Number.isFinite(usage_bytes))
    return Number.POSITIVE_INFINITY
  const stat = readText(join(folder, 'memory.stat'))
  // Files in memory file systems (tmpfs) are counted among cached files, but cannot be dropped.
  const droppable_bytes = statValue(stat, fileName) - statValue(stat, sharedName)
  return limit_bytes - usage_bytes + Math.max(0, droppable_bytes)
}

function statValue(stat: string, name: string): number {
  const line = stat.split('\n').find((text) => text.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

/** The text of a small file of the kernel, or an empty string if it cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/**
 * Bytes that a process holds for itself (`RssAnon`, proc(5)). Pack files that are mapped into memory are not counted,
 * because the kernel can drop their pages. 0 where the system does not report it.
 */
export function readProcessMemory_bytes(pid: number): number {
  const status = readText(`${systemFiles.proc}/${pid}/status`)
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

/** As `readProcessMemory_bytes`, with all descendants of the process. */
export function readProcessTreeMemory_bytes(pid: number): number {
  const children = readText(`${systemFiles.proc}/${pid}/task/${pid}/children`)
  return children
    .split(' ')
    .filter(Boolean)
    .reduce(
      (sum, id) => sum + readProcessTreeMemory_bytes(Number(id)),
      readProcessMemory_bytes(pid),
    )
}
