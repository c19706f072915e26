// Lists of commits, one page at a time. A page is cached by the object ids it starts from, so it is never out of date:
// when a reference moves, the key is another one.
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import { type Git, runGit } from './command.ts'
import { GitResultCache, isLimitExceeded } from './git-result-cache.ts'
import { asOid, emptyTreeOid, type Oid } from './names.ts'
import type { ObjectReader } from './objects.ts'
import type { RefList } from './ref-list.ts'
import { listRefs, resolveCommit } from './refs.ts'
import type { Repository } from './repository.ts'
import { findTreeEntry } from './trees.ts'

/**
 * The commits to start from (`tips`), without those in `hidden` and all their ancestors. `refs` replaces `tips` if there
 * are very many.
 */
export type RevisionRange = {
  tips: readonly Oid[]
  hidden: readonly Oid[]
  isSymmetric?: boolean
  refs?: RefList
}

export type CommitFilter = {
  /** Inside the repository, as `normalizeListPath` answers it. */
  path?: string
  /** Whole seconds since the epoch, both included; compared with the committer's date. */
  since_s?: number
  until_s?: number
  /** A text in the author's name or address. */
  author?: string
  /** A text in the message, in any case. */
  message?: string
  isFirstParent?: boolean
  isTopological?: boolean
  /** False: the path of a file under this name alone. */
  isFollowed?: boolean
}

type Range = { offset: number; limit: number }
type Question = { span: RevisionRange; filter: CommitFilter; range: Range; isFollowed: boolean }

const kept_oids_max = 500_000
/** git counts in 32 bits. No list reaches so far, so the answer is empty. */
const offset_max = 2 ** 31 - 1000

export class CommitListReader {
  readonly #git: Git
  readonly #objects: ObjectReader
  readonly #kept = new GitResultCache<Oid[]>(kept_oids_max, (oids) => oids.length + 1)

  constructor(git: Git, objects: ObjectReader) {
    this.#git = git
    this.#objects = objects
  }

  /** A page of `git log` over the span, newest first. The path of one file is followed over renames unless the filter says no. */
  async page(
    repository: Repository,
    span: RevisionRange,
    filter: CommitFilter,
    range: Range,
  ): Promise<Oid[]> {
    const { refs, ...tips } = span
    if ((span.tips.length === 0 && !refs) || range.offset > offset_max) return []
    const start = [tips, await refs?.digest()]
    const question = hash('sha256', JSON.stringify([start, filter, range]))
    return this.#kept.get(`${repository.path}\0${question}`, async () => {
      const ask = (isFollowed: boolean) =>
        this.#ask(repository, { span, filter, range, isFollowed })
      const isFollowed = filter.isFollowed ?? (await this.#isFile(repository, span, filter.path))
      if (!isFollowed) return ask(false)
      return ask(true).catch((error) => {
        // A commit that changes too much cannot be searched for the file under another name.
        if (isLimitExceeded(error)) return ask(false)
        throw error
      })
    })
  }

  async #ask(
    repository: Repository,
    { span, filter, range: { offset, limit }, isFollowed }: Question,
  ): Promise<Oid[]> {
    const args = ['log', '--format=%H', '--no-mailmap', '--stdin', '--fixed-strings']
    // With --follow, --skip counts commits before they are compared with the path.
    if (isFollowed) args.push('--follow', '-M', `--max-count=${offset + limit}`)
    else args.push(`--max-count=${limit}`, `--skip=${offset}`)
    if (filter.isFirstParent) args.push('--first-parent')
    if (filter.isTopological) args.push('--topo-order')
    if (filter.since_s !== undefined) args.push(`--max-age=${Math.max(0, filter.since_s)}`)
    if (filter.until_s !== undefined) args.push(`--min-age=${Math.max(0, filter.until_s)}`)
    if (filter.author) args.push(`--author=${filter.author}`)
    // A line break would start another pattern.
    const message = filter.message?.replace(/\s+/g, ' ')
    if (message) args.push('--regexp-ignore-case', `--grep=${message}`)
    if (filter.path) args.push('--', filter.path)
    const [first, second] = span.tips
    const revisions = span.isSymmetric
      ? [`${first}...${second}`]
      : [...span.tips, ...span.hidden.map((oid) => `^${oid}`)]
    const output = await runGit(this.#git, repository, {
      args,
      stdin: span.refs ? Readable.from(tipsOf(span.refs)) : `${revisions.join('\n')}\n`,
      timeout_ms: isFollowed ? limits.git_follow_timeout_ms : limits.git_timeout_ms,
    })
    const oids = output
      .toString('latin1')
      .split('\n')
      .flatMap((line) => asOid(line) ?? [])
    return isFollowed ? oids.slice(offset) : oids
  }

  /** git follows one file from one tip; a folder would be walked without its shortcuts for nothing. */
  async #isFile(repository: Repository, { tips }: RevisionRange, path?: string): Promise<boolean> {
    const [tip] = tips
    if (!path || !tip || tips.length > 1) return false
    const commit = await this.#objects.commit(repository, tip)
    const entry = commit && (await findTreeEntry(this.#objects, repository, commit.tree, path))
    return entry?.mode !== '040000'
  }
}

/** Up to so many tips are passed one by one; beyond that, a list of all references replaces them. */
const tips_max = 1000

/** Returns the range of all commits that are reachable from any reference. */
export async function allRefsRevisionRange(repository: Repository): Promise<RevisionRange> {
  const refs = await listRefs(repository, 'refs/')
  const tips = new Set<Oid>()
  for await (const run of refs.runs()) {
    for (const { name, oid } of run) if (!isHidden(name)) tips.add(oid)
    if (tips.size > tips_max) return { tips: [], hidden: [], refs }
  }
  return { tips: [...tips].sort(), hidden: [] }
}

async function* tipsOf(refs: RefList): AsyncGenerator<string> {
  for await (const run of refs.runs()) {
    yield run.map(({ name, oid }) => (isHidden(name) ? '' : `${oid}\n`)).join('')
  }
}

/** Whether a reference is hidden from clones (`transfer.hideRefs`). */
function isHidden(name: string): boolean {
  return name.startsWith('refs/keep-around/')
}

/**
 * Resolves `ref_name`: a revision, `A..B` (reachable from B and not from A) or `A...B` (reachable from only one of them).
 * An empty side is HEAD, and A may be the empty tree. Returns undefined if it cannot be resolved.
 */
export async function resolveRevisionRange(
  objects: ObjectReader,
  repository: Repository,
  text: string,
): Promise<RevisionRange | undefined> {
  const resolve = (revision: string) => resolveCommit(objects, repository, revision || 'HEAD')
  const [from = '', dots, to = '', more] = text.split(/(\.{2,3})/)
  if (more !== undefined) return undefined
  if (dots === undefined) {
    const tip = await resolve(text)
    return tip && { tips: [tip], hidden: [] }
  }
  const [hidden, tip] = await Promise.all([
    from === emptyTreeOid ? undefined : resolve(from),
    resolve(to),
  ])
  if (!tip) return undefined
  if (!hidden) return from === emptyTreeOid ? { tips: [tip], hidden: [] } : undefined
  return dots === '...'
    ? { tips: [hidden, tip], hidden: [], isSymmetric: true }
    : { tips: [tip], hidden: [hidden] }
}

/** Returns the path in the form that git compares with: empty for the whole tree, undefined for a path outside of it. */
export function normalizeListPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.includes('..') || path.includes('\0') ? undefined : parts.join('/')
}
