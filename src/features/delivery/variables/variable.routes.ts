import { Type } from 'typebox'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  namedObject,
  nullable,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret, sealSecret } from '../../../kernel/secrets.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { presentVariable, VariableJson } from './variable.present.ts'
import {
  deleteCiVariable,
  findCiVariables,
  hasCiVariablesAtLeast,
  insertCiVariable,
  listCiVariables,
  type SealedCiVariable,
  updateCiVariable,
} from './variable.store.ts'
import {
  groupVariableOwnerLoader,
  instanceVariableOwnerLoader,
  mayReadCiVariables,
  mayWriteCiVariables,
  projectVariableOwnerLoader,
  type VariableOwner,
} from './variable-owner.ts'
import { variableProblems } from './variable-problems.ts'

const tag = 'Variables'

const variableTypes = ['env_var', 'file'] as const
const settingsInput = {
  protected: optionalBoolean,
  masked: optionalBoolean,
  raw: optionalBoolean,
  environment_scope: optionalText,
  description: Type.Optional(nullable(Type.String())),
}
const keyInput = {
  key: Type.String(),
  filter: Type.Optional(namedObject('VariableFilter', { environment_scope: optionalText })),
}

type Settings = {
  protected?: boolean
  masked?: boolean
  raw?: boolean
  environment_scope?: string
  description?: string | null
}
type NewInput = Settings & {
  key: string
  value: string
  masked_and_hidden?: boolean
  variable_type?: 'env_var' | 'file'
}
type KeyInput = { key: string; filter?: { environment_scope?: string } }
type ChangeInput = KeyInput & Settings & { value?: string; variable_type?: 'env_var' | 'file' }
type VariableContext<Input> = Context<VariableOwner, Input>

/**
 * Returns the variable with the given key. Throws 404 if it does not exist, and 409 if the key has several
 * scopes and the request names none.
 */
async function getVariable(context: VariableContext<KeyInput>): Promise<SealedCiVariable> {
  const { db, subject: owner, input } = context
  const environment_scope = input.filter?.environment_scope
  const [found, other] = await findCiVariables(db, owner, { key: input.key, environment_scope })
  if (!found) throw notFound(owner.kind === 'instance' ? 'InstanceVariable' : 'Variable')
  if (!other) return found
  throw conflict(
    "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
  )
}

/** Groups have scopes on the paid tiers (docs/api/conventions.md, "Tiers"); the instance has none. */
function scopeOf(context: VariableContext<Settings>): string | undefined {
  const { subject: owner, input, config } = context
  const isKnown = owner.kind === 'project' || (owner.kind === 'group' && config.tier !== 'free')
  return isKnown ? input.environment_scope : undefined
}

function isTaken(key: string) {
  return invalid({ key: [`(${key}) has already been taken`] })
}

/** Records an audit event with the key of the variable and without its value. */
async function recordVariableEvent(
  context: VariableContext<unknown>,
  action: 'variable_created' | 'variable_changed' | 'variable_removed',
  { id, key, environment_scope, protected: isProtected, masked }: SealedCiVariable,
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: context.subject,
    target: { kind: 'variable', id, name: key },
    details: { environment_scope, protected: isProtected, masked },
  })
}

async function create(context: VariableContext<NewInput>) {
  const { db, clock, subject: owner, input, secretKey } = context
  const { key, value, variable_type = 'env_var', description = null } = input
  const hidden = input.masked_and_hidden ?? false
  const variable = {
    key,
    value,
    variable_type,
    protected: input.protected ?? false,
    masked: hidden || (input.masked ?? false),
    hidden,
    raw: input.raw ?? false,
    environment_scope: scopeOf(context) ?? '*',
    description,
  }
  await refuseTooMany(context)
  const problems = variableProblems(variable)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const now = timestamp(clock)
  const sealed = { ...variable, value: sealSecret(secretKey, value) }
  const row = await insertCiVariable(db, owner, { ...sealed, created_at: now, updated_at: now })
  if (!row) throw isTaken(key)
  await recordVariableEvent(context, 'variable_created', row)
  return presentVariable(row, { owner, secretKey })
}

async function refuseTooMany({ db, subject: owner }: VariableContext<unknown>): Promise<void> {
  const maximum = limits.variables_max[owner.kind]
  await lockOwner(db, owner)
  if (!(await hasCiVariablesAtLeast(db, owner, maximum))) return
  const name = `${owner.kind} ci variables`
  throw invalid({ base: [`Maximum number of ${name} (${maximum}) exceeded`] })
}

async function change(context: VariableContext<ChangeInput>) {
  const { db, clock, subject: owner, input, secretKey } = context
  const before = await getVariable(context)
  if (before.hidden && input.masked === false) {
    throw invalid({
      base: ['The visibility setting cannot be changed for masked and hidden variables.'],
    })
  }
  const { variable_type = before.variable_type, description = before.description } = input
  const variable = {
    key: before.key,
    value: input.value ?? openSecret(secretKey, before.value),
    variable_type,
    protected: input.protected ?? before.protected,
    masked: input.masked ?? before.masked,
    raw: input.raw ?? before.raw,
    environment_scope: scopeOf(context) ?? before.environment_scope,
    description,
  }
  const problems = variableProblems(variable)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const sealed = { ...variable, value: sealSecret(secretKey, variable.value) }
  const row = await updateCiVariable(db, before.id, { ...sealed, updated_at: timestamp(clock) })
  if (!row) throw isTaken(before.key)
  await recordVariableEvent(context, 'variable_changed', row)
  return presentVariable(row, { owner, secretKey })
}

/** Returns the endpoints for variables of projects, groups or the instance, which differ only in the owner. */
function endpointsOf(
  base: '/projects/:id/variables' | '/groups/:id/variables' | '/admin/ci/variables',
  on: SubjectLoader<VariableOwner>,
): readonly Endpoint[] {
  const whose = base.startsWith('/admin') ? 'the instance' : `a ${base.split('/')[1]?.slice(0, -1)}`
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the variables of ${whose}`,
      tag,
      signIn: 'always',
      on,
      allow: mayReadCiVariables,
      input: Type.Object(pageInput),
      answer: Type.Array(VariableJson),
      async run(context) {
        const { db, subject: owner, range, secretKey } = context
        const { rows, total } = await listCiVariables(db, owner, range)
        const items = rows.map((row) => presentVariable(row, { owner, secretKey }))
        return new Page({ items, total })
      },
    }),

    endpoint({
      route: `GET ${base}/:key`,
      summary: `Get a variable of ${whose}`,
      tag,
      signIn: 'always',
      on,
      allow: mayReadCiVariables,
      input: Type.Object(keyInput),
      answer: VariableJson,
      async run(context) {
        const { subject: owner, secretKey } = context
        return presentVariable(await getVariable(context), { owner, secretKey })
      },
    }),

    endpoint({
      route: `POST ${base}`,
      summary: `Create a variable of ${whose}`,
      tag,
      signIn: 'always',
      on,
      allow: mayWriteCiVariables,
      input: Type.Object({
        key: Type.String(),
        value: Type.String(),
        ...settingsInput,
        masked_and_hidden: optionalBoolean,
        variable_type: Type.Optional(oneOf(variableTypes, { default: 'env_var' })),
      }),
      status: 201,
      answer: VariableJson,
      run: create,
    }),

    endpoint({
      route: `PUT ${base}/:key`,
      summary: `Change a variable of ${whose}`,
      tag,
      signIn: 'always',
      on,
      allow: mayWriteCiVariables,
      input: Type.Object({
        ...keyInput,
        value: optionalText,
        ...settingsInput,
        variable_type: Type.Optional(oneOf(variableTypes)),
      }),
      answer: VariableJson,
      run: change,
    }),

    endpoint({
      route: `DELETE ${base}/:key`,
      summary: `Delete a variable of ${whose}`,
      tag,
      signIn: 'always',
      on,
      allow: mayWriteCiVariables,
      input: Type.Object(keyInput),
      status: 204,
      async run(context) {
        const variable = await getVariable(context)
        await deleteCiVariable(context.db, variable.id)
        await recordVariableEvent(context, 'variable_removed', variable)
      },
    }),
  ]
}

export const variableEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/variables', projectVariableOwnerLoader),
  ...endpointsOf('/groups/:id/variables', groupVariableOwnerLoader),
  ...endpointsOf('/admin/ci/variables', instanceVariableOwnerLoader),
]
