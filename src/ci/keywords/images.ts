// `image` and `services`.

import { ciMessages } from '../ci-messages.ts'
import {
  type ConfigurationField,
  childField,
  readTextField,
  readTextListField,
  readTextOrTextListField,
  reportFieldError,
  requireDictField,
  textOfNode,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedImage, PlannedService } from '../planned.ts'
import { childOfDict, toPlainValue } from '../tree.ts'
import { readVariablesKeyword } from './variables.ts'

const imageKeys = ['name', 'entrypoint', 'ports', 'pull_policy', 'docker', 'kubernetes']
const serviceKeys = [...imageKeys, 'alias', 'command', 'variables']
const pullPolicies = ['always', 'never', 'if-not-present']

export function readImageKeyword(field: ConfigurationField): PlannedImage | undefined {
  return readNamed(field, imageKeys)
}

export function readServicesKeyword(field: ConfigurationField): PlannedService[] | undefined {
  if (field.node.kind !== 'list') return reportFieldError(field, ciMessages.aList)
  return field.node.items.flatMap((node) => {
    const item = { ...field, node, label: `${field.label}:service` }
    const service = readNamed(item, serviceKeys)
    if (!service || node.kind !== 'dict') return service ?? []
    const variables = childField(item, 'variables')
    const pairs = variables && readVariablesKeyword(variables, 'job')
    return withoutUndefined({
      ...service,
      alias: readTextField(item, 'alias'),
      command: readCommand(item, 'command'),
      variables: pairs && Object.fromEntries(pairs.map(({ key, value }) => [key, value])),
    })
  })
}

function readNamed(field: ConfigurationField, keys: readonly string[]): PlannedImage | undefined {
  const name = textOfNode(field.node)
  if (name !== undefined)
    return name.trim() === '' ? reportFieldError(field, `config ${ciMessages.blank}`) : { name }
  const dict = requireDictField(field, keys, ciMessages.aHashOrText)
  if (!dict) return undefined
  return withoutUndefined({
    name: readTextField(dict, 'name', { isRequired: true }) ?? '',
    entrypoint: readCommand(dict, 'entrypoint'),
    pull_policy: readPullPolicy(dict),
    ...readExecutorOptions(dict),
  })
}

function readCommand(field: ConfigurationField, key: string): string[] | undefined {
  const text = textOfNode(childOfDict(field.node, key))
  return text === undefined ? readTextListField(field, key) : [text]
}

function readPullPolicy(field: ConfigurationField): string[] | undefined {
  const policies = readTextOrTextListField(field, 'pull_policy')
  const unknown = policies?.filter((policy) => !pullPolicies.includes(policy)) ?? []
  if (unknown.length === 0) return policies
  const at = childField(field, 'pull_policy') ?? field
  return reportFieldError(at, `config ${ciMessages.unknownValues(unknown.join(', '))}`)
}

function readExecutorOptions(
  field: ConfigurationField,
): Pick<PlannedImage, 'docker' | 'kubernetes'> {
  const docker = childField(field, 'docker')
  const dict = docker && requireDictField(docker, ['platform', 'user'])
  const kubernetes = childField(field, 'kubernetes')
  const options = kubernetes && requireDictField(kubernetes)
  return {
    docker:
      dict &&
      withoutUndefined({
        platform: readTextField(dict, 'platform'),
        user: readTextField(dict, 'user'),
      }),
    kubernetes: options && (toPlainValue(options.node) as Record<string, unknown>),
  }
}
