// Chooses the payload of a test call: the newest record of its kind (docs/api/webhooks.md, "Tests").

import { type RefName, zeroOid } from '../../../git/names.ts'
import { readRef, resolveCommit } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { unprocessable } from '../../../kernel/errors.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { findWiki, wikiRepository } from '../../../subjects/wiki.ts'
import { findWikiVersion, listWikiPages, wikiBranch } from '../../content/wikis/read-pages.ts'
import type { HookFlag } from '../webhook-payloads/hook-event.ts'
import {
  findNewestRelease,
  findProjectForPayload,
  listLinksOfRelease,
} from '../webhook-payloads/webhook-payload.ts'
import type { WebhookSubject } from '../webhook-payloads/webhook-subject.ts'
import {
  findNewestDeployment,
  findNewestIssuable,
  findNewestJob,
  findNewestNote,
  findNewestPipeline,
  findNewestProjectId,
} from './sample.store.ts'
import type { WebhookOwner } from './webhook.store.ts'

/** Returns the newest record of that kind. Throws 422 if there is none. */
export async function findSampleSubject(
  uses: Instance,
  { owner, flag, user_id }: { owner: WebhookOwner; flag: HookFlag; user_id: number },
): Promise<WebhookSubject> {
  const { db } = uses
  const project_id = owner.kind === 'group' ? await findNewestProjectId(db, owner.id) : owner.id
  if (project_id === undefined) throw unprocessable('Ensure the group has a project with commits.')
  switch (flag) {
    case 'push_events':
    case 'tag_push_events':
      return samplePush(uses, { project_id, user_id, isTag: flag === 'tag_push_events' })
    case 'pipeline_events': {
      const found = await findNewestPipeline(db, project_id)
      if (!found) throw nothing('CI pipelines')
      return { kind: 'pipeline', pipeline_id: found.id, status: found.status }
    }
    case 'job_events': {
      const found = await findNewestJob(db, project_id)
      if (!found) throw nothing('CI jobs')
      return { kind: 'job', job_id: found.id, status: found.status }
    }
    case 'deployment_events': {
      const found = await findNewestDeployment(db, project_id)
      if (!found || found.job_id === null) throw nothing('deployments')
      const { job_id, status, updated_at: at } = found
      return { kind: 'deployment', job_id, status: status === 'blocked' ? 'manual' : status, at }
    }
    case 'issues_events':
    case 'confidential_issues_events':
    case 'merge_requests_events': {
      const kind = flag === 'merge_requests_events' ? 'merge_request' : 'issue'
      const confidential = flag === 'confidential_issues_events'
      const found = await findNewestIssuable(db, { project_id, kind, confidential })
      if (!found) throw nothing(kind === 'issue' ? 'issues' : 'merge requests')
      return {
        kind: 'issuable',
        issuable_id: found.id,
        action: 'open',
        user_id,
        changes: {},
        isConfidential: confidential,
      }
    }
    case 'note_events':
    case 'confidential_note_events': {
      const confidential = flag === 'confidential_note_events'
      const found = await findNewestNote(db, { project_id, confidential })
      if (!found) throw nothing('notes')
      return { kind: 'note', note_id: found.id, user_id, isConfidential: confidential }
    }
    case 'releases_events': {
      const release = await findNewestRelease(db, project_id)
      if (!release) throw nothing('releases')
      const links = await listLinksOfRelease(db, release.id)
      return { kind: 'release', action: 'create', release, links }
    }
    case 'wiki_page_events':
      return sampleWikiPage(uses, { project_id, user_id })
    default:
      throw unprocessable('Testing not available for this hook')
  }
}

function nothing(what: string) {
  return unprocessable(`Ensure the project has ${what}.`)
}

async function sampleWikiPage(
  { db, git, config }: Instance,
  { project_id, user_id }: { project_id: number; user_id: number },
): Promise<WebhookSubject> {
  const wiki = await findWiki(db, { kind: 'project', id: project_id })
  const repository = wiki && wikiRepository(config, wiki)
  const commit = repository && readRef(repository, wikiBranch(repository))
  const version = commit && (await findWikiVersion(git, repository, commit))
  const [page] = version ? await listWikiPages(git, version) : []
  if (!page || !commit) throw unprocessable('Ensure the wiki is enabled and has pages.')
  const change = { action: 'create', path: page.path } as const
  return { kind: 'wiki_page', project_id, user_id, commit, change }
}

async function samplePush(
  { db, git, config }: Instance,
  { project_id, user_id, isTag }: { project_id: number; user_id: number; isTag: boolean },
): Promise<WebhookSubject> {
  const project = await findProjectForPayload(db, project_id)
  const repository = project && projectRepository(config, project)
  const newOid = repository && (await resolveCommit(git.objects, repository, 'HEAD'))
  const commit = repository && newOid && (await git.objects.commit(repository, newOid))
  if (!commit || !newOid) throw nothing('at least one commit')
  const name = isTag ? 'refs/tags/v1.0.0' : `refs/heads/${project?.default_branch}`
  const oldOid = isTag ? zeroOid : (commit.parents[0] ?? zeroOid)
  const move = { name: name as RefName, oldOid, newOid }
  return { kind: 'push', project_id, user_id, move, options: [] }
}
