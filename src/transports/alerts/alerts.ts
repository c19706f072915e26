// The endpoints that monitoring tools send alerts to: `/<full path>/alerts/notify.json` and others, outside of the API
// and with keys of their own (docs/api/alerts.md, "Addresses").

import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import {
  type AlertReceiver,
  alertParsingOptionsOf,
  findAlertReceiver,
  isKeyOfIntegration,
} from '../../features/security/alert-integrations/alert-integration.ts'
import { presentRecordedAlerts } from '../../features/security/alerts/alert.ts'
import { parseAlertPayload } from '../../features/security/alerts/parse-alert-payload.ts'
import { isAlertmanagerPayload } from '../../features/security/alerts/parse-alertmanager-payload.ts'
import type { AlertPayload } from '../../features/security/alerts/payload.ts'
import { recordAlertsBatched } from '../../features/security/alerts/record-alerts-batched.ts'
import {
  contentLengthOf,
  type IncomingBody,
  readBodyHead,
  streamWholeBody,
} from '../../http/body.ts'
import { basicCredentials, bearerToken } from '../../http/credentials.ts'
import type { Instance } from '../../http/endpoint.ts'
import { JsonReader } from '../../http/json-reader.ts'
import { type RateLimiter, sendTooManyRequests } from '../../http/rate-limit.ts'
import { timestamp } from '../../kernel/clock.ts'
import { ApiError, badRequest, unknownRoute } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'
import { isRecord } from '../../kernel/record.ts'
import { markWorkResumed, runAsWork } from '../../kernel/work-attribution.ts'
import type { AlertAddress } from './find-address.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'> & { rateLimiter: RateLimiter }

/** Receives alerts that carry the key of an integration. Refusals have no body. */
export function serveAlerts(
  uses: Uses,
  addresses: readonly AlertAddress[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const work = { holder: `address:${request.ip}`, name: 'POST alerts/notify' }
  return runAsWork(work, async () => {
    try {
      return await serve(uses, addresses, request, reply)
    } catch (error) {
      // What the body is refused for: not JSON, too deep, too much of it.
      if (error instanceof ApiError && error.status === 400) return reply.code(400).send()
      throw error
    }
  })
}

async function serve(
  uses: Uses,
  addresses: readonly AlertAddress[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, clock, rateLimiter } = uses
  const found = await findFirst(db, addresses)
  if (!found) throw unknownRoute()
  const { address, intake } = found
  const { integration } = intake
  const hasKey = integration && isKeyOfIntegration(uses.secretKey, integration, keyOf(request))
  const isNamed = integration !== undefined && isUnguessable(address)
  // Who has neither the key nor the address of an integration learns of no project that strangers do not see.
  if (!intake.isPublic && !hasKey && !isNamed) throw unknownRoute()
  if (contentLengthOf(request) > limits.alerts.payload_bytes) return reply.code(400).send()
  const incoming = await readBodyHead(request.body as Readable)
  // A long body is read only for who has the key.
  const short = incoming.rest ? undefined : await readBody(incoming)
  if (!integration || intake.isArchived) return reply.code(403).send()
  if (!hasKey) return reply.code(401).send()
  await rateLimiter.reloadIfStale()
  const verdict = rateLimiter.count('incident_management_notification', String(intake.project_id))
  if (verdict) return sendTooManyRequests(reply, verdict)
  const payload = short ?? (await readBody(incoming))
  if (address.kind === 'prometheus' && !isAlertmanagerPayload(payload))
    return reply.code(422).send()
  const reading = alertParsingOptionsOf(integration, {
    tier: uses.config.tier,
    now: timestamp(clock),
  })
  const sent = parseAlertPayload(payload, reading)
  return reply.send(presentRecordedAlerts(await recordAlertsBatched({ db, clock }, intake, sent)))
}

/** The project an address is of, by the first reading of the address that finds one. */
async function findFirst(
  db: Db,
  addresses: readonly AlertAddress[],
): Promise<{ address: AlertAddress; intake: AlertReceiver } | undefined> {
  for (const address of addresses) {
    const intake = await findAlertReceiver(db, address)
    if (intake) return { address, intake }
  }
  return undefined
}

/** Whether the address has an identifier that the server made, 16 random hexadecimal digits. */
function isUnguessable({ identifier = '' }: AlertAddress): boolean {
  return /^[0-9a-f]{16}$/.test(identifier)
}

/** By RFC 6750, or as the password of whatever user. */
function keyOf({ headers: { authorization } }: FastifyRequest): string {
  return bearerToken(authorization) ?? basicCredentials(authorization)?.password ?? ''
}

/** The object a body is; nothing sent is one without members. Throws 400 for anything else. */
async function readBody(incoming: IncomingBody): Promise<AlertPayload> {
  const { payload_bytes, payload_depth: depth_max, payload_values: values_max } = limits.alerts
  const reader = new JsonReader({ depth_max, values_max })
  let bytes = 0
  for await (const chunk of streamWholeBody(incoming)) {
    markWorkResumed()
    bytes += chunk.length
    if (bytes > payload_bytes) throw badRequest()
    reader.write(chunk)
  }
  const payload = bytes === 0 ? {} : reader.end()
  if (!isRecord(payload)) throw badRequest()
  return payload
}
