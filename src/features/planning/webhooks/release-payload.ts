// What receivers are told of releases (docs/api/webhooks.md, "Releases").
import type { Db } from '../../../db/db.ts'
import type { Oid } from '../../../git/names.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { isExternal, releaseSources, releaseUrl } from '../releases/release-assets.ts'
import type { About } from './about.ts'
import type { PayloadUses } from './build-payload.ts'
import { callHooks } from './call-hooks.ts'
import { findProjectFacts } from './payload.store.ts'
import { commitBlock, hookTime, projectBlock, webUrlOf } from './payload-blocks.ts'
import { findReleaseRow, listLinksOf } from './release-payload.store.ts'

/** A step of a change of a release. It is put down as it is: its row may go with this transaction. */
export async function callForRelease({
  tx,
  clock,
  project_id,
  release_id,
  action,
}: {
  tx: Db
  clock: Clock
  project_id: number
  release_id: number
  action: 'create' | 'update' | 'delete'
}): Promise<void> {
  const about = async (): Promise<About> => {
    const release = await findReleaseRow(tx, release_id)
    if (!release) throw new Error('A release vanished while it was changed.')
    return { kind: 'release', action, release, links: await listLinksOf(tx, release_id) }
  }
  await callHooks({ tx, clock }, { project_id }, { calls: [{ event: 'releases_events', about }] })
}

export async function releasePayload(
  { db, git, config }: PayloadUses,
  { release, links, action }: Extract<About, { kind: 'release' }>,
) {
  const project = await findProjectFacts(db, release.project_id)
  if (!project) return undefined
  const { tag, sha } = release
  const web_url = webUrlOf(config, project)
  const repository = projectRepository(config, project)
  const commit = sha === null ? undefined : await git.objects.commit(repository, sha as Oid)
  const sources = releaseSources(web_url, { project, tag })
  return {
    id: release.id,
    created_at: hookTime(release.created_at),
    description: release.description,
    name: release.name ?? tag,
    released_at: hookTime(release.released_at),
    tag,
    object_kind: 'release',
    project: projectBlock(config, project),
    url: releaseUrl(web_url, tag),
    action,
    assets: {
      count: links.length + sources.length,
      links: links.map(({ id, link_type, name, url }) => ({
        id,
        external: isExternal(url, web_url),
        link_type,
        name,
        url,
      })),
      sources,
    },
    commit: commit ? commitBlock(commit, web_url) : null,
  }
}
