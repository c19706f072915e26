import type { Instance, RequestFacts } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badParameters, forbidden } from '../../../kernel/errors.ts'
import { digestToken, randomText } from '../../../kernel/ids.ts'
import { findRunnerByTokenDigest, type Runner, updateRunner } from './runner.store.ts'

/** The version and platform that runners send with each request. */
export type RunnerInfo = {
  name?: unknown
  version?: unknown
  revision?: unknown
  platform?: unknown
  architecture?: unknown
  executor?: unknown
  isolation_problem?: unknown
  features?: unknown
}

/** Returns a new runner token. Clients expect the prefix `glrt-` for a runner that a user created. */
export function generateRunnerToken({ isMadeByUser }: { isMadeByUser: boolean }): string {
  return `${isMadeByUser ? 'glrt-' : ''}${randomText(20)}`
}

/** Returns the stored columns of a token: its digest and its first characters. */
export function runnerTokenColumns(token: string): { token_digest: string; short_token: string } {
  return { token_digest: digestToken(token), short_token: token.replace(/^glrt-/, '').slice(0, 8) }
}

/** Returns the runner of a request. Throws 400 without a token, and 403 for an unknown or expired one. */
export async function authenticateRunner(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  { token, request }: { token: string | undefined; request: Pick<RequestFacts, 'headers'> },
): Promise<Runner> {
  const header = request.headers['runner-token']
  const given = token || (typeof header === 'string' ? header : undefined)
  if (!given) throw badParameters(['token is missing'])
  const runner = await findRunnerByTokenDigest(db, digestToken(given))
  const expires_at = runner?.token_expires_at ?? null
  if (!runner || (expires_at !== null && expires_at <= timestamp(clock))) throw forbidden()
  return runner
}

/** The minimum interval between writes of a runner's contact and version. */
const contact_interval_ms = 40_000
const told_characters_max = 255

/** Records that the runner contacted the server, and its version and platform; not at every request. */
export async function recordRunnerContact(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  runner: Runner,
  { ip, info }: { ip: string; info: RunnerInfo | undefined },
): Promise<void> {
  const now_ms = clock().getTime()
  const last_ms = runner.contacted_at === null ? 0 : Date.parse(runner.contacted_at)
  const told = info && toRunnerInfoColumns(info)
  const isSame =
    !told || Object.entries(told).every(([key, value]) => runner[key as 'name'] === value)
  if (now_ms - last_ms < contact_interval_ms && isSame && runner.ip_address === ip) return
  await updateRunner(db, runner.id, { ...told, ip_address: ip, contacted_at: timestamp(clock) })
}

/** Returns the columns of what a runner reports about itself. Values that are not text are null. */
export function toRunnerInfoColumns(info: RunnerInfo) {
  const text = (value: unknown) =>
    typeof value === 'string' && !value.includes('\0')
      ? value.toWellFormed().slice(0, told_characters_max)
      : null
  return {
    name: text(info.name),
    version: text(info.version),
    revision: text(info.revision),
    platform: text(info.platform),
    architecture: text(info.architecture),
    executor: text(info.executor),
    isolation_problem: text(info.isolation_problem),
  }
}

/** Returns the features a runner reports; undefined if it reports none. */
export function reportedRunnerFeatures(
  info: RunnerInfo | undefined,
): Record<string, unknown> | undefined {
  const { features } = info ?? {}
  return features !== null && typeof features === 'object'
    ? (features as Record<string, unknown>)
    : undefined
}
