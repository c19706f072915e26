// Answers `go get` with the repository of an import path (go.dev/ref/mod, "Finding a repository for a module path").

import type { FastifyReply } from 'fastify'
import type { Actor } from '../../access/actor.ts'
import { canSeeProject } from '../../access/visibility.ts'
import { hasBranches } from '../../git/refs.ts'
import type { Instance } from '../../http/endpoint.ts'
import { unknownRoute } from '../../kernel/errors.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { findProjectByPathPrefix, projectRepository } from '../../subjects/project.ts'

/**
 * Sends the import path of a project: the longest prefix of the path that is a project the caller can see. Otherwise the
 * first two parts are taken as the project, so that hidden projects are not revealed.
 */
export async function sendGoImport(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  reply: FastifyReply,
  { actor, path, baseUrl }: { actor: Actor; path: readonly string[]; baseUrl: string },
): Promise<FastifyReply> {
  const found = await findProjectByPathPrefix(db, actor, path)
  const project = found && canSeeProject(actor, found) ? found.project : undefined
  if (project && !hasBranches(projectRepository(config, project))) throw unknownRoute()
  const full_path = project?.full_path ?? path.slice(0, 2).join('/')
  const branch = project?.default_branch ?? 'master'
  const url = `${baseUrl}/${full_path}`
  const place = url.replace(/^https?:\/\//, '')
  const source = `${place} ${url} ${url}/-/tree/${branch}{/dir} ${url}/-/blob/${branch}{/dir}/{file}#L{line}`
  const html = `<html><head><meta name="go-import" content="${escapeHtml(`${place} git ${url}.git`)}"><meta name="go-source" content="${escapeHtml(source)}"></head><body>go get ${escapeHtml(url)}</body></html>`
  return reply.header('content-type', 'text/html; charset=utf-8').send(html)
}
