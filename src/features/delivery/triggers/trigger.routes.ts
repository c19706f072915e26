import { Type } from 'typebox'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { optionalText, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, recordNotFound } from '../../../kernel/errors.ts'
import { digestToken, randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  checkNewTokenAgainstParent,
  parentTokenProblems,
} from '../../people/tokens/parent-token.ts'
import { mayChangeTrigger, mayReadTriggers, mayWriteTriggers } from './trigger.policy.ts'
import { presentTrigger, TriggerJson } from './trigger.present.ts'
import {
  deleteTrigger,
  findTrigger,
  hasTriggersAtLeast,
  insertTrigger,
  listTriggers,
  type Trigger,
  updateTrigger,
} from './trigger.store.ts'

const tag = 'Pipeline triggers'
const endpoint = endpointFactory({ tag, on: projectLoader, signIn: 'always' })
const url = '/projects/:id/triggers' as const
const idInput = { trigger_id: Type.Integer() }
const token_characters = 30

async function getTrigger(
  { db, subject: project }: Pick<Context<Project, unknown>, 'db' | 'subject'>,
  id: number,
): Promise<Trigger> {
  const found = await findTrigger(db, { project_id: project.id, id })
  if (!found) throw recordNotFound()
  return found
}

function checkDescription(description: string): void {
  const maximum = limits.name_characters
  if ([...description].length <= maximum) return
  throw invalid({ description: [`is too long (maximum is ${maximum} characters)`] })
}

/** Records an audit event with the description of the trigger and without its token. */
async function recordTriggerEvent(
  context: Context<Project, unknown>,
  action: 'trigger_created' | 'trigger_changed' | 'trigger_removed',
  { id, description }: { id: number; description: string | null },
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: { kind: 'project', id: context.subject.id },
    target: { kind: 'trigger', id, name: description ?? '' },
  })
}

export const triggerEndpoints = [
  endpoint({
    route: `GET ${url}`,
    summary: 'List the triggers of a project',
    allow: mayReadTriggers,
    input: Type.Object(pageInput),
    answer: Type.Array(TriggerJson),
    async run(context) {
      const { db, subject: project, range } = context
      const { rows, total } = await listTriggers(db, project.id, range)
      return new Page({ items: rows.map((row) => presentTrigger(row, context)), total })
    },
  }),

  endpoint({
    route: `GET ${url}/:trigger_id`,
    summary: 'Get a trigger',
    allow: mayReadTriggers,
    input: Type.Object(idInput),
    answer: TriggerJson,
    async run(context) {
      return presentTrigger(await getTrigger(context, context.input.trigger_id), context)
    },
  }),

  endpoint({
    route: `POST ${url}`,
    summary: 'Create a trigger',
    allow: mayWriteTriggers,
    input: Type.Object({ description: Type.String() }),
    status: 201,
    answer: TriggerJson,
    async run(context) {
      const { db, clock, subject: project, input, user, secretKey } = context
      const maximum = limits.triggers_max
      await lockOwner(db, { kind: 'project', id: project.id })
      if (await hasTriggersAtLeast(db, project.id, maximum)) {
        throw invalid({ base: [`Maximum number of pipeline triggers (${maximum}) exceeded`] })
      }
      checkDescription(input.description)
      const inherited = await checkNewTokenAgainstParent(db, context.actor, {
        scopes: [],
        expires_at: null,
      })
      if ('excess' in inherited) throw invalid({ base: [parentTokenProblems[inherited.excess]] })
      const now = timestamp(clock)
      const token = randomHex(token_characters)
      const id = await insertTrigger(db, {
        project_id: project.id,
        owner_id: user.id,
        description: input.description,
        token: sealSecret(secretKey, token),
        token_digest: digestToken(token),
        parent_id: inherited.parent_id,
        created_at: now,
        updated_at: now,
      })
      const trigger = await getTrigger(context, id)
      await recordTriggerEvent(context, 'trigger_created', trigger)
      return presentTrigger(trigger, context)
    },
  }),

  endpoint({
    route: `PUT ${url}/:trigger_id`,
    summary: 'Update a trigger (only its owner)',
    allow: mayWriteTriggers,
    input: Type.Object({ ...idInput, description: optionalText }),
    answer: TriggerJson,
    load: (context) => getTrigger(context, context.input.trigger_id),
    authorize: (context) => mayChangeTrigger(context, context.loaded),
    async run(context) {
      const { db, clock, input, loaded: trigger } = context
      const { description = trigger.description } = input
      checkDescription(description)
      await updateTrigger(db, trigger.id, { description, updated_at: timestamp(clock) })
      await recordTriggerEvent(context, 'trigger_changed', trigger)
      return presentTrigger(await getTrigger(context, trigger.id), context)
    },
  }),

  endpoint({
    route: `DELETE ${url}/:trigger_id`,
    summary: 'Delete a trigger',
    allow: mayWriteTriggers,
    input: Type.Object(idInput),
    status: 204,
    async run(context) {
      const trigger = await getTrigger(context, context.input.trigger_id)
      checkIfUnmodifiedSince(context.request, trigger.updated_at)
      await deleteTrigger(context.db, trigger.id)
      await recordTriggerEvent(context, 'trigger_removed', trigger)
    },
  }),
]
