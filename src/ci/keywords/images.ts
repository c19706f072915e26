// `image` and `services`.

import { ciMessages } from '../ci-messages.ts'
import {
  type Field,
  fieldOf,
  readText,
  readTextOrTexts,
  readTexts,
  reportFieldError,
  requireDict,
  textOf,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedImage, PlannedService } from '../planned.ts'
import { childOf, toPlainValue } from '../tree.ts'
import { readVariables } from './variables.ts'

const imageKeys = ['name', 'entrypoint', 'ports', 'pull_policy', 'docker', 'kubernetes']
const serviceKeys = [...imageKeys, 'alias', 'command', 'variables']
const pullPolicies = ['always', 'never', 'if-not-present']

export function readImage(field: Field): PlannedImage | undefined {
  return readNamed(field, imageKeys)
}

export function readServices(field: Field): PlannedService[] | undefined {
  if (field.node.kind !== 'list') return reportFieldError(field, ciMessages.aList)
  return field.node.items.flatMap((node) => {
    const item = { ...field, node, label: `${field.label}:service` }
    const service = readNamed(item, serviceKeys)
    if (!service || node.kind !== 'dict') return service ?? []
    const variables = fieldOf(item, 'variables')
    const pairs = variables && readVariables(variables, 'job')
    return withoutUndefined({
      ...service,
      alias: readText(item, 'alias'),
      command: readCommand(item, 'command'),
      variables: pairs && Object.fromEntries(pairs.map(({ key, value }) => [key, value])),
    })
  })
}

function readNamed(field: Field, keys: readonly string[]): PlannedImage | undefined {
  const name = textOf(field.node)
  if (name !== undefined)
    return name.trim() === '' ? reportFieldError(field, `config ${ciMessages.blank}`) : { name }
  const dict = requireDict(field, keys, ciMessages.aHashOrText)
  if (!dict) return undefined
  return withoutUndefined({
    name: readText(dict, 'name', { isRequired: true }) ?? '',
    entrypoint: readCommand(dict, 'entrypoint'),
    pull_policy: readPullPolicy(dict),
    ...readExecutorOptions(dict),
  })
}

function readCommand(field: Field, key: string): string[] | undefined {
  const text = textOf(childOf(field.node, key))
  return text === undefined ? readTexts(field, key) : [text]
}

function readPullPolicy(field: Field): string[] | undefined {
  const policies = readTextOrTexts(field, 'pull_policy')
  const unknown = policies?.filter((policy) => !pullPolicies.includes(policy)) ?? []
  if (unknown.length === 0) return policies
  const at = fieldOf(field, 'pull_policy') ?? field
  return reportFieldError(at, `config ${ciMessages.unknownValues(unknown.join(', '))}`)
}

function readExecutorOptions(field: Field): Pick<PlannedImage, 'docker' | 'kubernetes'> {
  const docker = fieldOf(field, 'docker')
  const dict = docker && requireDict(docker, ['platform', 'user'])
  const kubernetes = fieldOf(field, 'kubernetes')
  const options = kubernetes && requireDict(kubernetes)
  return {
    docker:
      dict &&
      withoutUndefined({ platform: readText(dict, 'platform'), user: readText(dict, 'user') }),
    kubernetes: options && (toPlainValue(options.node) as Record<string, unknown>),
  }
}
