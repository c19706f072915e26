// Responses of the LFS server: JSON of its own media type, errors with a message and a documentation URL (git-lfs:
// docs/api/batch.md, "Response Errors").
import type { FastifyReply } from 'fastify'

const mediaType = 'application/vnd.git-lfs+json'

export function sendLfsJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  // As bytes: to a text Fastify would add a charset, and clients compare the type for equality.
  return reply
    .code(status)
    .header('content-type', mediaType)
    .send(Buffer.from(JSON.stringify(body)))
}

export function sendLfsError(
  reply: FastifyReply,
  { status, message, ...more }: { status: number; message: string } & Record<string, unknown>,
  baseUrl: string,
): FastifyReply {
  return sendLfsJson(reply, status, { ...more, message, documentation_url: `${baseUrl}/help` })
}

/** Sends 401 with the challenge of git over HTTP and the one that LFS clients expect. */
export function sendLfsAuthChallenge(reply: FastifyReply, baseUrl: string): FastifyReply {
  const scheme = 'Basic realm="GitLab"'
  reply.headers({ 'WWW-Authenticate': scheme, 'LFS-Authenticate': scheme })
  return sendLfsError(reply, { status: 401, message: 'HTTP Basic: Access denied' }, baseUrl)
}

/** The responses of refusals (docs/api/lfs.md, "Refusals"). */
export const lfsRefusals = {
  hidden: { status: 404, message: 'Not found.' },
  forbidden: { status: 403, message: 'Access forbidden. Check your access level.' },
  tokenWanted: {
    status: 401,
    message:
      'HTTP Basic: Access denied. You must use a personal access token, for two-factor sign-in is on.',
  },
  disabled: {
    status: 501,
    message: 'Git LFS is not enabled on this Bloomery server, contact your admin.',
  },
  oldApi: {
    status: 501,
    message:
      'Server supports batch API only, please update your Git LFS client to version 1.0.1 and up.',
  },
  notJson: { status: 400, message: 'The body is not the JSON object it should be.' },
  operation: { status: 422, message: 'The operation is neither download nor upload.' },
  hashAlgorithm: { status: 409, message: 'The hash algorithm is not sha256.' },
  tooMany: { status: 413, message: 'The request asks for too many objects.' },
  object: { status: 422, message: 'The oid or the size is none an object can have.' },
  otherBytes: {
    status: 422,
    message: 'The bytes sent are not those of the object: their size or SHA-256 is another.',
  },
  number: { status: 422, message: 'The cursor or the limit is no number.' },
} as const
