// Public functions of files in wikis: finds a file and serves its bytes.
import { Readable } from 'node:stream'
import type { Actor } from '../../../access/actor.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import { Answer } from '../../../http/answer.ts'
import { contentDisposition } from '../../../http/disposition.ts'
import { type Instance, isTierSufficient, type RequestFacts } from '../../../http/endpoint.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'
import { findWiki, mayReadWiki, wikiRepository } from '../../../subjects/wiki.ts'
import { inlineContentType } from '../uploads/upload-name.ts'
import { findWikiVersion } from './read-pages.ts'

type Asked = {
  owner: OwningProjectOrGroup
  level: number
  actor: Actor
  secret: string
  file_name: string
  request: Pick<RequestFacts, 'method'>
}

/** Returns the bytes of an attachment; undefined if it does not exist or the caller may not read the wiki. */
export async function createWikiFileAnswer(
  { db, git, config }: Pick<Instance, 'db' | 'git' | 'config'>,
  { owner, level, actor, secret, file_name, request }: Asked,
): Promise<Answer | undefined> {
  if (!mayReadWiki({ subject: owner, level, actor })) return undefined
  if (owner.kind === 'group' && !isTierSufficient(config.tier, 'premium')) return undefined
  const wiki = await findWiki(db, owner)
  if (!wiki) return undefined
  const repository = wikiRepository(config, wiki)
  const version = await findWikiVersion(git, repository)
  const path = `uploads/${secret}/${file_name}`
  const entry = version && (await findTreeEntry(git.objects, repository, version.tree, path))
  if (!entry?.mode.startsWith('100')) return undefined
  const info = await git.objects.info(repository, entry.oid)
  if (!info) return undefined
  // Files come from users, so only images and videos are shown inline (docs/api/uploads.md, "Addresses").
  const type = inlineContentType(file_name)
  const headers = {
    'content-type': type ?? 'application/octet-stream',
    'content-length': String(info.size),
    'Content-Disposition': contentDisposition(type ? 'inline' : 'attachment', file_name),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'private, must-revalidate, max-age=0',
    'X-Content-Type-Options': 'nosniff',
  }
  if (request.method === 'HEAD') return Answer.raw(Readable.from([]), headers, 200)
  return Answer.raw(await git.objects.blobStream(repository, entry.oid), headers, 200)
}
