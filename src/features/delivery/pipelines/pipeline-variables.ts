// Predefined variables of all jobs of a pipeline, which rules see too (docs/api/ci.md, "Variables").
import type { PipelineSource } from '../../../ci/planned.ts'
import type { Config } from '../../../config.ts'
import type { Commit } from '../../../git/objects.ts'
import { apiVersion, serverRevision } from '../../../kernel/version.ts'
import type { Project } from '../../../subjects/project.ts'
import { siteUrl } from '../../../subjects/site-url.ts'

/** What the predefined variables are derived from. */
export type PredefinedVariablesInput = {
  project: Project
  /** Base URL of the server as the runner will reach it. */
  baseUrl: string
  /** The settings of the Pages sites. */
  pages: Config['pages']
  source: PipelineSource
  ref: string
  tag: boolean
  isProtected: boolean
  commit: Commit
  before_sha: string | null
  config_path: string
  user: { id: number; username: string; name: string; email: string } | undefined
  /** The short token of the trigger that started the pipeline. */
  trigger_short_token?: string
  event_variables?: EventVariables
}

/** The variables of the event that started the pipeline, for example of a merge request. */
type EventVariables = Record<string, string> | null

/** Returns the name of the branch or tag that a pipeline is on; for a merge request pipeline, of the source branch. */
export function sourceRefOfPipeline({
  ref,
  event_variables,
}: {
  ref: string
  event_variables?: EventVariables
}): string {
  return event_variables?.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME ?? ref
}

/** Returns the predefined variables that are known before the pipeline has an id. */
export function buildPredefinedVariables(facts: PredefinedVariablesInput): Record<string, string> {
  const { project, baseUrl, pages, source, tag, isProtected, commit, user } = facts
  const ref = sourceRefOfPipeline(facts)
  const server = new URL(baseUrl)
  const [major = '', minor = '', patch = ''] = apiVersion.split('.')
  const namespace = project.full_path.slice(0, project.full_path.lastIndexOf('/'))
  const { title, description } = splitMessage(commit.message)
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_PIPELINE_SOURCE: source,
    ...(source === 'trigger' ? { CI_PIPELINE_TRIGGERED: 'true' } : {}),
    ...(facts.trigger_short_token ? { CI_TRIGGER_SHORT_TOKEN: facts.trigger_short_token } : {}),
    CI_CONFIG_PATH: facts.config_path,
    CI_COMMIT_SHA: commit.oid,
    CI_COMMIT_SHORT_SHA: commit.oid.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: facts.before_sha ?? '0'.repeat(40),
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slugForCiVariable(ref),
    ...(tag ? { CI_COMMIT_TAG: ref } : {}),
    ...(tag || facts.event_variables?.CI_MERGE_REQUEST_IID ? {} : { CI_COMMIT_BRANCH: ref }),
    CI_COMMIT_MESSAGE: commit.message,
    CI_COMMIT_TITLE: title,
    CI_COMMIT_DESCRIPTION: description,
    CI_COMMIT_REF_PROTECTED: String(isProtected),
    CI_COMMIT_TIMESTAMP: commit.author.date,
    CI_COMMIT_AUTHOR: `${commit.author.name} <${commit.author.email}>`,
    CI_BUILD_REF: commit.oid,
    CI_BUILD_BEFORE_SHA: facts.before_sha ?? '0'.repeat(40),
    CI_BUILD_REF_NAME: ref,
    CI_BUILD_REF_SLUG: slugForCiVariable(ref),
    ...(tag ? { CI_BUILD_TAG: ref } : {}),
    CI_PROJECT_ID: String(project.id),
    CI_PROJECT_NAME: project.path,
    CI_PROJECT_TITLE: project.name,
    CI_PROJECT_PATH: project.full_path,
    CI_PROJECT_PATH_SLUG: slugForCiVariable(project.full_path),
    CI_PROJECT_NAMESPACE: namespace,
    CI_PROJECT_NAMESPACE_ID: String(project.namespace_id),
    CI_PROJECT_ROOT_NAMESPACE: namespace.split('/', 1)[0] ?? '',
    CI_PROJECT_URL: `${baseUrl}/${project.full_path}`,
    CI_PROJECT_VISIBILITY: project.visibility,
    CI_PROJECT_CONFIG_PATH: facts.config_path,
    CI_DEFAULT_BRANCH: project.default_branch ?? '',
    CI_SERVER_URL: baseUrl,
    CI_SERVER_HOST: server.hostname,
    CI_SERVER_PORT: server.port || (server.protocol === 'https:' ? '443' : '80'),
    CI_SERVER_PROTOCOL: server.protocol.slice(0, -1),
    CI_SERVER_NAME: 'GitLab',
    CI_SERVER_VERSION: apiVersion,
    CI_SERVER_VERSION_MAJOR: major,
    CI_SERVER_VERSION_MINOR: minor,
    CI_SERVER_VERSION_PATCH: patch,
    CI_SERVER_REVISION: serverRevision,
    CI_API_V4_URL: `${baseUrl}/api/v4`,
    ...(pages.host === undefined
      ? {}
      : {
          CI_PAGES_DOMAIN: pages.host,
          CI_PAGES_URL: siteUrl(pages, project.full_path) ?? '',
        }),
    ...facts.event_variables,
    ...(user
      ? {
          GITLAB_USER_ID: String(user.id),
          GITLAB_USER_EMAIL: user.email,
          GITLAB_USER_LOGIN: user.username,
          GITLAB_USER_NAME: user.name,
        }
      : {}),
  }
}

/** Returns a text in lower case, of at most 63 characters `0-9a-z-`, without `-` at either end. */
export function slugForCiVariable(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, 63)
  let start = 0
  let end = slug.length
  while (slug[start] === '-') start++
  while (end > start && slug[end - 1] === '-') end--
  return slug.slice(start, end)
}

function splitMessage(message: string): { title: string; description: string } {
  const end = message.indexOf('\n')
  if (end < 0) return { title: message, description: '' }
  return { title: message.slice(0, end), description: message.slice(end + 1).replace(/^\n/, '') }
}
