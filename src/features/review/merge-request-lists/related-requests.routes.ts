// The merge requests related to a commit.
import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { pageInput } from '../../../http/schema.ts'
import { mayReadMergeRequests } from '../../../subjects/issuable.ts'
import { type Project, projectLoader, projectRepository } from '../../../subjects/project.ts'
import { commitShaInput, getCommit } from '../../repository/commits/find-commit.ts'
import { BasicMergeRequestJson, showMergeRequests } from '../merge-requests/show-requests.ts'
import { listMergeRequestsOfCommit } from './related-requests.store.ts'

const tag = 'Merge requests'
const inProject = endpointFactory({ tag, on: projectLoader })
const ListJson = Type.Array(BasicMergeRequestJson)

type Found = Awaited<ReturnType<typeof listMergeRequestsOfCommit>>

async function shown(
  context: Pick<Context<Project, unknown>, 'db' | 'baseUrl' | 'clock' | 'config' | 'subject'>,
  { rows, total }: Found,
): Promise<Page> {
  const within = context.subject.full_path
  return new Page({ items: await showMergeRequests(context, rows, { within }), total })
}

export const relatedMergeRequestEndpoints = [
  inProject({
    route: 'GET /projects/:id/repository/commits/:sha/merge_requests',
    summary: 'List the merge requests that contain a commit',
    allow: mayReadMergeRequests,
    input: Type.Object({ ...commitShaInput, ...pageInput }),
    answer: ListJson,
    async run(context) {
      const { db, git, config, subject: project, input, range } = context
      const repository = projectRepository(config, project)
      const { oid } = await getCommit(git, repository, input.sha)
      return shown(
        context,
        await listMergeRequestsOfCommit(db, { project_id: project.id, sha: oid, range }),
      )
    },
  }),
]
