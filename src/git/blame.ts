import { LRUCache } from 'lru-cache'
import { type Git, runGit } from './command.ts'
import { type Oid, oidFrom } from './names.ts'
import type { Repository } from './repository.ts'

/** Adjacent lines that came with one commit; lines are without their line ends. */
export type BlameRange = { commit: Oid; lines: string[] }

/** Whole-file blames, kept by the commit that last touched the file: they never change. */
export class BlameReader {
  readonly #git: Git
  readonly #kept = new LRUCache<string, BlameRange[]>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: (ranges) =>
      ranges.reduce(
        (sum, { lines }) => lines.reduce((size, line) => size + line.length * 2 + 16, sum),
        100,
      ),
  })
  readonly #running = new Map<string, Promise<BlameRange[]>>()

  constructor(git: Git) {
    this.#git = git
  }

  /** Blames `path` as of `commit`, which should be the commit that last touched it. */
  async blame(repository: Repository, commit: Oid, path: string): Promise<BlameRange[]> {
    const key = `${repository.path}\0${commit}\0${path}`
    const kept = this.#kept.get(key)
    if (kept) return kept
    let running = this.#running.get(key)
    if (!running) {
      running = this.#run(repository, commit, path)
      this.#running.set(key, running)
      running.finally(() => this.#running.delete(key)).catch(() => {})
    }
    const ranges = await running
    this.#kept.set(key, ranges)
    return ranges
  }

  async #run(repository: Repository, commit: Oid, path: string): Promise<BlameRange[]> {
    const output = await runGit(this.#git, repository, {
      args: ['blame', '--porcelain', commit, '--', path],
      timeout_ms: 120_000,
    })
    return parseBlame(output)
  }
}

/** git-blame(1), "The porcelain format": a header line a line of the file, the line after a tab. */
export function parseBlame(output: Buffer): BlameRange[] {
  const ranges: BlameRange[] = []
  let commit = ''
  for (let at = 0; at < output.length; ) {
    const newline = output.indexOf(10, at)
    const end = newline < 0 ? output.length : newline
    if (output[at] === 9) {
      const line = output.toString('utf8', at + 1, end).replace(/\r$/, '')
      const last = ranges.at(-1)
      if (last && last.commit === commit) last.lines.push(line)
      else ranges.push({ commit: oidFrom(commit), lines: [line] })
    } else {
      const name = output.toString('latin1', at, Math.min(at + 41, end))
      if (/^[0-9a-f]{40} $/.test(name)) commit = name.slice(0, 40)
    }
    at = end + 1
  }
  return ranges
}
