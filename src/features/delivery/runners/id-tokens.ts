// ID tokens, by which a job identifies itself to other services (docs/api/ci.md, "ID tokens").

import { randomUUID } from 'node:crypto'
import { expandVariables, type VariableLookup } from '../../../ci/expand.ts'
import type { JobOptions } from '../../../ci/planned.ts'
import type { JobVariable } from '../../../ci/protocol.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import { listMemberGroupPaths } from '../../people/oauth/claims.ts'
import { signJwt } from '../../people/oauth/signing-key.ts'
import type { Job } from '../pipeline-changes/job.ts'
import type { Runner } from './runner.store.ts'

type Bearer = {
  job: Job
  pipeline: Pipeline
  project: Project
  runner: Pick<Runner, 'id'>
  baseUrl: string
  /** The fields below are not in the row of the job. */
  options: JobOptions
  timeout_s: number
  config_path: string
}

/** Tokens are valid from this many seconds ago, since clocks of other servers may be behind. */
const early_s = 5

/**
 * Returns a variable for each ID token of the job; audiences may contain other variables. An audience that becomes too
 * long is omitted, and so is a token without any audience left.
 */
export async function createIdTokenVariables(
  uses: Pick<Instance, 'db' | 'clock' | 'secretKey'>,
  bearer: Bearer,
  variables: VariableLookup,
): Promise<JobVariable[]> {
  const wanted = Object.entries(bearer.options.id_tokens ?? {})
  if (wanted.length === 0) return []
  const claims = await claimsOf(uses, bearer)
  const tokens = await Promise.all(
    wanted.map(async ([key, { aud }]) => {
      const audiences = [aud]
        .flat()
        .flatMap((text) => expandVariables(text, variables, limits.ci.text_characters) ?? [])
      const audience = Array.isArray(aud) ? audiences : audiences[0]
      if (audiences.length === 0 || audience === undefined) return []
      const value = await signJwt(uses, { ...claims, jti: randomUUID(), aud: audience })
      return { key, value, public: false, masked: true }
    }),
  )
  return tokens.flat()
}

async function claimsOf(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  { job, pipeline, project, runner, baseUrl, options, timeout_s, config_path }: Bearer,
): Promise<Record<string, unknown>> {
  const user = job.user_id === null ? undefined : await findUser(db, job.user_id)
  const now_s = Math.floor(clock().getTime() / 1000)
  const ref_type = pipeline.tag ? 'tag' : 'branch'
  const ref_path = pathOf(pipeline)
  const { environment } = options
  return {
    iss: baseUrl,
    sub: `project_path:${project.full_path}:ref_type:${ref_type}:ref:${pipeline.ref}`,
    iat: now_s,
    nbf: now_s - early_s,
    exp: now_s + timeout_s,
    namespace_id: String(project.namespace_id),
    namespace_path: project.full_path.slice(0, -project.path.length - 1),
    project_id: String(project.id),
    project_path: project.full_path,
    project_visibility: project.visibility,
    ...(user
      ? {
          user_id: String(user.id),
          user_login: user.username,
          user_email: user.email,
          groups_direct: await listMemberGroupPaths(db, user.id),
        }
      : {}),
    pipeline_id: String(pipeline.id),
    pipeline_source: pipeline.source,
    job_id: String(job.id),
    ref: pipeline.ref,
    ref_type,
    ref_path,
    ref_protected: String(pipeline.protected),
    ...(environment
      ? {
          environment: environment.name,
          // Protected environments are not considered for this claim.
          environment_protected: 'false',
          environment_action: environment.action,
          ...(environment.deployment_tier ? { deployment_tier: environment.deployment_tier } : {}),
        }
      : {}),
    runner_id: runner.id,
    runner_environment: 'self-hosted',
    sha: pipeline.sha,
    ci_config_ref_uri: `${hostOf(baseUrl)}/${project.full_path}//${config_path}@${ref_path}`,
    ci_config_sha: pipeline.sha,
  }
}

/** Returns the full name of a pipeline's reference. */
function pathOf({ ref, tag }: Pipeline): string {
  if (ref.startsWith('refs/')) return ref
  return tag ? `refs/tags/${ref}` : `refs/heads/${ref}`
}

function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host
}
