import { type Static, Type } from 'typebox'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import type { Project } from '../../../subjects/project.ts'
import { BasicUserJson, presentBasicUser, type User } from '../../../subjects/user.ts'
import { ShownJobJson } from '../jobs/show-jobs.ts'
import type { Deployment, Environment } from './environment.store.ts'

const basicFields = {
  id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  description: nullableText,
  external_url: nullableText,
  created_at: Type.String(),
  updated_at: Type.String(),
}

export const EnvironmentJson = namedObject('Environment', {
  ...basicFields,
  state: oneOf(['available', 'stopping', 'stopped']),
  tier: Type.String(),
  auto_stop_at: nullableText,
})

export const DeploymentJson = namedObject('Deployment', {
  id: Type.Integer(),
  iid: Type.Integer(),
  ref: Type.String(),
  sha: Type.String(),
  status: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  user: nullable(BasicUserJson),
  environment: namedObject('BasicEnvironment', basicFields),
  deployable: nullable(ShownJobJson),
})

export const EnvironmentDetailJson = namedObject('EnvironmentDetail', {
  ...EnvironmentJson.properties,
  last_deployment: nullable(DeploymentJson),
})

function presentBasic(environment: Environment) {
  const { id, name, slug, description, external_url, created_at, updated_at } = environment
  return { id, name, slug, description, external_url, created_at, updated_at }
}

export function presentEnvironment(environment: Environment): Static<typeof EnvironmentJson> {
  const { state, tier, auto_stop_at } = environment
  return { ...presentBasic(environment), state, tier, auto_stop_at }
}

export function presentDeployment(
  deployment: Deployment,
  {
    environment,
    user,
    deployable,
    baseUrl,
  }: {
    environment: Environment
    user: User | undefined
    deployable: Static<typeof ShownJobJson> | undefined
    baseUrl: string
    project: Project
  },
): Static<typeof DeploymentJson> {
  const { id, iid, ref, sha, status, created_at, updated_at } = deployment
  return {
    id,
    iid,
    ref,
    sha,
    status,
    created_at,
    updated_at,
    user: user ? presentBasicUser(user, baseUrl) : null,
    environment: presentBasic(environment),
    deployable: deployable ?? null,
  }
}
