// `auto_cancel` of the workflow or of one of its rules.
import { asDict, type Field, readWord } from '../fields.ts'
import type { Plan } from '../planned.ts'
import { texts } from '../texts.ts'

const onNewCommit = ['conservative', 'interruptible', 'none'] as const
const onJobFailure = ['none', 'all'] as const

export function readAutoCancel(field: Field): Plan['auto_cancel'] {
  const dict = asDict(field, ['on_new_commit', 'on_job_failure'])
  if (!dict) return undefined
  const commit = readWord(dict, 'on_new_commit', onNewCommit, texts.mustBeOneOf)
  const failure = readWord(dict, 'on_job_failure', onJobFailure, texts.mustBeOneOf)
  return {
    ...(commit && { on_new_commit: commit }),
    ...(failure && { on_job_failure: failure }),
  }
}
