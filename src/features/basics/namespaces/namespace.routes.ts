import { Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { anyone } from '../../../access/rule.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { optionalBoolean, optionalInteger, optionalText, pageInput } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { NamespaceJson, presentNamespace } from './namespace.present.ts'
import {
  countMembersByNamespace,
  filterVisibleFullPaths,
  findVisibleNamespace,
  listNamespaces,
  type NamespaceRow,
} from './namespace.store.ts'

const endpoint = endpointFactory({ tag: 'Namespaces' })

/** Presents namespaces. The members of all groups that the caller owns are counted in one query. */
async function present(
  { db, actor, config, baseUrl }: Context<unknown, unknown>,
  rows: readonly NamespaceRow[],
) {
  const isOwned = ({ level }: NamespaceRow) => isAdmin(actor) || level === Level.owner
  const groups = rows.filter((row) => row.kind === 'group' && isOwned(row))
  const counts = await countMembersByNamespace(
    db,
    groups.map(({ id }) => id),
  )
  const countsOf = (row: NamespaceRow) => {
    if (!isOwned(row)) return undefined
    return row.kind === 'user' ? itsUserAlone : (counts.get(row.id) ?? nobody)
  }
  const { tier } = config
  return rows.map((row) => presentNamespace(row, { baseUrl, tier, counts: countsOf(row) }))
}

const itsUserAlone = { members: 1, seated: 1 }
const nobody = { members: 0, seated: 0 }

/** How many suffixes are tried for a taken path. */
const suggestions_max = 100

export const namespaceEndpoints = [
  endpoint({
    route: 'GET /namespaces',
    summary: 'List your namespaces',
    allow: anyone,
    input: Type.Object({
      ...pageInput,
      search: optionalText,
      owned_only: optionalBoolean,
      top_level_only: optionalBoolean,
    }),
    answer: Type.Array(NamespaceJson),
    async run(context) {
      const { db, actor, input, range } = context
      const { rows, total } = await listNamespaces(db, actor, input, range)
      const items = await present(context, rows)
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /namespaces/:id',
    summary: 'Get a namespace by id or full path',
    allow: anyone,
    input: Type.Object({ id: Type.String() }),
    answer: NamespaceJson,
    async run(context) {
      const { db, actor, input } = context
      const by = /^\d{1,15}$/.test(input.id) ? { id: Number(input.id) } : { path: input.id }
      const row = await findVisibleNamespace(db, actor, by)
      const [namespace] = row ? await present(context, [row]) : []
      if (!namespace) throw notFound('Namespace')
      return namespace
    },
  }),

  endpoint({
    route: 'GET /namespaces/:path/exists',
    summary: 'Check whether a namespace path is taken',
    allow: anyone,
    input: Type.Object({ path: Type.String(), parent_id: optionalInteger }),
    answer: Type.Object({ exists: Type.Boolean(), suggests: Type.Array(Type.String()) }),
    async run({ db, actor, input: { path, parent_id } }) {
      const parent =
        parent_id === undefined
          ? undefined
          : await findVisibleNamespace(db, actor, { id: parent_id })
      // Answers as if nothing existed there, so that callers learn nothing about a parent that they cannot
      // see.
      if (parent_id !== undefined && !parent) return { exists: false, suggests: [] }
      const fullPath = (last: string) => (parent ? `${parent.full_path}/${last}` : last)
      const numbered = Array.from({ length: suggestions_max }, (_, index) => `${path}${index + 1}`)
      const taken = await filterVisibleFullPaths(db, actor, [path, ...numbered].map(fullPath))
      if (!taken.has(fullPath(path).toLowerCase())) return { exists: false, suggests: [] }
      const free = numbered.find((name) => !taken.has(fullPath(name).toLowerCase()))
      return { exists: true, suggests: free === undefined ? [] : [free] }
    },
  }),
]
