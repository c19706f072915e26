// The part of GraphQL that clients use (docs/api/graphql.md): queries for the current user, a project, a group and the
// version. The schema defines them; everything else is a GraphQL error.

import {
  buildSchema,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  parse,
  validate,
} from 'graphql'
import { type Actor, isAdmin } from '../../../access/actor.ts'
import { sshBaseUrl } from '../../../http/base-url.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { apiVersion, serverRevision } from '../../../kernel/version.ts'
import { avatarUrl } from '../../../subjects/avatar-url.ts'
import { findGroup, type Group } from '../../../subjects/group.ts'
import { findPersonalNamespace } from '../../../subjects/namespace.ts'
import { findVisibleProject, type Project, projectUrl } from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import { countGroups, findProjectDescription } from './graphql.store.ts'
import { costProblem } from './query-cost.ts'

const schema = buildSchema(`
"""A time in ISO 8601."""
scalar Time

type Query {
  "Who calls; null for nobody."
  currentUser: CurrentUser
  project(fullPath: ID!): Project
  group(fullPath: ID!): Group
  metadata: Metadata
  echo(text: String!): String!
}

type CurrentUser {
  id: ID!
  username: String!
  name: String!
  active: Boolean!
  bot: Boolean!
  publicEmail: String
  groupCount: Int
  namespace: Namespace
  avatarUrl: String
  webUrl: String!
}

type Namespace {
  id: ID!
  name: String!
  path: String!
  fullPath: ID!
  fullName: String!
}

type Group {
  id: ID!
  name: String!
  path: String!
  fullPath: ID!
  fullName: String!
  description: String
  visibility: String
  webUrl: String!
}

type Project {
  id: ID!
  name: String!
  path: String!
  fullPath: ID!
  description: String
  visibility: String
  webUrl: String
  httpUrlToRepo: String
  sshUrlToRepo: String
  terraformState(name: String!): TerraformState
  terraformStates(after: String, before: String, first: Int, last: Int): TerraformStateConnection
}

type TerraformState {
  id: ID!
  name: String!
  createdAt: Time!
  updatedAt: Time!
  deletedAt: Time
  lockedAt: Time
  latestVersion: TerraformStateVersion
}

type TerraformStateVersion {
  id: ID!
  createdAt: Time!
  updatedAt: Time!
  downloadPath: String
  serial: Int
}

type TerraformStateConnection {
  count: Int!
  edges: [TerraformStateEdge]
  nodes: [TerraformState]
  pageInfo: PageInfo!
}

type TerraformStateEdge {
  cursor: String!
  node: TerraformState
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
}

type Metadata {
  version: String!
  revision: String!
}
`)

type Uses = Pick<Instance, 'db' | 'config'> & { actor: Actor; baseUrl: string }

/** The request of a client. */
export type GraphqlRequest = {
  query: string
  variables: Record<string, unknown> | undefined
  operationName: string | undefined
}

export type GraphqlAnswer = {
  data?: unknown
  errors?: readonly GraphQLFormattedError[]
}

/**
 * Executes a query. Problems of the query are returned in `errors`; internal errors are thrown, and their details are not
 * sent.
 */
export async function answerQuery(
  uses: Uses,
  { query, variables, operationName }: GraphqlRequest,
): Promise<GraphqlAnswer> {
  if (query.length > limits.graphql.query_characters) return refusal('Query is too large')
  let document: ReturnType<typeof parse>
  try {
    document = parse(query, { maxTokens: limits.graphql.tokens_max })
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error.toJSON()] }
    throw error
  }
  const problems = validate(schema, document, undefined, { maxErrors: 10 })
  if (problems.length > 0) return { errors: problems.map((problem) => problem.toJSON()) }
  // The validation above has refused circular fragments.
  const excess = costProblem(document)
  if (excess !== undefined) return refusal(excess)
  const result = await execute({
    schema,
    document,
    rootValue: rootOf(uses),
    variableValues: variables,
    operationName,
  })
  for (const { originalError } of result.errors ?? []) {
    if (originalError && !(originalError instanceof GraphQLError)) throw originalError
  }
  return {
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(result.errors ? { errors: result.errors.map((error) => error.toJSON()) } : {}),
  }
}

function refusal(message: string): GraphqlAnswer {
  return { errors: [{ message }] }
}

function gid(type: string, id: number): string {
  return `gid://gitlab/${type}/${id}`
}

/** Returns the root fields. GraphQL calls a function only if its field is requested. */
function rootOf(uses: Uses) {
  return {
    currentUser: () => currentUser(uses),
    project: ({ fullPath }: { fullPath: string }) => project(uses, fullPath),
    group: ({ fullPath }: { fullPath: string }) => group(uses, fullPath),
    metadata() {
      const isPaidTier = uses.config.tier !== 'free'
      return { version: isPaidTier ? `${apiVersion}-ee` : apiVersion, revision: serverRevision }
    },
    echo({ text }: { text: string }) {
      const { username } = uses.actor.user ?? {}
      return `${username === undefined ? 'nil' : JSON.stringify(username)} says: ${text}`
    },
  }
}

async function currentUser({ db, actor, baseUrl }: Uses) {
  const user = actor.user && (await findUser(db, actor.user.id))
  if (!user) return null
  return {
    id: gid('User', user.id),
    username: user.username,
    name: user.name,
    active: user.state === 'active',
    bot: user.user_type !== 'human',
    publicEmail: user.public_email || null,
    groupCount: () => countGroups(db, user.id),
    async namespace() {
      const own = await findPersonalNamespace(db, user.id)
      if (!own) return null
      const { id, name, path, full_path, full_name } = own
      const shown = { name, path, fullPath: full_path, fullName: full_name }
      return { id: gid('Namespaces::UserNamespace', id), ...shown }
    },
    avatarUrl: avatarUrl(baseUrl, { kind: 'user', id: user.id, avatar: user.avatar }),
    webUrl: `${baseUrl}/${user.username}`,
  }
}

/** Returns null for a missing project and for one that the caller cannot see. */
async function project({ db, config, actor, baseUrl }: Uses, path: string) {
  if (path.includes('\0') || !path.includes('/')) return null
  const found = await findVisibleProject(db, actor, { path })
  if (!found) return null
  const shown: Project = found.project
  const { full_path } = shown
  return {
    id: gid('Project', shown.id),
    name: shown.name,
    path: shown.path,
    fullPath: full_path,
    description: () => findProjectDescription(db, shown.id),
    visibility: shown.visibility,
    webUrl: projectUrl(baseUrl, shown),
    httpUrlToRepo: `${projectUrl(baseUrl, shown)}.git`,
    sshUrlToRepo: `${sshBaseUrl(baseUrl, config.sshPort)}/${full_path}.git`,
    terraformState: null,
    terraformStates: nothing,
  }
}

/** An empty list, since Terraform states are not stored here. */
const nothing = {
  count: 0,
  edges: [],
  nodes: [],
  pageInfo: { endCursor: null, hasNextPage: false, hasPreviousPage: false, startCursor: null },
}

async function group({ db, actor, baseUrl }: Uses, path: string) {
  if (path.includes('\0') || /^-?\d+$/.test(path)) return null
  const found = await findGroup(db, actor, { path })
  if (!found || !(found.isVisible || isAdmin(actor))) return null
  const shown: Group = found.group
  return {
    id: gid('Group', shown.id),
    name: shown.name,
    path: shown.path,
    fullPath: shown.full_path,
    fullName: shown.full_name,
    description: shown.description,
    visibility: shown.visibility,
    webUrl: `${baseUrl}/groups/${shown.full_path}`,
  }
}
