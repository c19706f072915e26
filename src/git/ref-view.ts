// Some references of a list in another order: four bytes for each.
import { setImmediate } from 'node:timers/promises'
import type { LinearRegexTest } from '../kernel/linear-regex.ts'
import { MatchBudget } from '../kernel/match-budget.ts'
import { createNameFilter } from '../kernel/name-search.ts'
import type { Git, GitCommand } from './command.ts'
import { GitResultCache } from './git-result-cache.ts'
import { readGitRecords } from './records.ts'
import { type Ref, type RefList, refs_per_turn } from './ref-list.ts'
import type { Repository } from './repository.ts'

/** `prefix` is left out of the names; `positions` are those in the list. */
export type RefListView = { refs: RefList; prefix: string; positions: Int32Array }

export function sliceRefView({ refs, positions }: RefListView, from: number, to: number): Ref[] {
  return Array.from(positions.subarray(from, to), (at) => refs.at(at))
}

/** Returns the references with matching names in their order, but an exact match first. */
export async function searchRefView(view: RefListView, search: string): Promise<RefListView> {
  if (search === '') return view
  const { refs, prefix, positions } = view
  const matches = createNameFilter(search)
  const wanted = search.toLowerCase()
  const exact: number[] = []
  const others: number[] = []
  for (const [count, at] of positions.entries()) {
    if (count % refs_per_turn === refs_per_turn - 1) await setImmediate()
    const name = refs.nameAt(at).slice(prefix.length)
    if (matches(name)) (name.toLowerCase() === wanted ? exact : others).push(at)
  }
  return { refs, prefix, positions: Int32Array.from([...exact, ...others]) }
}

/** Enough for a million names of ordinary length and a short expression. */
const steps_max = 20_000_000

/** Returns the references whose names match; undefined if that takes too long. Other work gets turns in between. */
export async function filterRefViewByRegex(
  view: RefListView,
  { passes, cost }: LinearRegexTest,
): Promise<RefListView | undefined> {
  const { refs, prefix, positions } = view
  const passing: number[] = []
  const budget = new MatchBudget(steps_max)
  for (const at of positions) {
    const name = refs.nameAt(at).slice(prefix.length)
    if (!budget.count(cost(name))) return undefined
    if (budget.isDue) await budget.pause()
    if (passes(name)) passing.push(at)
  }
  return { refs, prefix, positions: Int32Array.from(passing) }
}

/** Returns the references after the one with that name; undefined if the view does not contain it. */
export function sliceRefViewAfter(view: RefListView, name: string): RefListView | undefined {
  const { refs, prefix, positions } = view
  const found = refs.indexOf(prefix + name)
  const at = found < 0 ? -1 : positions.indexOf(found)
  return at < 0 ? undefined : { ...view, positions: positions.subarray(at + 1) }
}

/** Returns the references whose names pass the test. */
export function filterRefView(view: RefListView, passes: (name: string) => boolean): RefListView {
  const { refs, prefix, positions } = view
  const passing = positions.filter((at) => passes(refs.nameAt(at).slice(prefix.length)))
  return { ...view, positions: passing }
}

type Direction = 'asc' | 'desc'

type Orders = Record<Direction, Int32Array>
const kept_bytes_max = 32 * 1024 * 1024
const dated = new GitResultCache<Orders>(kept_bytes_max, ({ asc, desc }) => {
  return asc.byteLength + desc.byteLength + 100
})

/**
 * Returns positions sorted by the date of the commit or annotated tag that a reference points to; equal dates by name. Runs
 * at most one process, and none for a list that it has sorted before.
 */
export async function sortRefsByDate(
  git: Git,
  repository: Repository,
  { refs, below, direction }: { refs: RefList; below: string; direction: Direction },
): Promise<Int32Array> {
  const orders = await dated.get(`${repository.path}\0${await refs.digest()}`, async () => {
    const seconds = await readDates(git, repository, refs, {
      args: ['for-each-ref', '--format=%(creatordate:unix) %(refname)', below],
    })
    const secondAt = (at: number) => seconds[at] as number
    return {
      asc: await sortByNumber(refs.length, secondAt),
      desc: await sortByNumber(refs.length, (at) => second_max - secondAt(at)),
    }
  })
  return orders[direction]
}

const second_max = 2 ** 32 - 1

/** Reads the dates of references as 32-bit seconds, by position; 0 if git reports no date. */
async function readDates(
  git: Git,
  repository: Repository,
  refs: RefList,
  command: GitCommand,
): Promise<Uint32Array> {
  const seconds = new Uint32Array(refs.length)
  let next = 0
  for await (const lines of readGitRecords(git, repository, command)) {
    for (const line of lines) {
      const space = line.indexOf(' ')
      const name = line.slice(space + 1)
      // Both are sorted by name, but a reference may have been created or deleted since.
      const at = next < refs.length && refs.nameAt(next) === name ? next : refs.indexOf(name)
      if (at < 0) continue
      next = at + 1
      seconds[at] = Math.min(Math.max(Number(line.slice(0, space)) || 0, 0), second_max)
    }
  }
  return seconds
}

/**
 * Sorts positions by 32-bit numbers, then by position. A radix sort: the only order here that needs no comparison
 * function.
 */
async function sortByNumber(count: number, numberAt: (at: number) => number): Promise<Int32Array> {
  const position_max = 2 ** 21
  const keys = new Float64Array(count)
  for (let at = 0; at < count; at++) keys[at] = numberAt(at) * position_max + at
  await setImmediate()
  keys.sort()
  await setImmediate()
  const positions = new Int32Array(count)
  for (let at = 0; at < count; at++) positions[at] = (keys[at] as number) % position_max
  return positions
}

/** Sorts positions with a slow comparison function; stable, and other work gets turns in between. */
export async function sortRefPositionsWithYields(
  positions: Int32Array,
  compare: (a: number, b: number) => number,
): Promise<Int32Array> {
  let from = positions.slice()
  let to = new Int32Array(positions.length)
  let steps = 0
  for (let width = 1; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length)
      const end = Math.min(start + 2 * width, from.length)
      let [left, right] = [start, middle]
      for (let at = start; at < end; at++) {
        const takesLeft =
          left < middle &&
          (right >= end || compare(from[left] as number, from[right] as number) <= 0)
        to[at] = from[takesLeft ? left++ : right++] as number
        if (++steps % refs_per_turn === 0) await setImmediate()
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}
