// Commits and merge requests as diffs and patches, at web addresses.
import type { Actor } from '../../access/actor.ts'
import { findRequestCommitRange } from '../../features/review/merge-request-versions/request-span.ts'
import { type CommitSpan, openPatchStream, type PatchFormat } from '../../git/patch-stream.ts'
import { resolveCommit } from '../../git/refs.ts'
import { Answer } from '../../http/answer.ts'
import type { Instance, RequestFacts } from '../../http/endpoint.ts'
import { unknownRoute } from '../../kernel/errors.ts'
import { type Project, projectRepository } from '../../subjects/project.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'config'>
/** `rest` is what follows `/-/commit/` or `/-/merge_requests/`. The caller reads the code of the project. */
type Asked = {
  project: Project
  level: number
  rest: readonly string[]
  request: RequestFacts
  actor: Actor
}

/** `HASH.diff` or `HASH.patch`: the changes of a commit relative to its first parent. */
export async function answerCommitPatch(
  { git, config }: Uses,
  { project, rest, request }: Asked,
): Promise<Answer> {
  const { name, format } = readName(rest)
  const repository = projectRepository(config, project)
  const oid = await resolveCommit(git.objects, repository, name)
  const commit = oid && (await git.objects.commit(repository, oid))
  if (!commit) throw unknownRoute()
  const span = { from: commit.parents[0], to: commit.oid }
  return answerPatch({ git, config }, project, { ...span, format, request })
}

/** `NUMBER.diff` or `NUMBER.patch`: the newest version of a merge request into the project. */
export async function answerMergeRequestPatch(
  { db, git, config }: Uses,
  { project, level, rest, request, actor }: Asked,
): Promise<Answer> {
  const { name, format } = readName(rest)
  const span = await findRequestCommitRange(db, {
    project,
    level,
    actor,
    iid: Number(name),
    format,
  })
  if (!span) throw unknownRoute()
  return answerPatch({ git, config }, project, { ...span, format, request })
}

function readName(rest: readonly string[]): { name: string; format: PatchFormat } {
  const [, name = '', ending] = /^(\w+)\.(diff|patch)$/.exec(rest[0] ?? '') ?? []
  return { name, format: ending === 'diff' ? 'diff' : 'patch' }
}

/** The text as git makes it; none for HEAD. */
async function answerPatch(
  { git, config }: Pick<Uses, 'git' | 'config'>,
  project: Project,
  { request, ...span }: CommitSpan & { format: PatchFormat; request: RequestFacts },
): Promise<Answer> {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'Content-Disposition': 'inline',
    'Cache-Control': 'max-age=0, private, must-revalidate',
  }
  if (request.method === 'HEAD') return Answer.raw(undefined, headers)
  const repository = projectRepository(config, project)
  const { signal } = request
  return Answer.raw(await openPatchStream(git.git, repository, { ...span, signal }), headers)
}
