// Payloads of releases (docs/api/webhooks.md, "Releases").

import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { projectRepository } from '../../../subjects/project.ts'
import {
  isExternalLink,
  releaseSourceArchives,
  releaseUrl,
} from '../../content/releases/release-assets.ts'
import {
  formatWebhookTime,
  presentCommitBlock,
  presentProjectBlock,
  webUrlOfProject,
} from './payload-blocks.ts'
import { findProjectForPayload } from './webhook-payload.ts'
import type { WebhookSubject } from './webhook-subject.ts'

export async function buildReleasePayload(
  { db, git, config }: Instance,
  { release, links, action }: Extract<WebhookSubject, { kind: 'release' }>,
) {
  const project = await findProjectForPayload(db, release.project_id)
  if (!project) return undefined
  const { tag, sha } = release
  const web_url = webUrlOfProject(config, project)
  const repository = projectRepository(config, project)
  const commit = sha === null ? undefined : await git.objects.commit(repository, sha as Oid)
  const sources = releaseSourceArchives(web_url, { project, tag })
  return {
    id: release.id,
    created_at: formatWebhookTime(release.created_at),
    description: release.description,
    name: release.name ?? tag,
    released_at: formatWebhookTime(release.released_at),
    tag,
    object_kind: 'release',
    project: presentProjectBlock(config, project),
    url: releaseUrl(web_url, tag),
    action,
    assets: {
      count: links.length + sources.length,
      links: links.map(({ id, link_type, name, url }) => ({
        id,
        external: isExternalLink(url, web_url),
        link_type,
        name,
        url,
      })),
      sources,
    },
    commit: commit ? presentCommitBlock(commit, web_url) : null,
  }
}
