// The cleanup policy of a project's container registry. There is no registry yet: the policy is stored and returned as
// clients set it.
import { type Static, Type } from 'typebox'
import { namedObject, nullable, nullableInteger, nullableText } from '../../../http/schema.ts'
import { type FieldErrors, invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'

export const ExpirationPolicyJson = namedObject('ExpirationPolicy', {
  cadence: Type.String(),
  enabled: Type.Boolean(),
  keep_n: nullableInteger,
  older_than: nullableText,
  name_regex: nullableText,
  name_regex_delete: nullableText,
  name_regex_keep: nullableText,
  next_run_at: Type.String(),
})

export const expirationPolicyInput = Type.Optional(
  namedObject('ExpirationPolicyInput', {
    cadence: Type.Optional(Type.String()),
    enabled: Type.Optional(Type.Boolean()),
    keep_n: Type.Optional(nullable(Type.Integer())),
    older_than: Type.Optional(nullable(Type.String())),
    name_regex: Type.Optional(nullable(Type.String())),
    name_regex_delete: Type.Optional(nullable(Type.String())),
    name_regex_keep: Type.Optional(nullable(Type.String())),
  }),
)
type Input = NonNullable<Static<typeof expirationPolicyInput>>

/** The policy as stored, with both spellings of the pattern merged. */
type ExpirationPolicy = Omit<Static<typeof ExpirationPolicyJson>, 'name_regex_delete'>

const cadences_days = new Map([
  ['1d', 1],
  ['7d', 7],
  ['14d', 14],
  ['1month', 30],
  ['3month', 90],
])
const kept = [1, 5, 10, 25, 50, 100]
const ages = ['7d', '14d', '30d', '60d', '90d']

function nextRun(cadence: string, from: string): string {
  const days = cadences_days.get(cadence) ?? 1
  return new Date(Date.parse(from) + days * 24 * 60 * 60_000).toISOString()
}

type Row = { created_at: string; container_expiration_policy: string | null }

function readPolicy({ created_at, container_expiration_policy }: Row): ExpirationPolicy {
  if (container_expiration_policy !== null) return JSON.parse(container_expiration_policy)
  return {
    cadence: '1d',
    enabled: false,
    keep_n: 10,
    older_than: '90d',
    name_regex: '.*',
    name_regex_keep: null,
    next_run_at: nextRun('1d', created_at),
  }
}

export function presentExpirationPolicy(project: Row): Static<typeof ExpirationPolicyJson> {
  const { name_regex_keep, next_run_at, ...policy } = readPolicy(project)
  const { name_regex: name_regex_delete } = policy
  return { ...policy, name_regex_delete, name_regex_keep, next_run_at }
}

/** Returns the stored form of the policy with the changes of a client. An empty text becomes null. */
export function serializeChangedExpirationPolicy(before: Row, input: Input, now: string): string {
  const { name_regex_delete, ...changes } = input
  const name_regex = name_regex_delete ?? changes.name_regex
  const policy = {
    ...readPolicy(before),
    ...changes,
    ...(name_regex === undefined ? {} : { name_regex }),
  }
  const older_than = policy.older_than || null
  const next_run_at = nextRun(policy.cadence, now)
  return JSON.stringify({ ...policy, older_than, next_run_at })
}

/** Throws 400 with the messages if the policy is invalid. */
export function checkExpirationPolicy(input: Input): void {
  const { cadence, keep_n, older_than } = input
  const field = (name: string) => `container_expiration_policy.${name}`
  const problems: FieldErrors = {}
  const isUnknown = ['is not included in the list']
  if (cadence !== undefined && !cadences_days.has(cadence)) problems[field('cadence')] = isUnknown
  if (typeof keep_n === 'number' && !kept.includes(keep_n)) problems[field('keep_n')] = isUnknown
  if (older_than && !ages.includes(older_than)) problems[field('older_than')] = isUnknown
  for (const name of ['name_regex', 'name_regex_delete', 'name_regex_keep'] as const) {
    const isTooLong = [...(input[name] ?? '')].length > limits.name_characters
    if (isTooLong) {
      problems[field(name)] = [`is too long (maximum is ${limits.name_characters} characters)`]
    }
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}
