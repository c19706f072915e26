import { Type } from 'typebox'
import { memberLevels } from '../../../access/level.ts'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  dateTime,
  nullable,
  oneOf,
  oneOfNumbers,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, forbidden, invalid, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { BroadcastMessageJson, presentMessage } from './broadcast-message.present.ts'
import {
  type BroadcastMessage,
  deleteMessage,
  findMessage,
  insertDismissal,
  insertMessage,
  listActive,
  listMessages,
  updateMessage,
} from './broadcast-message.store.ts'
import { isShownAt } from './broadcast-rules.ts'

const endpoint = endpointFactory({ tag: 'Broadcast messages', signIn: 'for-writes' })
const url = '/broadcast_messages' as const
const one = { id: Type.Integer() }
const colour = Type.Optional(nullable(Type.String({ description: 'As `#E75E40`.' })))
const detailsInput = {
  starts_at: Type.Optional(dateTime()),
  ends_at: Type.Optional(dateTime()),
  color: colour,
  font: colour,
  target_access_levels: Type.Optional(Type.Array(oneOfNumbers(memberLevels))),
  target_path: Type.Optional(nullable(Type.String())),
  broadcast_type: Type.Optional(oneOf(['banner', 'notification'])),
  dismissable: optionalBoolean,
}

const usual = {
  color: '#E75E40',
  font: '#FFFFFF',
  target_path: null,
  broadcast_type: 'banner',
  dismissable: false,
} as const
const usual_ms = 60 * 60_000

async function getMessage(db: Db, id: number): Promise<BroadcastMessage> {
  const message = await findMessage(db, id)
  if (!message) throw recordNotFound()
  return message
}

const colourPattern = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

type Checked = Partial<Pick<BroadcastMessage, 'message' | 'color' | 'font' | 'target_path'>>

/** Throws 400 with all problems. */
function check({ message, color, font, target_path }: Checked): void {
  const problems: FieldErrors = {}
  const { message_characters, path_characters } = limits.broadcast_messages
  if (message !== undefined) {
    if (message.trim() === '') problems.message = ["can't be blank"]
    else if (message.length > message_characters) problems.message = [tooLong(message_characters)]
  }
  for (const [field, value] of Object.entries({ color, font })) {
    if (value && !colourPattern.test(value)) problems[field] = ['must be a valid color code']
  }
  if (target_path && target_path.length > path_characters) {
    problems.target_path = [tooLong(path_characters)]
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

const tooLong = (maximum: number) => `is too long (maximum is ${maximum} characters)`

async function recordMessageEvent(
  context: AuditSource,
  action: 'broadcast_message_added' | 'broadcast_message_changed' | 'broadcast_message_removed',
  { id, message }: BroadcastMessage,
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: { kind: 'instance', id: 0 },
    target: { kind: 'broadcast_message', id, name: message.slice(0, limits.name_characters) },
  })
}

export const broadcastMessageEndpoints = [
  endpoint({
    route: `GET ${url}`,
    summary: 'List broadcast messages, the newest first',
    allow: anyone,
    input: Type.Object({
      ...pageInput,
      active: optionalBoolean,
      path: Type.Optional(
        Type.String({ description: 'What the caller is shown now at this path of a page.' }),
      ),
      dismissed: Type.Optional(
        Type.Boolean({ description: 'false: what is on now and the caller has not dismissed.' }),
      ),
    }),
    answer: Type.Array(BroadcastMessageJson),
    async run({ db, clock, actor, range, input }) {
      const now = timestamp(clock)
      const { active, path, dismissed } = input
      if (path === undefined && dismissed !== false) {
        const { rows, total } = await listMessages(db, { active, now }, range)
        return new Page({ items: rows.map((row) => presentMessage(row, now)), total })
      }
      const all = await listActive(db, { now, user_id: actor.user?.id })
      const shown = all.filter(
        ({ target_path }) => path === undefined || isShownAt(target_path, path),
      )
      const { offset, per_page } = range
      const items = shown.slice(offset, offset + per_page).map((row) => presentMessage(row, now))
      return new Page({ items, total: shown.length })
    },
  }),

  endpoint({
    route: `GET ${url}/:id`,
    summary: 'Get a broadcast message',
    allow: anyone,
    input: Type.Object(one),
    answer: BroadcastMessageJson,
    run: async ({ db, clock, input }) =>
      presentMessage(await getMessage(db, input.id), timestamp(clock)),
  }),

  endpoint({
    route: `POST ${url}`,
    summary: 'Add a broadcast message, as an administrator',
    allow: administrators,
    input: Type.Object({ message: Type.String(), ...detailsInput }),
    status: 201,
    answer: BroadcastMessageJson,
    async run(context) {
      const { db, clock, input } = context
      check(input)
      const now = timestamp(clock)
      const { target_access_levels: levels = [], ...given } = input
      const row = await insertMessage(db, {
        ...usual,
        starts_at: now,
        ends_at: new Date(clock().getTime() + usual_ms).toISOString(),
        ...given,
        target_access_levels: toJson(levels),
        created_at: now,
        updated_at: now,
      })
      await recordMessageEvent(context, 'broadcast_message_added', row)
      return presentMessage(row, now)
    },
  }),

  endpoint({
    route: `PUT ${url}/:id`,
    summary: 'Change a broadcast message, as an administrator',
    allow: administrators,
    input: Type.Object({ ...one, message: optionalText, ...detailsInput }),
    answer: BroadcastMessageJson,
    async run(context) {
      const { db, clock, input } = context
      const { id, target_access_levels: levels, ...changes } = input
      await getMessage(db, id)
      check(changes)
      const now = timestamp(clock)
      const row = await updateMessage(db, id, {
        ...changes,
        ...(levels ? { target_access_levels: toJson(levels) } : {}),
        updated_at: now,
      })
      await recordMessageEvent(context, 'broadcast_message_changed', row)
      return presentMessage(row, now)
    },
  }),

  endpoint({
    route: `DELETE ${url}/:id`,
    summary: 'Remove a broadcast message, as an administrator',
    allow: administrators,
    input: Type.Object(one),
    status: 204,
    async run(context) {
      const { db, input, request } = context
      const message = await getMessage(db, input.id)
      checkIfUnmodifiedSince(request, message.updated_at)
      await deleteMessage(db, message.id)
      await recordMessageEvent(context, 'broadcast_message_removed', message)
    },
  }),

  endpoint({
    route: `POST ${url}/:id/dismiss`,
    summary: 'Dismiss a broadcast message',
    allow: anyone,
    input: Type.Object(one),
    status: 204,
    load: ({ db, input }) => getMessage(db, input.id),
    authorize: ({ loaded: { dismissable } }) =>
      dismissable || forbidden('The message cannot be dismissed'),
    async run({ db, clock, user, loaded: { id } }) {
      const created_at = timestamp(clock)
      await insertDismissal(db, { user_id: user.id, broadcast_message_id: id, created_at })
    },
  }),
]
