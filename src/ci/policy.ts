// `only` and `except`: the references, variables and changes for which a job is included.
import { ownValue } from '../kernel/own-value.ts'
import { ciMessages } from './ci-messages.ts'
import { type Condition, isConditionMet, parseCondition } from './condition.ts'
import type { EvaluationContext } from './evaluation-context.ts'
import {
  type ConfigurationField,
  childField,
  readEnumField,
  readTextListField,
  reportFieldError,
  reportKeyError,
  requireDictField,
  textsOfListNode,
} from './fields.ts'
import type { PipelineEvent, PipelineSource } from './planned.ts'
import { compileRegexLiteral, isRegexLiteral } from './regular-expression.ts'
import { toPlainValue } from './tree.ts'

export type OnlyExceptPolicy = {
  refs?: string[]
  variables?: Condition[]
  changes?: string[]
  kubernetes?: 'active'
  /** The policy as written, for display. */
  shown: unknown
}

/** The default of `only`. */
export const defaultOnlyPolicy: OnlyExceptPolicy = {
  refs: ['branches', 'tags'],
  shown: { refs: ['branches', 'tags'] },
}

export function readOnlyExceptPolicy(field: ConfigurationField): OnlyExceptPolicy | undefined {
  if (field.node.kind === 'list') {
    const refs = readRefs({ ...field, label: `${field.label} config` }, field)
    return refs && { refs, shown: { refs } }
  }
  if (field.node.kind !== 'dict') return reportFieldError(field, ciMessages.policyShape)
  const dict = requireDictField(field, ['refs', 'kubernetes', 'variables', 'changes'])
  if (!dict) return undefined
  if (dict.node.entries.size === 0) return reportFieldError(dict, `config ${ciMessages.blank}`)
  const refs = childField(dict, 'refs')
  const policy = {
    refs: refs && readRefs({ ...dict, label: `${dict.label} refs` }, refs),
    variables: readConditions(dict),
    changes: readTextListField(dict, 'changes'),
    kubernetes: readEnumField(dict, 'kubernetes', ['active'] as const, (_, value) =>
      ciMessages.unknownValue(value),
    ),
  }
  const given = Object.entries(policy).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), shown: toPlainValue(dict.node) }
}

function readRefs(named: ConfigurationField, { node }: ConfigurationField): string[] | undefined {
  const refs = textsOfListNode(node)
  const areGood = refs?.every((ref) => {
    const [pattern = ''] = splitProject(ref)
    return !isRegexLiteral(pattern) || compileRegexLiteral(pattern, named.work) !== undefined
  })
  return areGood ? refs : reportFieldError({ ...named, node }, ciMessages.textsOrExpressions)
}

function readConditions(field: ConfigurationField): Condition[] | undefined {
  const written = readTextListField(field, 'variables')
  if (!written) return undefined
  const conditions = written.flatMap((text) => parseCondition(text, field.work) ?? [])
  if (conditions.length === written.length) return conditions
  return reportKeyError(field, 'variables', ciMessages.expression)
}

/** Whether `only` and `except` include a job: everything of `only` holds, and nothing of `except`. */
export async function isAdmittedByOnlyAndExcept(
  { only, except }: { only: OnlyExceptPolicy | undefined; except: OnlyExceptPolicy | undefined },
  context: EvaluationContext,
): Promise<boolean> {
  if (only) {
    for (const part of partsOf(only)) if (!(await part(context))) return false
  }
  if (except) {
    for (const part of partsOf(except)) if (await part(context)) return false
  }
  return true
}

type Part = (context: EvaluationContext) => boolean | Promise<boolean>

function partsOf({ refs, variables, changes, kubernetes }: OnlyExceptPolicy): Part[] {
  const parts: Part[] = []
  if (refs) parts.push(({ event, work }) => refs.some((ref) => isFor(ref, event, work)))
  if (kubernetes) parts.push(({ values }) => ownValue(values, 'CI_KUBERNETES_ACTIVE') === 'true')
  if (variables) {
    parts.push(({ values, work }) => variables.some((one) => isConditionMet(one, values, work)))
  }
  if (changes) parts.push((context) => context.hasChanged({ paths: changes }))
  return parts
}

const sources: ReadonlyMap<string, PipelineSource> = new Map([
  ['api', 'api'],
  ['chat', 'chat'],
  ['external', 'external'],
  ['external_pull_requests', 'external_pull_request_event'],
  ['merge_requests', 'merge_request_event'],
  ['pipelines', 'pipeline'],
  ['pushes', 'push'],
  ['schedules', 'schedule'],
  ['triggers', 'trigger'],
  ['web', 'web'],
])

/** Returns whether an item of `refs` (a keyword, a name or an expression) matches the event. */
function isFor(written: string, event: PipelineEvent, work: EvaluationContext['work']): boolean {
  const [ref = '', project] = splitProject(written)
  if (project !== undefined && project !== event.project_path) return false
  const isMergeRequest = event.source === 'merge_request_event'
  if (ref === 'branches') return !event.tag && !isMergeRequest
  if (ref === 'tags') return event.tag
  if (ref === event.source || sources.get(ref) === event.source) return true
  const expression = isRegexLiteral(ref) ? compileRegexLiteral(ref, work) : undefined
  if (!expression) return ref === event.ref
  return expression.test(event.ref, work)
}

/** Splits `main@group/project`. After an expression, the path follows the last `/@`. */
function splitProject(written: string): [string, string?] {
  const from = written.startsWith('/') ? written.lastIndexOf('/@') + 1 : 0
  const at = written.startsWith('/') && from === 0 ? -1 : written.indexOf('@', from)
  return at < 0 ? [written] : [written.slice(0, at), written.slice(at + 1)]
}
