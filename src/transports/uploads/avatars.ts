// Avatars at the URLs that the API returns, outside of it. Users uploaded them, so they are served as images only.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, anonymous, type TokenScope } from '../../access/actor.ts'
import { openAvatar } from '../../features/basics/avatars/avatar.ts'
import { authenticateByToken } from '../../features/people/credentials/credential.ts'
import { isMatchingEtag } from '../../http/conditional.ts'
import { findRequestToken } from '../../http/credentials.ts'
import type { Instance } from '../../http/endpoint.ts'
import { unknownRoute } from '../../kernel/errors.ts'
import type { AvatarOwner } from '../../subjects/avatar-url.ts'

type Parameters = { kind: string; id: string; file: string }

const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
}

/** Serves `/uploads/-/system/<user, project or group>/avatar/<id>/<file>`. */
export function mountAvatars(
  app: FastifyInstance,
  uses: Pick<Instance, 'db' | 'clock' | 'config'>,
): void {
  app.get('/uploads/-/system/:kind/avatar/:id/:file', (request, reply) =>
    serve(uses, request, reply),
  )
}

async function serve(
  uses: Pick<Instance, 'db' | 'clock' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { kind, id, file } = request.params as Parameters
  if (!isKind(kind) || !/^[1-9]\d{0,14}$/.test(id)) throw unknownRoute()
  const actor = await findActor(uses, request, kind)
  const what = { owner: { kind, id: Number(id) }, file_name: file }
  const avatar = await openAvatar(uses, actor, what)
  if (!avatar) throw unknownRoute()
  reply.headers({ ...safeHeaders, etag: avatar.tag })
  if (isMatchingEtag(request.headers['if-none-match'], avatar.tag)) return reply.code(304).send()
  const stream = await avatar.read()
  if (!stream) throw unknownRoute()
  return reply
    .headers({ 'content-type': avatar.content_type, 'content-length': avatar.size })
    .send(stream)
}

function isKind(kind: string): kind is AvatarOwner['kind'] {
  return kind === 'user' || kind === 'project' || kind === 'group' || kind === 'topic'
}

/** The token scopes that may read projects and groups, as in the API. */
const readScopes: readonly TokenScope[] = ['api', 'read_api']

/**
 * The pictures of projects and groups depend on who asks. A token that does not cover reading them counts
 * as nobody.
 */
async function findActor(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  request: FastifyRequest,
  kind: AvatarOwner['kind'],
): Promise<Actor> {
  const token = kind === 'user' ? undefined : findRequestToken(request.headers, {})
  if (token === undefined) return anonymous
  const actor = await authenticateByToken(db, clock, token)
  return actor.token?.scopes.some((scope) => readScopes.includes(scope)) ? actor : anonymous
}
