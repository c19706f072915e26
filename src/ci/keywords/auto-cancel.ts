// `auto_cancel` of the workflow or of one of its rules.

import { ciMessages } from '../ci-messages.ts'
import { type ConfigurationField, readEnumField, requireDictField } from '../fields.ts'
import type { Plan } from '../planned.ts'

const onNewCommit = ['conservative', 'interruptible', 'none'] as const
const onJobFailure = ['none', 'all'] as const

export function readAutoCancelKeyword(field: ConfigurationField): Plan['auto_cancel'] {
  const dict = requireDictField(field, ['on_new_commit', 'on_job_failure'])
  if (!dict) return undefined
  const commit = readEnumField(dict, 'on_new_commit', onNewCommit, ciMessages.mustBeOneOf)
  const failure = readEnumField(dict, 'on_job_failure', onJobFailure, ciMessages.mustBeOneOf)
  return {
    ...(commit && { on_new_commit: commit }),
    ...(failure && { on_job_failure: failure }),
  }
}
