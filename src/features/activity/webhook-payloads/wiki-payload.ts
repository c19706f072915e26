// Payloads of wiki pages (docs/api/webhooks.md, "Wiki pages").

import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { findUser } from '../../../subjects/user.ts'
import { findWiki, wikiRepository, wikiUrl } from '../../../subjects/wiki.ts'
import {
  findWikiPageByPath,
  findWikiVersion,
  readWikiPage,
  wikiBranch,
} from '../../content/wikis/read-pages.ts'
import { presentProjectBlock, presentUserBlock } from './payload-blocks.ts'
import { findProjectForPayload } from './webhook-payload.ts'
import type { WebhookSubject } from './webhook-subject.ts'

export async function buildWikiPagePayload(
  { db, git, config }: Instance,
  { project_id, user_id, commit: oid, change }: Extract<WebhookSubject, { kind: 'wiki_page' }>,
) {
  const project = await findProjectForPayload(db, project_id)
  const wiki = await findWiki(db, { kind: 'project', id: project_id })
  if (!project || !wiki) return undefined
  const repository = wikiRepository(config, wiki)
  const commit = await git.objects.commit(repository, oid as Oid)
  if (!commit) return undefined
  const held = change.action === 'delete' ? commit.parents[0] : oid
  const version = held && (await findWikiVersion(git, repository, held))
  const page = version && (await findWikiPageByPath(git, version, change.path))
  if (!page) return undefined
  const user = await findUser(db, user_id)
  const block = presentProjectBlock(config, project)
  const withSuffix = (address: string) => address.replace(/\.git$/, '.wiki.git')
  const web_url = wikiUrl(serverUrl(config), { kind: 'project', full_path: project.full_path })
  const url = `${web_url}/${page.slug.split('/').map(encodeURIComponent).join('/')}`
  return {
    object_kind: 'wiki_page',
    user: user ? presentUserBlock(config, user) : null,
    project: block,
    wiki: {
      web_url,
      git_ssh_url: withSuffix(block.git_ssh_url),
      git_http_url: withSuffix(block.git_http_url),
      path_with_namespace: `${project.full_path}.wiki`,
      default_branch: wikiBranch(repository).slice('refs/heads/'.length),
    },
    object_attributes: {
      slug: page.slug,
      title: page.title,
      format: page.format,
      message: commit.message.trimEnd(),
      content: await readWikiPage(git, repository, page),
      url,
      action: change.action,
      diff_url: `${web_url}/${encodeURIComponent(page.slug)}/diff?version_id=${oid}`,
      version_id: oid,
    },
  }
}
