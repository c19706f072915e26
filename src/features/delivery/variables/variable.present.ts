import { type Static, Type } from 'typebox'
import { nullableText } from '../../../http/schema.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import type { SealedVariable } from './variable.store.ts'
import type { VariableOwner } from './variable-owner.ts'

export const VariableJson = Type.Object({
  variable_type: Type.String(),
  key: Type.String(),
  value: Type.String(),
  protected: Type.Boolean(),
  masked: Type.Boolean(),
  raw: Type.Boolean(),
  environment_scope: Type.Optional(Type.String()),
  description: nullableText,
})

/** With its value in the clear. The instance's variables know no environments. */
export function presentVariable(
  variable: SealedVariable,
  { owner, secretKey }: { owner: VariableOwner; secretKey: Buffer },
): Static<typeof VariableJson> {
  const { variable_type, key, masked, raw, environment_scope, description } = variable
  return {
    variable_type,
    key,
    value: openSecret(secretKey, variable.value),
    protected: variable.protected,
    masked,
    raw,
    ...(owner.kind === 'instance' ? {} : { environment_scope }),
    description,
  }
}
