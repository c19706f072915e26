import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LfsOperation } from '../../features/repository/lfs/lfs-token.ts'
import type { Instance } from '../../http/endpoint.ts'
import { readBody } from '../../http/raw-parameters.ts'
import { invalid } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'
import type { GitTarget } from '../../subjects/git-target.ts'
import { authorizeLfs, type LfsCaller } from './access.ts'
import { lfsRefusals, sendLfsAuthChallenge, sendLfsError } from './reply.ts'

/** A request with its authenticated caller and its project. */
export type LfsRequestContext = {
  services: Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>
  caller: LfsCaller
  target: GitTarget | undefined
  baseUrl: string
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Runs `run` if the caller is authorized, and sends the refusal otherwise. An anonymous caller is asked to sign in,
 * whether or not the project exists.
 */
export async function serveWithLfsAccess(
  call: LfsRequestContext,
  operation: LfsOperation,
  run: (target: GitTarget) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { services, caller, target, reply, baseUrl } = call
  const refusal = await authorizeLfs(services.db, caller, { target, operation })
  if (target && !refusal) return run(target)
  const isAnonymous = !caller.actor.user && !caller.grant
  if (isAnonymous && refusal !== 'disabled') return sendLfsAuthChallenge(reply, baseUrl)
  return sendLfsError(reply, lfsRefusals[refusal ?? 'hidden'], baseUrl)
}

/** Reads the JSON object of a request. Throws 400 for malformed JSON and 413 for a body that is too large. */
export async function readLfsBody({
  request,
}: LfsRequestContext): Promise<Record<string, unknown>> {
  const stream = request.body as Readable | undefined
  const bytes = stream ? await readBody(stream, limits.body_bytes) : Buffer.alloc(0)
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    // Told below.
  }
  throw invalid(lfsRefusals.notJson.message)
}
