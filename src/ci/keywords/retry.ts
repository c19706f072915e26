// `retry`: how often and after what a failed job runs again.

import { ciMessages } from '../ci-messages.ts'
import {
  type ConfigurationField,
  childField,
  integerProblem,
  readIntegerField,
  readTextOrTextListField,
  reportFieldError,
  requireDictField,
  withoutUndefined,
} from '../fields.ts'
import { type JobOptions, retryReasons } from '../planned.ts'
import type { Dict, Tree } from '../tree.ts'

const range = { least: 0, most: 2 }
/** Failure reasons that may be named although no job is retried because of them. */
const otherReasons = [
  'bridge_pipeline_is_child_pipeline',
  'builds_disabled',
  'ci_quota_exceeded',
  'deployment_rejected',
  'downstream_bridge_project_not_found',
  'downstream_pipeline_creation_failed',
  'environment_creation_failure',
  'forward_deployment_failure',
  'image_pull_failure',
  'insufficient_bridge_permissions',
  'insufficient_upstream_permissions',
  'invalid_bridge_trigger',
  'no_matching_runner',
  'pipeline_loop_detected',
  'project_deleted',
  'protected_environment_failure',
  'reached_max_descendant_pipelines_depth',
  'runner_configuration_error',
  'runner_interrupted',
  'secrets_provider_not_found',
  'trace_size_exceeded',
  'upstream_bridge_project_not_found',
  'user_blocked',
]
const reasons: readonly string[] = [...retryReasons, ...otherReasons]

/** Reads `retry`. Problems are reported under `retry` itself, as in the real product. */
export function readRetryKeyword(given: ConfigurationField): JobOptions['retry'] {
  const field = { ...given, label: 'retry' }
  const { node } = field
  if (node.kind === 'scalar' && Number.isInteger(node.value)) {
    const problem = integerProblem(node, range)
    return problem
      ? reportFieldError(field, `config ${problem}`)
      : { max: Number(node.value), when: ['always'] }
  }
  const dict = requireDictField(
    field,
    ['max', 'when', 'exit_codes'],
    ciMessages.retryShape.slice('retry '.length),
  )
  if (!dict) return undefined
  return withoutUndefined({
    max: readIntegerField(dict, 'max', range) ?? 0,
    when: readReasons(dict) ?? ['always'],
    exit_codes: readExitCodesKeyword(dict),
  })
}

function readReasons(dict: ConfigurationField<Dict>): string[] | undefined {
  const when = readTextOrTextListField(dict, 'when')
  const unknown = when?.filter((reason) => !reasons.includes(reason)) ?? []
  if (unknown.length === 0) return when
  const isList = childField(dict, 'when')?.node.kind === 'list'
  return reportFieldError(
    dict,
    isList
      ? `when ${ciMessages.unknownValues(unknown.join(', '))}`
      : `when ${ciMessages.notIncluded}`,
  )
}

/** `exit_codes`: one whole number or a list of them. */
export function readExitCodesKeyword(dict: ConfigurationField): number[] | undefined {
  const field = childField(dict, 'exit_codes')
  if (!field) return undefined
  const nodes: readonly Tree[] = field.node.kind === 'list' ? field.node.items : [field.node]
  const codes = nodes.flatMap((node) =>
    node.kind === 'scalar' && Number.isInteger(node.value) ? [Number(node.value)] : [],
  )
  if (codes.length === nodes.length) return codes
  return reportFieldError(dict, `exit codes ${ciMessages.integers}`)
}
