// Validation of variables, with the messages that clients know.
import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'

type Candidate = {
  key: string
  value: string
  masked: boolean
  raw: boolean
  environment_scope: string
  description: string | null
}

/** A masked value must be recognizable in logs: one line, at least eight characters, no spaces. */
const maskable = /^[a-zA-Z0-9_+=/@:.~-]{8,}$/
/** The same for variables that are not expanded, which may contain other characters too. */
const maskableRaw = /^\S{8,}$/

/** Returns the validation problems of a variable by field; empty if it is valid. */
export function variableProblems(variable: Candidate): FieldErrors {
  const { key, value, masked, raw, environment_scope, description } = variable
  const problems: FieldErrors = {
    key: keyProblems(key),
    value: valueProblems(value),
    environment_scope: scopeProblems(environment_scope),
    description: tooLong(description ?? '', limits.name_characters),
  }
  if (masked && !(raw ? maskableRaw : maskable).test(value)) problems.value?.push('is invalid')
  return Object.fromEntries(Object.entries(problems).filter(([, texts]) => texts.length > 0))
}

function keyProblems(key: string): string[] {
  if (key.trim() === '') return ["can't be blank", ...wrongCharacters]
  const isWrong = !/^[a-zA-Z0-9_]+$/.test(key)
  return [...tooLong(key, limits.name_characters), ...(isWrong ? wrongCharacters : [])]
}

const wrongCharacters = ["can contain only letters, digits and '_'."]

function valueProblems(value: string): string[] {
  const maximum = limits.variable_characters
  if ([...value].length <= maximum) return []
  return [`The value of the provided variable exceeds the ${maximum} character limit`]
}

function scopeProblems(scope: string): string[] {
  const isWrong = !/^[a-zA-Z0-9_/${}. *-]+$/.test(scope)
  const text = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"
  return [...tooLong(scope, limits.name_characters), ...(isWrong ? [text] : [])]
}

function tooLong(text: string, characters_max: number): string[] {
  const isTooLong = [...text].length > characters_max
  return isTooLong ? [`is too long (maximum is ${characters_max} characters)`] : []
}
