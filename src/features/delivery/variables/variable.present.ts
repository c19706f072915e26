import { type Static, Type } from 'typebox'
import { namedObject, nullableText, oneOf } from '../../../http/schema.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import type { SealedCiVariable } from './variable.store.ts'
import type { VariableOwner } from './variable-owner.ts'

export const VariableJson = namedObject('Variable', {
  variable_type: oneOf(['env_var', 'file']),
  key: Type.String(),
  value: nullableText,
  protected: Type.Boolean(),
  masked: Type.Boolean(),
  hidden: Type.Optional(Type.Boolean()),
  raw: Type.Boolean(),
  environment_scope: Type.Optional(Type.String()),
  description: nullableText,
})

/**
 * Presents a variable, with its decrypted value unless it is hidden. Variables of the instance have no environment scope,
 * and `hidden` only if they are: Ansible's `gitlab_instance_variable` does not know that field, takes a record with it for a
 * different variable than the one it created, and deletes it.
 */
export function presentVariable(
  variable: SealedCiVariable,
  { owner, secretKey }: { owner: VariableOwner; secretKey: Buffer },
): Static<typeof VariableJson> {
  const { variable_type, key, masked, hidden, raw, environment_scope, description } = variable
  return {
    variable_type,
    key,
    value: hidden ? null : openSecret(secretKey, variable.value),
    protected: variable.protected,
    masked,
    ...(owner.kind === 'instance' && !hidden ? {} : { hidden }),
    raw,
    ...(owner.kind === 'instance' ? {} : { environment_scope }),
    description,
  }
}
