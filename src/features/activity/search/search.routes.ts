import { type TSchema, Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { anyone } from '../../../access/rule.ts'
import type { Config } from '../../../config.ts'
import { totalFromPage } from '../../../db/paginate.ts'
import { readHeadBranch, readRef, repositoryExists } from '../../../git/refs.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { Page, type PageInput } from '../../../http/pagination.ts'
import {
  namedObject,
  nullable,
  nullableText,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { advancedSearchOnly, badParameters, badRequest } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Group, groupLoader } from '../../../subjects/group.ts'
import { projectAsOwner } from '../../../subjects/owner.ts'
import {
  BasicPipelineJson,
  findNewestReadablePipelines,
  type Pipeline,
  presentBasicPipeline,
} from '../../../subjects/pipeline.ts'
import {
  mayDownloadCode,
  mayReadProject,
  type Project,
  projectLoader,
  projectRepository,
  projectUrl,
} from '../../../subjects/project.ts'
import { BasicUserJson, presentBasicUser, type User } from '../../../subjects/user.ts'
import { findWiki, mayReadWiki, wikiRepository } from '../../../subjects/wiki.ts'
import { listUsers } from '../../people/users/list-users.ts'
import { IssueJson } from '../../planning/issues/show-issues.ts'
import { MilestoneJson } from '../../planning/milestones/milestone.ts'
import {
  countProjects,
  listProjectIds,
  type ProjectFilter,
} from '../../projects/projects/list-projects.ts'
import { ShownProjectsJson, showProjects } from '../../projects/projects/show-projects.ts'
import { CommitJson, presentCommit } from '../../repository/commits/commit.ts'
import { BasicMergeRequestJson } from '../../review/merge-requests/show-requests.ts'
import { NoteJson } from '../../review/notes/note.ts'
import { type MemberScope, searchMembers } from './search.store.ts'
import { BlobSearchResultJson, searchBlobs, searchCommits } from './search-code.ts'
import {
  type PlanningSearchInput,
  type PlanningSearchScope,
  planningSearchScopes,
  searchPlanning,
  searchProjectNotes,
} from './search-planning.ts'

const tag = 'Search'

const projectScopes = [
  ...planningSearchScopes,
  'notes',
  'wiki_blobs',
  'commits',
  'blobs',
  'users',
] as const
/**
 * Scopes that need an index for searches in many projects, which does not exist. The lowest tier does not
 * accept them.
 */
const indexedScopes = ['notes', 'wiki_blobs', 'commits', 'blobs'] as const
const groupScopes = ['projects', ...planningSearchScopes, 'users', ...indexedScopes] as const
const globalScopes = ['snippet_titles', ...groupScopes] as const

function inputOf<const Scope extends string>(scopes: readonly Scope[]) {
  return {
    search: Type.String(),
    scope: oneOf(scopes),
    state: Type.Optional(oneOf(['all', 'opened', 'closed', 'merged'])),
    confidential: optionalBoolean,
    ...pageInput,
  }
}

type SearchInput = PageInput & PlanningSearchInput & { scope: string }

const isPlanned = (scope: string): scope is PlanningSearchScope =>
  planningSearchScopes.some((name) => name === scope)

const nothing = new Page({ items: [], total: 0 })

function checkScope({ scope }: SearchInput, { tier }: Config): void {
  if (!indexedScopes.some((name) => name === scope)) return
  throw tier === 'free'
    ? badParameters(['scope does not have a valid value'])
    : advancedSearchOnly()
}

function checkLength({ search }: SearchInput): void {
  const most = limits.search.text_characters
  if ([...search].length <= most) return
  throw badRequest(`Search query is too long (maximum is ${most} characters)`)
}

/** Searches projects by name, path or description, as far as the caller can see them. */
async function searchProjects(
  context: Context<unknown, SearchInput>,
  namespace: ProjectFilter['namespace'],
): Promise<Page> {
  const { db, actor, input } = context
  const filter = { namespace, search: input.search }
  const order = { by: 'id', sort: 'desc' } as const
  const { range } = context
  const ids = await listProjectIds(db, actor, { filter, order, ...range })
  const [total, items] = await Promise.all([
    totalFromPage({ ...range, found: ids.length }, () => countProjects(db, actor, filter)),
    showProjects(context, ids, { isSimple: true }),
  ])
  return new Page({ items, total })
}

type FoundUsers = { rows: User[]; total: number | undefined }

function presentUsers({ rows, total }: FoundUsers, baseUrl: string): Page {
  return new Page({ items: rows.map((user) => presentBasicUser(user, baseUrl)), total })
}

async function searchMembersOf(
  { db, input, range, baseUrl }: Context<unknown, SearchInput>,
  scope: MemberScope,
): Promise<Page> {
  return presentUsers(await searchMembers(db, scope, input.search, range), baseUrl)
}

async function searchEverywhere(context: Context<unknown, SearchInput>) {
  const { db, actor, config, input, baseUrl } = context
  checkScope(input, config)
  checkLength(input)
  const { range } = context
  const found = async (): Promise<Page> => {
    if (input.search.trim() === '') return nothing
    if (input.scope === 'projects') return searchProjects(context, undefined)
    if (isPlanned(input.scope)) return searchPlanning(context, input.scope, 'everywhere')
    if (input.scope !== 'users') return nothing
    const filter = { search: input.search, searchesAllEmails: isAdmin(actor) }
    return presentUsers(await listUsers(db, { filter, order: undefined }, range), baseUrl)
  }
  return found()
}

async function searchGroup(context: Context<Group, SearchInput>) {
  const { clock, config, input, subject: group } = context
  checkScope(input, config)
  checkLength(input)
  const found = async (): Promise<Page> => {
    if (input.search.trim() === '') return nothing
    if (input.scope === 'projects') return searchProjects(context, { id: group.id, below: true })
    if (isPlanned(input.scope)) return searchPlanning(context, input.scope, { group_id: group.id })
    if (input.scope !== 'users') return nothing
    return searchMembersOf(context, { namespace_id: group.id, today: today(clock) })
  }
  return found()
}

/**
 * Searches in a project. For callers who may not read the code the result is empty; the request is not refused, since the
 * scope is a parameter.
 */
async function searchProject(context: Context<Project, SearchInput & { ref?: string }>) {
  const { git, clock, config, input, subject: project, level, actor, baseUrl } = context
  checkLength(input)
  const { range } = context
  const { search, scope } = input
  const ref = input.ref || project.default_branch
  const seesCode = mayDownloadCode({ subject: project, level, actor })
  const found = async (): Promise<Page> => {
    if (search.trim() === '') return nothing
    if (scope === 'users') {
      const { id: project_id, namespace_id } = project
      return searchMembersOf(context, { project_id, namespace_id, today: today(clock) })
    }
    const facts = { subject: project, level, actor }
    if (isPlanned(scope)) return searchPlanning(context, scope, { project: facts })
    if (scope === 'notes') return searchProjectNotes(context, facts)
    if (scope === 'wiki_blobs') return searchWiki(context)
    if (!seesCode || ref === null) return nothing
    const repository = projectRepository(config, project)
    const place = { repository, project_id: project.id, ref }
    if (scope === 'blobs') return new Page(await searchBlobs(git, place, search, range))
    if (scope !== 'commits') return nothing
    const commits = await searchCommits(git, place, search, range)
    const url = projectUrl(baseUrl, project)
    const shas = commits.map(({ oid }) => oid)
    const pipelines = await findNewestReadablePipelines(context, { project, shas })
    const presentLast = (last: Pipeline | undefined) => ({
      status: last?.status ?? null,
      last_pipeline: last ? presentBasicPipeline(last, project, baseUrl) : null,
    })
    const items = commits.map((commit) => ({
      ...presentCommit(commit, url),
      ...presentLast(pipelines.get(commit.oid)),
      project_id: project.id,
    }))
    return new Page({ items, total: undefined })
  }
  return found()
}

/** Searches the newest version of a wiki's pages. */
async function searchWiki(context: Context<Project, SearchInput>): Promise<Page> {
  const { db, git, config, input, range, subject: project, level, actor } = context
  const owner = projectAsOwner(project)
  const wiki = mayReadWiki({ subject: owner, level, actor }) ? await findWiki(db, owner) : undefined
  if (!wiki) return nothing
  const repository = wikiRepository(config, wiki)
  const head = repositoryExists(repository) ? readHeadBranch(repository) : undefined
  if (!head || !readRef(repository, head)) return nothing
  const place = { repository, project_id: project.id, ref: head.slice('refs/heads/'.length) }
  return new Page(await searchBlobs(git, place, input.search, range))
}

const CommitHitJson = namedObject('CommitHit', {
  ...CommitJson.properties,
  status: nullableText,
  last_pipeline: nullable(BasicPipelineJson),
  project_id: Type.Integer(),
})
const PlannedJson = [IssueJson, BasicMergeRequestJson, MilestoneJson].map((schema) =>
  Type.Array(schema as TSchema),
)
const PlacesJson: TSchema = Type.Union([
  ShownProjectsJson,
  Type.Array(BasicUserJson),
  ...PlannedJson,
])
const CodeJson: TSchema = Type.Union([
  Type.Array(BlobSearchResultJson),
  Type.Array(CommitHitJson),
  Type.Array(BasicUserJson),
  Type.Array(NoteJson),
  ...PlannedJson,
])

const globalInput = Type.Object(inputOf(globalScopes))
const groupInput = Type.Object(inputOf(groupScopes))
const projectInput = Type.Object({ ...inputOf(projectScopes), ref: optionalText })

/** Both spellings of the path are supported. */
const infixes = ['', '/-'] as const

export const searchEndpoints = [
  endpoint({
    route: 'GET /search',
    summary: 'Search for projects and users',
    tag,
    rateLimit: 'search',
    allow: anyone,
    input: globalInput,
    answer: PlacesJson,
    run: searchEverywhere,
  }),

  ...infixes.flatMap((infix) => [
    endpoint<Group, typeof groupInput>({
      route: `GET /groups/:id${infix}/search`,
      summary: 'Search a group for projects and users',
      tag,
      rateLimit: 'search',
      signIn: 'always',
      on: groupLoader,
      allow: anyone, // The caller must be able to see the group.
      input: groupInput,
      answer: PlacesJson,
      run: searchGroup,
    }),

    endpoint<Project, typeof projectInput>({
      route: `GET /projects/:id${infix}/search`,
      summary: 'Search a project for code, commits and users',
      tag,
      rateLimit: 'search',
      signIn: 'always',
      on: projectLoader,
      allow: mayReadProject,
      input: projectInput,
      answer: CodeJson,
      run: searchProject,
    }),
  ]),
]
