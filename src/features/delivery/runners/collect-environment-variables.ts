import type { JobVariable } from '../../../ci/protocol.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

export type EnvironmentVariablesRequest = {
  uses: Pick<Instance, 'db' | 'secretKey'>
  project: Project
  /** Whether the job runs on a protected branch or tag. */
  isProtected: boolean
  /**
   * The environment that the job deploys to. `namespace` is the Kubernetes namespace in the job's
   * configuration.
   */
  environment: { name: string; slug: string; namespace: string | undefined }
  /** Steps add variables here. Variables of the configuration and of users take precedence. */
  variables: JobVariable[]
}

/** Runs when a job with an environment is handed to a runner; steps add variables. */
export const collectEnvironmentVariablesEffect = declareEffect<EnvironmentVariablesRequest>(
  'a job with an environment is described',
)
