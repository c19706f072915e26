// What a name that is being typed may become: people, issues, merge requests, labels, milestones, emoji, quick actions.
import { call } from '../../api/call.ts'
import { commentBox as words } from '../../text/comment-box.ts'
import { labelFinder, milestoneFinder, projectUserFinder } from '../../ui/combobox/finders.ts'

/** `insert` takes the place of what was typed from `from` on. */
export type Completion = { key: string; words: string; detail?: string; insert: string }
export type TypedTrigger = { sign: string; search: string; from: number }

const shown_max = 8
/** A name begins at the start of a line or after a space or bracket; labels and milestones may have spaces in them. */
const pattern = /(?:^|[\s(])([@#!~%:])([\p{L}\p{N}_.\-/ ]{0,40})$/u
const actionPattern = /(?:^|\n)\/(\w{0,20})$/

/** The name that ends where the caret is; undefined where there is none. */
export function parseTypedTrigger(text: string, caret: number): TypedTrigger | undefined {
  const before = text.slice(Math.max(0, caret - 64), caret)
  const action = actionPattern.exec(before)
  if (action)
    return { sign: '/', search: action[1] ?? '', from: caret - 1 - (action[1]?.length ?? 0) }
  const [, sign, search = ''] = pattern.exec(before) ?? []
  if (!sign || search.startsWith(' ') || search.endsWith('  ')) return undefined
  if (search.includes(' ') && !/[~%#!]/.test(sign)) return undefined
  if (sign === ':' && search.length < 2) return undefined
  return { sign, search, from: caret - 1 - search.length }
}

const quoted = (name: string) => (/^[\w.-]+$/.test(name) ? name : `"${name}"`)

/** Names of a project, emoji alone where there is no project. Throws `Refusal`. */
export async function findCompletions(
  projectId: number | undefined,
  { sign, search }: TypedTrigger,
): Promise<Completion[]> {
  if (projectId === undefined) return sign === ':' ? findEmojiNames(search) : []
  const found = await finders[sign]?.(projectId, search)
  return (found ?? []).slice(0, shown_max)
}

/** Issues or merge requests, by number or by words of their titles. */
const findIssuables =
  (route: 'GET /projects/:id/issues' | 'GET /projects/:id/merge_requests', sign: string) =>
  async (id: number, search: string): Promise<Completion[]> => {
    const isNumber = /^\d+$/.test(search)
    const found = await call(route, {
      id,
      per_page: shown_max,
      order_by: 'updated_at',
      ...(isNumber ? { iids: [Number(search)] } : search ? { search, in: 'title' } : {}),
    })
    return found.map(({ iid, title }) => ({
      key: String(iid),
      words: title,
      detail: sign + iid,
      insert: sign + iid,
    }))
  }

const finders: Readonly<
  Record<string, (projectId: number, search: string) => Promise<Completion[]>>
> = {
  async '@'(projectId, search) {
    const found = await projectUserFinder(projectId)(search)
    // Who is called so comes before those whose name only holds it.
    const isCalled = ({ detail = '' }) =>
      detail.toLowerCase().startsWith(`@${search.toLowerCase()}`)
    const people = [...found.filter(isCalled), ...found.filter((one) => !isCalled(one))]
    return people.map(({ value, words: name, detail = '' }) => ({
      key: value,
      words: name,
      detail,
      insert: detail,
    }))
  },
  '#': findIssuables('GET /projects/:id/issues', '#'),
  '!': findIssuables('GET /projects/:id/merge_requests', '!'),
  async '~'(projectId, search) {
    const labels = await labelFinder(projectId)(search)
    return labels.map(({ value }) => ({ key: value, words: value, insert: `~${quoted(value)}` }))
  },
  async '%'(projectId, search) {
    const milestones = await milestoneFinder(projectId)(search)
    return milestones.map(({ value, words: title }) => ({
      key: value,
      words: title,
      insert: `%${quoted(title)}`,
    }))
  },
  ':': (_projectId, search) => findEmojiNames(search),
  async '/'(_projectId, search) {
    return words.actions
      .filter(([name]) => name.startsWith(search))
      .map(([name, meaning]) => ({
        key: name,
        words: `/${name}`,
        detail: meaning,
        insert: `/${name}`,
      }))
  },
}

async function findEmojiNames(search: string): Promise<Completion[]> {
  const { findEmoji } = await import('./emoji.ts')
  return findEmoji(search, shown_max).map(({ name, emoji }) => ({
    key: name,
    words: `${emoji} ${name}`,
    insert: `:${name}:`,
  }))
}
