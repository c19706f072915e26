import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { isOid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import type { ListedTreeEntry } from '../../../git/trees.ts'
import { Answer } from '../../../http/answer.ts'
import { isMatchingEtag } from '../../../http/conditional.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { keysetAnswer, Page } from '../../../http/pagination.ts'
import {
  namedObject,
  nullable,
  oneOf,
  optionalText,
  pageInput,
  plainTextBody,
} from '../../../http/schema.ts'
import { mayDownloadCode, projectLoader, projectRepository } from '../../../subjects/project.ts'
import { presentCommit } from '../commits/commit.ts'
import {
  getTree,
  readLastCommitsOfEntries,
  readTreeEntries,
  readTreePage,
  readTreePageAfter,
} from './tree.ts'

const TreeEntryJson = namedObject('TreeEntry', {
  id: Type.String(),
  name: Type.String(),
  type: oneOf(['tree', 'blob', 'commit']),
  path: Type.String(),
  mode: Type.String(),
  last_commit: Type.Optional(
    nullable(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        author_name: Type.String(),
        committed_date: Type.String(),
      }),
    ),
  ),
})

type TreeEntry = Static<typeof TreeEntryJson>

function present({ oid, name, mode, path }: ListedTreeEntry): TreeEntry {
  const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob'
  return { id: oid, name, type, path, mode }
}

function presentLast(commit: Commit | undefined): TreeEntry['last_commit'] {
  if (!commit) return null
  const { id, title, author_name, committed_date } = presentCommit(commit, '')
  return { id, title, author_name, committed_date }
}

/** Yields the JSON of a list of any length in pieces, so that it is never completely in memory. */
async function* writeAll(runs: AsyncIterable<readonly ListedTreeEntry[]>) {
  let separator = '['
  for await (const run of runs) {
    const parts = run.map((entry) => JSON.stringify(present(entry)))
    if (parts.length > 0) yield separator + parts.join(',')
    if (parts.length > 0) separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

const endpoint = endpointFactory({ tag: 'Repositories', on: projectLoader })

export const treeEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/tree',
    summary: 'List files and folders',
    allow: mayDownloadCode,
    isFixed: ({ ref, with_last_commit }) => isOid(ref) && with_last_commit !== true,
    input: Type.Object({
      ref: optionalText,
      path: optionalText,
      recursive: Type.Optional(Type.Boolean({ default: false })),
      ...pageInput,
      pagination: Type.Optional(oneOf(['legacy', 'keyset', 'none'], { default: 'legacy' })),
      page_token: Type.Optional(
        Type.String({ description: 'With keyset pagination: the id of the last entry before.' }),
      ),
      with_last_commit: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Which commit last touched each entry. The answer has `X-Truncated: true` while the server still looks for some of them; ask again later.',
        }),
      ),
    }),
    rules: [
      ({ pagination, recursive }) =>
        pagination === 'none' && recursive !== true
          ? 'pagination cannot be "none" unless "recursive" is true'
          : undefined,
      ({ with_last_commit, recursive }) =>
        with_last_commit === true && recursive === true
          ? 'with_last_commit cannot be true when "recursive" is true'
          : undefined,
    ],
    answer: Type.Array(TreeEntryJson),
    async run(context) {
      const { git, config, subject, input, request } = context
      const tree = await getTree(git, projectRepository(config, subject), {
        ref: input.ref || 'HEAD',
        path: input.path ?? '',
      })
      const recursive = input.recursive === true
      const read = (skip = 0) => readTreeEntries(git, tree, { recursive, skip })
      const headers: Record<string, string> = {}
      const show = async (items: ListedTreeEntry[]): Promise<TreeEntry[]> => {
        if (!input.with_last_commit) return items.map(present)
        const { commits, isWhole } = await readLastCommitsOfEntries(git, tree, items)
        if (!isWhole) headers['X-Truncated'] = 'true'
        return items.map((entry) => ({
          ...present(entry),
          last_commit: presentLast(commits.get(entry.name)),
        }))
      }
      const { range } = context
      if (input.pagination === 'none') {
        const type = { 'content-type': 'application/json' }
        if (request.method === 'HEAD') return Answer.raw(undefined, type)
        return Answer.raw(Readable.from(writeAll(read()), { objectMode: false }), type)
      }
      if (input.pagination === 'keyset') {
        const token = input.page_token ?? ''
        const { items, next } = await readTreePageAfter(read, { token, per_page: range.per_page })
        const shown = await show(items)
        if (next === undefined) return Answer.json(200, shown, headers)
        return keysetAnswer(context, shown, { page_token: next }, headers)
      }
      const { items, total } = await readTreePage(read, range)
      return new Page({ items: await show(items), total, headers })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/paths',
    summary: 'List the paths of all files, one a line',
    allow: mayDownloadCode,
    isFixed: ({ ref }) => isOid(ref),
    input: Type.Object({ ref: optionalText }),
    answer: plainTextBody(),
    async run({ git, config, subject, input, request }) {
      const repository = projectRepository(config, subject)
      const { root } = await getTree(git, repository, { ref: input.ref || 'HEAD', path: '' })
      const tag = `W/"${root}"`
      if (isMatchingEtag(request.headers['if-none-match'], tag))
        return Answer.empty(304, { ETag: tag })
      const { text, isCut } = await git.paths.of(repository, root)
      return Answer.raw(text, {
        'content-type': 'text/plain; charset=utf-8',
        ETag: tag,
        ...(isCut ? { 'X-Truncated': 'true' } : {}),
      })
    },
  }),
]
