import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAvailableMemory_bytes } from './machine-memory.ts'

const mb = 1024 * 1024

/** Folders as the kernel shows them, with these files. */
function kernel(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'bloomery-kernel-'))
  const all = {
    'proc/meminfo': `MemTotal: 1 kB\nMemAvailable:    ${8 * 1024 * 1024} kB\n`,
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return { proc: join(root, 'proc'), cgroup: join(root, 'cgroup') }
}

describe('the memory that is left', () => {
  it.each([
    ['of a machine', {}, 8192],
    [
      'of a container without a limit',
      {
        'proc/self/cgroup': '0::/\n',
        'cgroup/memory.max': 'max\n',
        'cgroup/memory.current': '5\n',
      },
      8192,
    ],
    [
      'of a container, whose cached files can be dropped',
      {
        'proc/self/cgroup': '0::/\n',
        'cgroup/memory.max': `${2048 * mb}\n`,
        'cgroup/memory.current': `${2000 * mb}\n`,
        'cgroup/memory.stat': `anon 1\nfile ${1500 * mb}\nshmem ${100 * mb}\n`,
      },
      1448,
    ],
    [
      'of a unit within a slice that has less',
      {
        'proc/self/cgroup': '0::/a.slice/b.service\n',
        'cgroup/a.slice/memory.max': `${512 * mb}\n`,
        'cgroup/a.slice/memory.current': `${112 * mb}\n`,
        'cgroup/a.slice/b.service/memory.max': `${1024 * mb}\n`,
        'cgroup/a.slice/b.service/memory.current': `${100 * mb}\n`,
      },
      400,
    ],
    [
      'of a group of version 1',
      {
        'proc/self/cgroup': '4:memory:/c\n1:cpu:/c\n0::/\n',
        'cgroup/memory/c/memory.limit_in_bytes': `${1024 * mb}\n`,
        'cgroup/memory/c/memory.usage_in_bytes': `${1000 * mb}\n`,
        'cgroup/memory/c/memory.stat': `cache 1\ntotal_cache ${300 * mb}\ntotal_shmem 0\n`,
      },
      324,
    ],
  ] as const)('%s', (_, files, left_mb) => {
    expect(readAvailableMemory_bytes(kernel(files)) / mb).toBe(left_mb)
  })
})
