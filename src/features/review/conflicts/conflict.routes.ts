// Resolves conflicts of merge requests without a clone (docs/api/merge-requests.md, "Conflicts").
import { type Static, Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, nullable, nullableText, oneOf, optionalText } from '../../../http/schema.ts'
import { badParameters, conflict } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type IssuableSubject,
  mayReadIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { findVisibleProject } from '../../../subjects/project.ts'
import { mayPush } from '../../repository/pushes/push.ts'
import {
  CommitIdJson,
  getRequestWithProjects,
  type MergeRequestWithProjects,
} from '../merge-requests/merge-request.ts'
import { syncMergeRequestWithBranches } from '../merge-requests/refresh-request.ts'
import {
  type ConflictedFile,
  conflictMergeMessage,
  findMergeConflicts,
  unresolvableConflictReasons,
} from './list-conflicts.ts'
import { cannotPushError, resolveMergeConflicts } from './resolve-conflicts.ts'

const endpoint = endpointFactory({
  tag: 'Merge requests',
  on: mergeRequestLoader,
  signIn: 'always',
})
const route = '/projects/:id/merge_requests/:merge_request_iid/conflicts'

const SectionJson = namedObject('ConflictSection', {
  id: nullableText,
  text: nullableText,
  ours: nullableText,
  theirs: nullableText,
})

const FileJson = namedObject('ConflictedFile', {
  path: Type.String(),
  reason: nullable(oneOf(unresolvableConflictReasons)),
  content: nullableText,
  sections: nullable(Type.Array(SectionJson)),
})

const ConflictsJson = namedObject('MergeConflicts', {
  source_branch: Type.String(),
  target_branch: Type.String(),
  source_sha: Type.String(),
  target_sha: Type.String(),
  commit_message: Type.String(),
  resolvable: Type.Boolean(),
  files: Type.Array(FileJson),
})

function presentFile(file: ConflictedFile): Static<typeof FileJson> {
  if (file.reason !== null) return { ...file, content: null, sections: null }
  const none = { id: null, text: null, ours: null, theirs: null }
  return { ...file, sections: file.sections.map((section) => ({ ...none, ...section })) }
}

/** Returns whether the caller may push to the source branch, or the 403 if not. */
async function mayResolve({
  db,
  actor,
  config,
  loaded: { source, request },
}: Context<IssuableSubject, unknown, MergeRequestWithProjects>) {
  const found = source && (await findVisibleProject(db, actor, { id: source.id }))
  if (!found) return cannotPushError()
  const who = { db, actor, config, level: found.level }
  return (await mayPush(who, found.project, request.source_branch)) || cannotPushError()
}

function refuseEnded({ issuable }: MergeRequestWithProjects): void {
  if (issuable.state !== 'opened') throw conflict('The merge request is not open')
}

export const conflictEndpoints = [
  endpoint({
    route: `GET ${route}`,
    summary: 'Get the conflicts of a merge request',
    allow: mayReadIssuable,
    answer: ConflictsJson,
    load: getRequestWithProjects,
    authorize: mayResolve,
    async run(context) {
      const whole = context.loaded
      refuseEnded(whole)
      const found = await findMergeConflicts(context, whole)
      if (!found) throw conflict('The branches cannot be merged')
      const { source_branch, target_branch } = whole.request
      return {
        source_branch,
        target_branch,
        source_sha: found.sourceTip,
        target_sha: found.targetTip,
        commit_message: conflictMergeMessage(whole, found),
        resolvable: found.files.length > 0 && found.files.every(({ reason }) => reason === null),
        files: found.files.map(presentFile),
      }
    },
  }),

  endpoint({
    route: `POST ${route}`,
    summary: 'Resolve the conflicts of a merge request by a commit on its source branch',
    allow: mayReadIssuable,
    transaction: 'none',
    body_bytes_max: limits.form_body_bytes,
    input: Type.Object({
      source_sha: Type.String({ description: 'The head of the source branch, as it was read.' }),
      target_sha: Type.String({ description: 'The head of the target branch, as it was read.' }),
      commit_message: optionalText,
      files: Type.Array(
        namedObject('ConflictResolution', {
          path: Type.String(),
          sections: Type.Optional(
            Type.Array(
              namedObject('ConflictChoice', { id: Type.String(), use: oneOf(['ours', 'theirs']) }),
            ),
          ),
          content: optionalText,
        }),
      ),
    }),
    status: 201,
    answer: CommitIdJson,
    load: getRequestWithProjects,
    authorize: mayResolve,
    async run(context) {
      const { input, loaded: whole } = context
      refuseEnded(whole)
      if ((input.commit_message?.length ?? 0) > limits.merge_requests.message_characters) {
        throw badParameters(['commit_message is too long'])
      }
      const files = input.files.map(({ path, content, sections }) => ({
        path,
        content,
        sections: sections && Object.fromEntries(sections.map(({ id, use }) => [id, use])),
      }))
      const commit_id = await resolveMergeConflicts(context, whole, { ...input, files })
      await syncMergeRequestWithBranches(context, whole.issuable.id)
      return { commit_id }
    },
  }),
]
