// Searches for a text in the files of a commit: one process, bounded in time and results. Cached by the commit's id, so
// that the result is never out of date.
import { hash } from 'node:crypto'
import { limits } from '../kernel/limits.ts'
import { type Git, spawnGit } from './command.ts'
import { GitResultCache, isLimitExceeded } from './git-result-cache.ts'
import type { Oid } from './names.ts'
import type { Repository } from './repository.ts'

/** Matching lines of a file, with two lines of context on each side. `startline` counts from 1. */
export type TextSearchPassage = { path: string; startline: number; text: string }

/** Passages in the order of the paths. The list is cut at the limit of the search. */
export type TextSearchResult = { passages: TextSearchPassage[]; isCut: boolean }

const kept_bytes_max = 32 * 1024 * 1024

export class TextSearchReader {
  readonly #git: Git
  readonly #kept = new GitResultCache<TextSearchResult>(kept_bytes_max, ({ passages }) =>
    passages.reduce((sum, { path, text }) => sum + 2 * (path.length + text.length) + 100, 100),
  )

  constructor(git: Git) {
    this.#git = git
  }

  /** The passages of text files that have the text as it stands, in any case. */
  find(
    repository: Repository,
    { commit, text }: { commit: Oid; text: string },
  ): Promise<TextSearchResult> {
    const key = `${repository.path}\0${commit}\0${hash('sha256', text)}`
    return this.#kept.get(key, async () => {
      const { output, isWhole } = await this.#ask(repository, commit, text)
      const passages = readPassages(output, commit)
      return { passages, isCut: !isWhole }
    })
  }

  async #ask(
    repository: Repository,
    commit: Oid,
    text: string,
  ): Promise<{ output: string; isWhole: boolean }> {
    const { io, exit, kill } = await spawnGit(this.#git, repository, {
      args: [
        'grep',
        '--fixed-strings',
        '--ignore-case',
        '-I',
        '--full-name',
        '--line-number',
        '--null',
        '--context=2',
        `--max-count=${limits.search.lines_of_file_max}`,
        // A line break would start another pattern.
        '-e',
        text.replace(/\s+/g, ' '),
        commit,
        '--',
      ],
      otherStatus: 1,
      timeout_ms: limits.search.timeout_ms,
    })
    io.end()
    let output = ''
    const cut = () => ({ output: output.slice(0, output.lastIndexOf('\n') + 1), isWhole: false })
    for await (const chunk of io.setEncoding('utf8')) {
      output += chunk
      if (output.length > limits.search.output_characters) {
        kill()
        return cut()
      }
    }
    try {
      await exit
    } catch (error) {
      if (isLimitExceeded(error)) return cut()
      throw error
    }
    return { output, isWhole: true }
  }
}

/** `<commit>:<path>\0<line>\0<content>\n`, with `--\n` between lines that are not neighbours. */
function readPassages(output: string, commit: Oid): TextSearchPassage[] {
  const passages: TextSearchPassage[] = []
  let open: { path: string; startline: number; lines: string[] } | undefined
  const close = () => {
    if (!open) return
    const text = open.lines.join('').slice(0, limits.search.passage_characters)
    passages.push({ path: open.path, startline: open.startline, text })
    open = undefined
  }
  const lead = `${commit}:`
  let at = 0
  while (at < output.length) {
    if (output.startsWith('--\n', at)) {
      close()
      at += 3
      continue
    }
    const pathEnd = output.indexOf('\0', at)
    const lineEnd = output.indexOf('\0', pathEnd + 1)
    const end = output.indexOf('\n', lineEnd + 1)
    // Reading ends at a truncated line.
    if (!output.startsWith(lead, at) || pathEnd < 0 || lineEnd < 0 || end < 0) break
    const path = output.slice(at + lead.length, pathEnd)
    if (open?.path !== path) close()
    open ??= { path, startline: Number(output.slice(pathEnd + 1, lineEnd)), lines: [] }
    open.lines.push(output.slice(lineEnd + 1, end + 1))
    at = end + 1
  }
  close()
  return passages
}
