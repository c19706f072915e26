// The files of a merge request that the caller has marked as viewed; visible to nobody else (docs/api/viewed-files.md).
import { type Static, Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, nonBlankText, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badParameters, badRequest, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type IssuableSubject,
  mayReadIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import {
  countViewedFiles,
  deleteViewedFile,
  listViewedFiles,
  upsertViewedFile,
  type ViewedFile,
} from './viewed-file.store.ts'

const endpoint = endpointFactory({ tag: 'Viewed files', on: mergeRequestLoader, signIn: 'always' })
const base = '/projects/:id/merge_requests/:merge_request_iid/viewed_files'

const ViewedFileJson = namedObject('ViewedFile', {
  path: Type.String({ description: 'The path after the change.' }),
  head_sha: Type.String({ description: 'The head of the version in which it was looked at.' }),
  viewed_at: Type.String(),
})

const present = ({ path, head_sha, viewed_at }: ViewedFile): Static<typeof ViewedFileJson> => ({
  path,
  head_sha,
  viewed_at,
})

const ofCaller = ({ user, subject }: Context<IssuableSubject, unknown>) => ({
  user_id: user.id,
  issuable_id: subject.issuable.id,
})

/** Throws 400 for a path with a NUL, and for one that is longer than any path the server accepts. */
function checkPath(path: string): void {
  const isTooLong = Buffer.byteLength(path) > limits.paged_diff.named_path_bytes_max
  if (isTooLong || path.includes('\0')) throw badParameters(['path is invalid'])
}

export const viewedFileEndpoints = [
  endpoint({
    route: `GET ${base}`,
    summary: 'List the files of a merge request that you have viewed',
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(ViewedFileJson),
    async run(context) {
      const { rows, total } = await listViewedFiles(context.db, ofCaller(context), context.range)
      return new Page({ items: rows.map(present), total })
    },
  }),

  endpoint({
    route: `PUT ${base}`,
    summary: 'Mark a file of a merge request as viewed',
    allow: mayReadIssuable,
    input: Type.Object({ path: nonBlankText(), head_sha: Type.String() }),
    answer: ViewedFileJson,
    async run(context) {
      const { db, clock, input } = context
      const { path, head_sha } = input
      checkPath(path)
      if (!/^[0-9a-f]{40}$/.test(head_sha)) throw badParameters(['head_sha is invalid'])
      const of = ofCaller(context)
      await lockOwner(db, { kind: 'user', id: of.user_id })
      if ((await countViewedFiles(db, of)) >= limits.viewed_files_max) {
        throw badRequest(
          `No more than ${limits.viewed_files_max} files of a merge request can be marked as viewed.`,
        )
      }
      const viewed_at = timestamp(clock)
      return present(await upsertViewedFile(db, { ...of, path, head_sha, viewed_at }))
    },
  }),

  endpoint({
    route: `DELETE ${base}`,
    summary: 'Mark a file of a merge request as not viewed',
    allow: mayReadIssuable,
    input: Type.Object({ path: nonBlankText() }),
    status: 204,
    async run(context) {
      const { path } = context.input
      checkPath(path)
      if (!(await deleteViewedFile(context.db, { ...ofCaller(context), path }))) {
        throw recordNotFound()
      }
    },
  }),
]
