// Parts that the payloads of several events share (docs/api/webhooks.md, "Blocks"). Pure functions.
import type { Config } from '../../../config.ts'
import type { Visibility } from '../../../db/db.ts'
import type { Commit } from '../../../git/objects.ts'
import { sshBaseUrl } from '../../../http/base-url.ts'
import { avatarUrl } from '../../../subjects/avatar-url.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import type { User } from '../../../subjects/user.ts'
import type { ProjectForPayload } from './webhook-payload.ts'

const visibilityLevels: Record<Visibility, number> = { private: 0, internal: 10, public: 20 }

/** Formats a time as `2021-09-27 05:00:01 UTC`, as most events do. */
export function formatWebhookTime(instant: string): string
export function formatWebhookTime(instant: string | null): string | null
export function formatWebhookTime(instant: string | null): string | null {
  return instant === null ? null : `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`
}

function addressesOf(config: Config, { full_path }: Pick<ProjectForPayload, 'full_path'>) {
  const base = serverUrl(config)
  const web_url = `${base}/${full_path}`
  return {
    web_url,
    ssh_url: `${sshBaseUrl(base, config.sshPort)}/${full_path}.git`,
    http_url: `${web_url}.git`,
  }
}

export function webUrlOfProject(
  config: Config,
  project: Pick<ProjectForPayload, 'full_path'>,
): string {
  return addressesOf(config, project).web_url
}

/** Presents a project without the last four keys, as pipeline events do. */
export function presentShortProjectBlock(config: Config, project: ProjectForPayload) {
  const { web_url, ssh_url, http_url } = addressesOf(config, project)
  const { id, avatar } = project
  return {
    id,
    name: project.name,
    description: project.description,
    web_url,
    avatar_url: avatarUrl(serverUrl(config), { kind: 'project', id, avatar }),
    git_ssh_url: ssh_url,
    git_http_url: http_url,
    namespace: project.namespace_name,
    visibility_level: visibilityLevels[project.visibility],
    path_with_namespace: project.full_path,
    default_branch: project.default_branch,
    ci_config_path: project.ci_config_path,
  }
}

export function presentProjectBlock(config: Config, project: ProjectForPayload) {
  const { web_url, ssh_url, http_url } = addressesOf(config, project)
  return {
    ...presentShortProjectBlock(config, project),
    homepage: web_url,
    url: ssh_url,
    ssh_url,
    http_url,
  }
}

export function presentRepositoryBlock(config: Config, project: ProjectForPayload) {
  const { web_url, ssh_url } = addressesOf(config, project)
  return {
    name: project.name,
    url: ssh_url,
    description: project.description,
    homepage: web_url,
  }
}

export function presentFullRepositoryBlock(config: Config, project: ProjectForPayload) {
  const { ssh_url, http_url } = addressesOf(config, project)
  return {
    ...presentRepositoryBlock(config, project),
    git_http_url: http_url,
    git_ssh_url: ssh_url,
    visibility_level: visibilityLevels[project.visibility],
  }
}

export type PayloadUser = Pick<User, 'id' | 'name' | 'username' | 'avatar' | 'public_email'>

export function avatarUrlOfUser(config: Config, { id, avatar }: PayloadUser): string | null {
  return avatarUrl(serverUrl(config), { kind: 'user', id, avatar })
}

/** Presents a user; an email address is included only if it is public. */
export function presentUserBlock(config: Config, user: PayloadUser) {
  const { id, name, username, public_email } = user
  const email = public_email || '[REDACTED]'
  return { id, name, username, avatar_url: avatarUrlOfUser(config, user), email }
}

export function presentCommitBlock(commit: Commit, web_url: string) {
  const { oid, message, author, committer } = commit
  return {
    id: oid,
    message,
    title: message.split('\n', 1)[0] ?? '',
    timestamp: committer.date,
    url: `${web_url}/-/commit/${oid}`,
    author: { name: author.name, email: author.email },
  }
}

const alternative_characters_max = 500

/** Makes relative image URLs in Markdown absolute, since a receiver knows neither the server nor the project. */
export function withAbsoluteImageUrls(
  config: Config,
  project: Pick<ProjectForPayload, 'full_path'>,
  text: string | null,
): string | null {
  if (text === null) return null
  const { web_url } = addressesOf(config, project)
  return text.replaceAll(/\]\(\/(?!\/)/g, (found, at: number) => {
    // The link is that of an image if an exclamation mark precedes its opening bracket.
    const before = text.slice(Math.max(0, at - alternative_characters_max), at)
    const bracket = before.lastIndexOf('[')
    if (bracket < 1 || before[bracket - 1] !== '!') return found
    const isUpload = text.startsWith('/uploads/', at + 2)
    return `](${isUpload ? web_url : serverUrl(config)}/`
  })
}
