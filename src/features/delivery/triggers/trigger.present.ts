import { type Static, Type } from 'typebox'
import type { ActorUser } from '../../../access/actor.ts'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import type { Trigger } from './trigger.store.ts'

export const TriggerJson = namedObject('Trigger', {
  id: Type.Integer(),
  token: Type.String(),
  description: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  last_used: nullableText,
  owner: nullable(BasicUserJson),
})

/** How many characters of a token are shown to users other than its owner. */
export const visible_token_characters = 4

/** Presents a trigger, with the whole token only for its owner. */
export function presentTrigger(
  trigger: Trigger,
  { user, secretKey, baseUrl }: { user: ActorUser; secretKey: Buffer; baseUrl: string },
): Static<typeof TriggerJson> {
  const { id, description, created_at, updated_at, last_used, owner } = trigger
  const token = openSecret(secretKey, trigger.token)
  return {
    id,
    token: owner?.id === user.id ? token : token.slice(0, visible_token_characters),
    description,
    created_at,
    updated_at,
    last_used,
    owner: owner ? presentBasicUser(owner, baseUrl) : null,
  }
}
