import type { JobVariable } from '../../../ci/protocol.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

export type EnvironmentVariablesRequest = {
  uses: Pick<Instance, 'db' | 'secretKey'>
  project: Project
  /** Whether the job runs on a protected branch or tag. */
  isProtected: boolean
  /** Where the job deploys to; `namespace` is the one its configuration asks for. */
  environment: { name: string; slug: string; namespace: string | undefined }
  /** What steps add to: variables that those of the configuration and of people win over. */
  variables: JobVariable[]
}

/** Runs when a job with an environment is handed to a runner; steps add variables. */
export const collectEnvironmentVariablesEffect = declareEffect<EnvironmentVariablesRequest>(
  'a job with an environment is described',
)
