import { type Static, Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { findUserByIdOrName } from '../../../subjects/user.ts'
import {
  deleteUserStatus,
  findUserStatus,
  type UserStatus,
  upsertUserStatus,
} from './status.store.ts'

const endpoint = endpointFactory({ tag: 'User status', scope: 'read_user' })
const hour_ms = 60 * 60_000
const durations_ms = {
  '30_minutes': hour_ms / 2,
  '3_hours': 3 * hour_ms,
  '8_hours': 8 * hour_ms,
  '1_day': 24 * hour_ms,
  '3_days': 3 * 24 * hour_ms,
  '7_days': 7 * 24 * hour_ms,
  '30_days': 30 * 24 * hour_ms,
}
const durationNames = Object.keys(durations_ms) as (keyof typeof durations_ms)[]

const StatusJson = namedObject('UserStatus', {
  emoji: nullableText,
  availability: nullableText,
  message: nullableText,
  message_html: Type.String(),
  clear_status_at: nullableText,
})

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Presents a status; without one, or after its expiry, all fields are empty. */
function presentStatus(status: UserStatus | undefined): Static<typeof StatusJson> {
  const message = status?.message ?? null
  return {
    emoji: status?.emoji ?? null,
    availability: status?.availability ?? null,
    message,
    message_html: (message ?? '').replace(/[&<>"]/g, (sign) => ownValue(entities, sign) ?? ''),
    clear_status_at: status?.clear_status_at ?? null,
  }
}

const StatusInput = Type.Object({
  emoji: Type.Optional(
    nullable(Type.String({ description: 'Its name; speech_balloon where none is given.' })),
  ),
  message: Type.Optional(nullable(Type.String())),
  availability: Type.Optional(nullable(oneOf(['not_set', 'busy']))),
  clear_status_after: Type.Optional(nullable(oneOf(durationNames))),
})
type StatusInput = Static<typeof StatusInput>

/** The emoji of a status without one. */
const usualEmoji = 'speech_balloon'

/**
 * Merges the input into the previous status. Returns undefined if neither emoji nor message is left and the
 * user is not busy.
 */
function readStatus(
  clock: Clock,
  input: StatusInput,
  before: UserStatus | undefined,
): Omit<UserStatus, 'user_id'> | undefined {
  // The default emoji does not count as an emoji that the user has set.
  const kept = before && (before.emoji === usualEmoji ? { ...before, emoji: '' } : before)
  const { emoji, message, availability, clear_status_after } = { ...kept, ...input }
  if (!emoji && !message && availability !== 'busy') return undefined
  const clear_status_at = clear_status_after
    ? new Date(clock().getTime() + durations_ms[clear_status_after]).toISOString()
    : null
  return {
    emoji: emoji || usualEmoji,
    message: message ?? '',
    availability: availability ?? 'not_set',
    clear_status_at:
      clear_status_after === undefined ? (kept?.clear_status_at ?? null) : clear_status_at,
  }
}

/** Saves the status, or deletes it if nothing is left of it. */
async function setStatus(
  { db, clock, user, input }: Context<unknown, StatusInput>,
  before: UserStatus | undefined,
): Promise<Static<typeof StatusJson>> {
  const status = readStatus(clock, input, before)
  if (!status) {
    await deleteUserStatus(db, user.id)
    return presentStatus(undefined)
  }
  const problems = statusProblems(status)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return presentStatus(await upsertUserStatus(db, { user_id: user.id, ...status }))
}

function statusProblems({ emoji, message }: Omit<UserStatus, 'user_id'>): FieldErrors {
  const problems: FieldErrors = {}
  if (!/^[a-z0-9_+-]{1,100}$/.test(emoji)) problems.emoji = ['is not a valid emoji name']
  const most = limits.status_characters
  if ([...message].length > most) {
    problems.message = [`is too long (maximum is ${most} characters)`]
  }
  return problems
}

export const statusEndpoints = [
  endpoint({
    route: 'GET /user/status',
    summary: 'Get your status',
    allow: anyone,
    answer: StatusJson,
    async run({ db, clock, user }) {
      return presentStatus(await findUserStatus(db, user.id, timestamp(clock)))
    },
  }),

  endpoint({
    route: 'GET /users/:user_id/status',
    summary: 'Get the status of a user',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({ user_id: Type.String({ description: 'ID or name of the user.' }) }),
    answer: StatusJson,
    async run({ db, clock, input }) {
      const user = await findUserByIdOrName(db, input.user_id)
      if (!user) throw notFound('User')
      return presentStatus(await findUserStatus(db, user.id, timestamp(clock)))
    },
  }),

  endpoint({
    route: 'PUT /user/status',
    summary: 'Set your status',
    allow: anyone,
    input: StatusInput,
    answer: StatusJson,
    run: (context) => setStatus(context, undefined),
  }),

  endpoint({
    route: 'PATCH /user/status',
    summary: 'Update parts of your status',
    allow: anyone,
    input: StatusInput,
    answer: StatusJson,
    async run(context) {
      const { db, clock, user } = context
      return setStatus(context, await findUserStatus(db, user.id, timestamp(clock)))
    },
  }),
]
