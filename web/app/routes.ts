// The routes: which page is at which address, and in which chunk (docs/api/addresses.md).
import type { PageModule, Place } from '../ui/page-module.ts'

/** A file with a page; what it needs of its address is its own. */
// biome-ignore lint/suspicious/noExplicitAny: pages differ in what they want of their address.
export type LoadPage = () => Promise<{ page: PageModule<any> }>
type Plain = {
  path: string
  load: LoadPage
  isForSignedIn?: boolean
  isForAdministrators?: boolean
  /** The page that visitors get at the same address. */
  forVisitors?: LoadPage
}

const soon: LoadPage = () => import('./soon.page.tsx')

/** Declares a page for signed-in users. */
function signedIn(path: string, load: LoadPage): Plain {
  return { path, load, isForSignedIn: true }
}

/** Declares a page for administrators; it does not exist for others. */
function administrator(path: string, load: LoadPage): Plain {
  return { path, load, isForSignedIn: true, isForAdministrators: true }
}

// These pages are in one chunk, since people who open one of them usually open another.
const reading = (name: keyof typeof import('./pages/reading.ts')): LoadPage => {
  return () => import('./pages/reading.ts').then((pages) => ({ page: pages[name] }))
}
const delivery = (name: keyof typeof import('./pages/delivery.ts')): LoadPage => {
  return () => import('./pages/delivery.ts').then((pages) => ({ page: pages[name] }))
}
const jobs = (name: keyof typeof import('./pages/jobs.ts')): LoadPage => {
  return () => import('./pages/jobs.ts').then((pages) => ({ page: pages[name] }))
}
const editing = (name: keyof typeof import('./pages/editing.ts')): LoadPage => {
  return () => import('./pages/editing.ts').then((pages) => ({ page: pages[name] }))
}
const forward = (name: keyof typeof import('./redirect-pages.ts')): LoadPage => {
  return () => import('./redirect-pages.ts').then((pages) => ({ page: pages[name] }))
}
const pipelineSettings = (name: keyof typeof import('./pages/pipeline-settings.ts')): LoadPage => {
  return () => import('./pages/pipeline-settings.ts').then((pages) => ({ page: pages[name] }))
}
const environments = (name: keyof typeof import('./pages/environments.ts')): LoadPage => {
  return () => import('./pages/environments.ts').then((pages) => ({ page: pages[name] }))
}
const artifacts = (name: keyof typeof import('./pages/artifacts.ts')): LoadPage => {
  return () => import('./pages/artifacts.ts').then((pages) => ({ page: pages[name] }))
}
const accounts = (name: keyof typeof import('./pages/accounts.ts')): LoadPage => {
  return () => import('./pages/accounts.ts').then((pages) => ({ page: pages[name] }))
}
const instance = (name: keyof typeof import('./pages/instance.ts')): LoadPage => {
  return () => import('./pages/instance.ts').then((pages) => ({ page: pages[name] }))
}
const operation = (name: keyof typeof import('./pages/operation.ts')): LoadPage => {
  return () => import('./pages/operation.ts').then((pages) => ({ page: pages[name] }))
}
const milestones = (name: keyof typeof import('./pages/milestones.ts')): LoadPage => {
  return () => import('./pages/milestones.ts').then((pages) => ({ page: pages[name] }))
}
const releases = (name: keyof typeof import('./pages/releases.ts')): LoadPage => {
  return () => import('./pages/releases.ts').then((pages) => ({ page: pages[name] }))
}
const wiki = () => import('./pages/wikis.ts').then(({ wiki: page }) => ({ page }))
const newWikiPage = () => import('./pages/wikis.ts').then(({ newWikiPage: page }) => ({ page }))
const security = (name: keyof typeof import('./pages/security.ts')): LoadPage => {
  return () => import('./pages/security.ts').then((pages) => ({ page: pages[name] }))
}
const alerts = (name: keyof typeof import('./pages/alerts.ts')): LoadPage => {
  return () => import('./pages/alerts.ts').then((pages) => ({ page: pages[name] }))
}
const sites = (name: keyof typeof import('./pages/sites.ts')): LoadPage => {
  return () => import('./pages/sites.ts').then((pages) => ({ page: pages[name] }))
}
const cluster: LoadPage = () => import('../features/operating/clusters/cluster.page.tsx')
const todos = (name: keyof typeof import('./pages/todos.ts')): LoadPage => {
  return () => import('./pages/todos.ts').then((pages) => ({ page: pages[name] }))
}
const auditEvents: LoadPage = () =>
  import('../features/basics/audit-events/audit-event-list.page.tsx')
const webhooks: LoadPage = () => import('../features/activity/webhooks/webhook.page.tsx')
const requestList: LoadPage = () =>
  import('../features/review/merge-requests/request-list.page.tsx')
const issueList: LoadPage = () => import('../features/planning/issues/issue-list.page.tsx')
const labelList: LoadPage = () => import('../features/planning/labels/label-list.page.tsx')
const board: LoadPage = () => import('../features/planning/boards/board.page.tsx')
const explore = (name: keyof typeof import('./pages/explore.ts')): LoadPage => {
  return () => import('./pages/explore.ts').then((pages) => ({ page: pages[name] }))
}
const help = (name: keyof typeof import('./pages/help.ts')): LoadPage => {
  return () => import('./pages/help.ts').then((pages) => ({ page: pages[name] }))
}
const documentation = help('documentation')
const projectList = explore('projectList')
const groupList = explore('groupList')
const own = (name: keyof typeof import('./pages/own.ts')): LoadPage => {
  return () => import('./pages/own.ts').then((pages) => ({ page: pages[name] }))
}
const beginning = (name: keyof typeof import('./pages/beginning.ts')): LoadPage => {
  return () => import('./pages/beginning.ts').then((pages) => ({ page: pages[name] }))
}

/** Addresses that do not belong to a project, group or user; `:name` stands for a parameter. */
export const plainRoutes: readonly Plain[] = [
  { path: '/', load: todos('home'), forVisitors: projectList },
  signedIn('/-/profile', () => import('../features/people/profiles/profile.page.tsx')),
  signedIn(
    '/-/profile/applications',
    () => import('../features/people/oauth/own-application-list.page.tsx'),
  ),
  signedIn(
    '/-/profile/active_sessions',
    () => import('../features/people/sessions/session.page.tsx'),
  ),
  signedIn('/-/profile/emails', own('emails')),
  signedIn('/-/profile/gpg_keys', () => import('../features/people/gpg-keys/gpg-key.page.tsx')),
  signedIn('/-/profile/keys', () => import('../features/people/ssh-keys/ssh-key.page.tsx')),
  signedIn('/-/profile/notifications', own('notifications')),
  signedIn('/-/profile/password', () => import('../features/people/sign-in/password.page.tsx')),
  signedIn(
    '/-/profile/personal_access_tokens',
    () => import('../features/people/tokens/token.page.tsx'),
  ),
  signedIn('/-/profile/preferences', own('preferences')),
  signedIn(
    '/-/profile/two_factor_auth',
    () => import('../features/people/sign-in/two-factor.page.tsx'),
  ),
  signedIn('/-/security/dashboard', security('securityDashboard')),
  administrator('/admin', operation('overview')),
  administrator('/admin/applications', instance('applicationList')),
  administrator('/admin/audit_events', auditEvents),
  administrator('/admin/backups', () => import('../features/operating/backups/backups.page.tsx')),
  administrator('/admin/broadcast_messages', operation('broadcastList')),
  administrator('/admin/broadcast_messages/new', operation('broadcastForm')),
  administrator('/admin/broadcast_messages/:id/edit', operation('broadcastForm')),
  administrator('/admin/ci_cd', instance('variableList')),
  administrator('/admin/clusters', cluster),
  administrator('/admin/clusters/:id', cluster),
  administrator('/admin/exports', accounts('exportList')),
  administrator('/admin/groups', instance('groupList')),
  administrator('/admin/hooks', instance('systemHookList')),
  administrator('/admin/jobs', instance('jobList')),
  administrator('/admin/nodes', instance('nodeList')),
  administrator('/admin/pages', accounts('siteList')),
  administrator('/admin/projects', instance('projectList')),
  administrator('/admin/runners', instance('runnerList')),
  administrator('/admin/settings', () => import('../features/basics/settings/settings.page.tsx')),
  administrator('/admin/storage', operation('storage')),
  administrator('/admin/tasks', operation('taskList')),
  administrator('/admin/users', accounts('accountList')),
  administrator('/admin/users/:username', accounts('account')),
  { path: '/dashboard', load: projectList },
  { path: '/dashboard/groups', load: groupList },
  signedIn('/dashboard/issues', issueList),
  signedIn('/dashboard/merge_requests', requestList),
  { path: '/dashboard/projects', load: projectList },
  signedIn('/dashboard/todos', todos('todoList')),
  { path: '/explore', load: projectList },
  { path: '/explore/groups', load: groupList },
  { path: '/explore/projects', load: projectList },
  { path: '/explore/projects/topics', load: explore('topicList') },
  signedIn('/groups/new', beginning('newGroup')),
  { path: '/help', load: help('home') },
  // The pages above `docs`. Other addresses below /help do not exist.
  ...['README', 'CHANGELOG', 'SECURITY', 'ARCHITECTURE', 'CONTRIBUTING'].map((name) => ({
    path: `/help/${name}.md`,
    load: documentation,
  })),
  { path: '/help/docs/:file', load: documentation },
  { path: '/help/docs/:folder/:file', load: documentation },
  signedIn('/projects/new', beginning('newProject')),
  { path: '/projects/:id', load: forward('projectByIdRedirect') },
  { path: '/search', load: () => import('../features/planning/search/search.page.tsx') },
  {
    path: '/users/password/new',
    load: () => import('../features/people/sign-in/forgotten-password.page.tsx'),
  },
  { path: '/users/sign_in', load: () => import('../features/people/sign-in/sign-in.page.tsx') },
  {
    path: '/users/sign_up',
    load: () => import('../features/people/sign-in/sign-up.page.tsx'),
  },
]

/**
 * Old addresses, also of other products, and their present ones. `:name` is one part of the path; `*` at the
 * end is the rest. A page with exactly the same address takes precedence.
 */
export const redirects: readonly (readonly [string, string])[] = [
  ['/-/user_settings/*', '/-/profile/*'],
  ['/profile/*', '/-/profile/*'],
  ['/-/profile/profile', '/-/profile'],
  ['/-/profile/account', '/-/profile/two_factor_auth'],
  ['/-/profile/ssh_keys', '/-/profile/keys'],
  ['/-/profile/password/edit', '/-/profile/password'],
  ['/-/profile/password/new', '/-/profile/password'],
  ['/-/profile/audit_log', '/-/profile/active_sessions'],
  ['/-/profile/authentication_log', '/-/profile/active_sessions'],
  ['/admin/application_settings/ci_cd', '/admin/ci_cd'],
  ['/admin/application_settings/*', '/admin/settings'],
  ['/admin/audit_logs', '/admin/audit_events'],
  ['/admin/background_jobs', '/admin/tasks'],
  ['/admin/dashboard', '/admin'],
  ['/admin/health_check', '/admin'],
  ['/admin/system_info', '/admin/storage'],
  ['/explore/projects/topics/:topic', '/explore/projects?topic=:topic'],
  ['/explore/projects/starred', '/explore/projects'],
  ['/explore/projects/trending', '/explore/projects'],
  ['/explore/topics', '/explore/projects/topics'],
  ['/oauth/applications', '/-/profile/applications'],
  ['/oauth/authorized_applications', '/-/profile/applications'],
  ['/public', '/explore/projects'],
  ['/public/projects', '/explore/projects'],
  ['/u/:name', '/:name'],
  ['/users/:name', '/:name'],
  ['/users/:name/projects', '/:name?tab=projects'],
  ['/users/:name/starred', '/:name?tab=starred'],
  ['/users/:name/contributed', '/:name?tab=contributed'],
  ['/users/:name/followers', '/:name?tab=followers'],
  ['/users/:name/activity', '/:name'],
  ['/users/:name/groups', '/:name'],
  ['/users/:name/following', '/:name'],
  ['/-/security', '/-/security/dashboard'],
  ['/-/security/vulnerabilities', '/-/security/dashboard'],
]

/** Redirects of what follows `/-/` in the address of a project. */
export const projectSectionRedirects: readonly (readonly [string, string])[] = [
  ['pipelines/charts', 'pipelines'],
  ['builds/*', 'jobs/*'],
  ['network/*', 'commits/*'],
  ['environments/new', 'environments'],
  ['pages/domains', 'pages'],
  ['pages/domains/new', 'pages/new'],
  ['settings/operations', 'settings/monitor'],
  ['hooks/*', 'settings/hooks/*'],
  ['integrations/*', 'settings/integrations'],
  ['services/*', 'settings/integrations'],
  ['security/dashboard', 'security/vulnerability_report'],
]

/**
 * The pages of a project, group or user by section; '' is the overview. `issues/new` matches only itself, `issues/*` any
 * other page below the section, and `issues` the section itself and everything without a key of its own.
 */
export const sectionPages: Record<Place['kind'], Readonly<Record<string, LoadPage>>> = {
  user: {
    '': () => import('../features/people/users/user.page.tsx'),
  },
  group: {
    '': () => import('../features/groups/groups/group.page.tsx'),
    'settings/general': () => import('../features/groups/settings/group-settings.page.tsx'),
    'settings/ci_cd': pipelineSettings('groupCiSettings'),
    'settings/hooks': webhooks,
    runners: pipelineSettings('groupRunners'),
    boards: board,
    issues: issueList,
    labels: labelList,
    'milestones/*': milestones('milestone'),
    milestones: milestones('milestoneList'),
    'milestones/new': milestones('newMilestone'),
    merge_requests: requestList,
    wikis: wiki,
    'wikis/new': newWikiPage,
    'security/vulnerabilities': security('vulnerabilityList'),
    'security/vulnerability_report': security('vulnerabilityList'),
    dependencies: security('dependencyList'),
    audit_events: auditEvents,
    clusters: cluster,
    releases: releases('groupReleaseList'),
    group_members: () => import('../features/people/members/group-members.page.tsx'),
  },
  project: {
    '': reading('home'),
    blame: reading('blame'),
    blob: reading('blob'),
    branches: () => import('./pages/history.ts').then(({ branchList }) => ({ page: branchList })),
    commit: () =>
      import('../features/repository/commits/commit.page.tsx').then(({ page }) => ({ page })),
    commits: () => import('./pages/history.ts').then(({ commitList }) => ({ page: commitList })),
    compare: () =>
      import('../features/repository/comparisons/compare.page.tsx').then(({ page }) => ({ page })),
    find_file: () => import('../features/repository/files/find-file.page.tsx'),
    'forks/new': beginning('newFork'),
    forks: () => import('../features/projects/projects/fork-list.page.tsx'),
    'ci/editor': editing('ciEditor'),
    edit: editing('edit'),
    'environments/*': environments('environment'),
    environments: environments('environmentList'),
    graphs: () => import('../features/repository/contributors/graph.page.tsx'),
    'issues/*': () =>
      import('../features/planning/issues/issue.page.tsx').then(({ page }) => ({ page })),
    issues: issueList,
    'issues/new': () => import('../features/planning/issues/new-issue.page.tsx'),
    boards: board,
    labels: labelList,
    'milestones/*': milestones('milestone'),
    milestones: milestones('milestoneList'),
    'milestones/new': milestones('newMilestone'),
    artifacts: artifacts('artifactList'),
    'jobs/*': jobs('job'),
    'jobs/artifacts': forward('latestArtifactsRedirect'),
    'jobs/*/artifacts': artifacts('artifactFolder'),
    jobs: jobs('jobList'),
    'merge_requests/*': () =>
      import('../features/review/merge-requests/request.page.tsx').then(({ page }) => ({ page })),
    'merge_requests/*/conflicts': editing('conflicts'),
    merge_requests: requestList,
    'merge_requests/new': () => import('../features/review/merge-requests/new-request.page.tsx'),
    new: editing('edit'),
    'pipelines/*': delivery('pipeline'),
    pipelines: delivery('pipelineList'),
    'pipelines/latest': forward('latestPipelineRedirect'),
    'pipelines/new': delivery('newPipeline'),
    'pipeline_schedules/*': pipelineSettings('schedule'),
    pipeline_schedules: pipelineSettings('scheduleList'),
    project_members: () => import('../features/people/members/project-members.page.tsx'),
    releases: releases('releaseList'),
    'releases/new': releases('newRelease'),
    'alert_management/*': alerts('alert'),
    alert_management: alerts('alertList'),
    audit_events: auditEvents,
    clusters: cluster,
    dependencies: security('dependencyList'),
    licenses: security('licenseList'),
    pages: sites('site'),
    'pages/domains': sites('domain'),
    'security/vulnerabilities': security('vulnerability'),
    'security/vulnerability_report': security('vulnerabilityList'),
    'settings/access_tokens': () => import('../features/people/tokens/project-token.page.tsx'),
    'settings/ci_cd': pipelineSettings('ciSettings'),
    'settings/general': () => import('../features/projects/settings/general-settings.page.tsx'),
    'settings/hooks': webhooks,
    'settings/integrations': () =>
      import('../features/activity/integrations/integration-list.page.tsx'),
    'settings/monitor': () =>
      import('../features/security/alert-integrations/monitor-settings.page.tsx'),
    'settings/repository': () =>
      import('../features/repository/protections/repository-settings.page.tsx'),
    starrers: () => import('../features/projects/projects/starrer-list.page.tsx'),
    tags: () => import('./pages/history.ts').then(({ tagList }) => ({ page: tagList })),
    tree: reading('tree'),
    wikis: wiki,
    'wikis/new': newWikiPage,
  },
}

export type RouteMatch =
  | {
      kind: 'page'
      load: LoadPage
      params: Record<string, string>
      isForSignedIn: boolean
      isForAdministrators: boolean
      forVisitors?: LoadPage | undefined
    }
  | { kind: 'place' }
  | { kind: 'redirect'; to: string }

/** Returns the page of an address; `place` if the server has to say what the address belongs to. */
export function findRoute(path: string): RouteMatch {
  for (const { path: pattern, load, forVisitors, ...who } of plainRoutes) {
    const params = paramsOf(path, pattern)
    const { isForSignedIn = false, isForAdministrators = false } = who
    if (params) {
      return { kind: 'page', load, isForSignedIn, isForAdministrators, params, forVisitors }
    }
  }
  const to = movedTo(path)
  if (to !== undefined) return { kind: 'redirect', to }
  if (/^\/(?:-|admin|dashboard|help|explore)(?:\/|$)/.test(path)) {
    return {
      kind: 'page',
      load: soon,
      isForSignedIn: false,
      isForAdministrators: false,
      params: {},
    }
  }
  return { kind: 'place' }
}

/** Returns the current address for a former one; undefined if the path is not a former address. */
function movedTo(path: string): string | undefined {
  for (const [from, to] of redirects) {
    const moved = follow(path, from, to)
    if (moved !== undefined) return moved
  }
  const dash = path.indexOf('/-/', 1)
  if (dash < 0) return undefined
  for (const [from, to] of projectSectionRedirects) {
    const moved = follow(path.slice(dash + 3), from, to)
    if (moved !== undefined) return path.slice(0, dash + 3) + moved
  }
  return undefined
}

/** Returns `to` with the parts of the path that match `from`; undefined if the path does not match. */
function follow(path: string, from: string, to: string): string | undefined {
  const isOpen = from.endsWith('/*')
  const wanted = (isOpen ? from.slice(0, -2) : from).split('/')
  const parts = path.split('/')
  const rest = parts.splice(wanted.length)
  if (rest.length > 0 && !isOpen) return undefined
  const params = paramsOf(parts.join('/'), wanted.join('/'))
  if (!params) return undefined
  const named = to.replace(/:(\w+)/, (_all, name: string) => params[name] ?? '')
  return named.replace(/\/\*$/, rest.map((part) => `/${part}`).join(''))
}

/** Returns the parameters of an address that matches a pattern; undefined if it does not match. */
function paramsOf(path: string, pattern: string): Record<string, string> | undefined {
  const [parts, wanted] = [path.split('/'), pattern.split('/')]
  if (parts.length !== wanted.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const name = wanted[at] ?? ''
    if (name.startsWith(':')) params[name.slice(1)] = part
    else if (name !== part) return undefined
  }
  return params
}

/** Sections whose data only signed-in users may read, whatever the visibility of the project. */
const forSignedIn =
  /^(?:settings|pipeline_schedules|project_members|group_members|edit|new|ci|artifacts|environments|runners|boards|labels|milestones|security|dependencies|licenses|alert_management|audit_events|pages|clusters)$/

/** Whether visitors are asked to sign in before a page of a place is looked for. */
export function isPlaceForSignedIn({ kind, section, rest }: Place): boolean {
  if (kind === 'user') return true
  return forSignedIn.test(section ?? '') || rest === 'new'
}

/** The ability that a page of a project requires, by what follows `/-/`. */
const abilities: readonly [RegExp, string][] = [
  [
    /^(?:blame|blob|branches|commits?|compare|find_file|graphs|releases|tags|tree)(?:\/|$)/,
    'download_code',
  ],
  [/^forks\/new$/, 'download_code'],
  [/^(?:ci|edit|new)\//, 'push_code'],
  [/^pipelines\/new$/, 'create_pipelines'],
  [/^pipeline_schedules\/new$/, 'create_pipeline_schedules'],
  [/^alert_management(?:\/|$)/, 'read_alerts'],
  [/^pages(?:\/|$)/, 'manage_pages'],
  [/^clusters(?:\/|$)/, 'manage_clusters'],
  [/^audit_events(?:\/|$)/, 'read_audit_events'],
  [/^security\//, 'read_vulnerabilities'],
  [/^dependencies(?:\/|$)/, 'read_dependencies'],
  [/^licenses(?:\/|$)/, 'read_licenses'],
]

/** Returns the ability without which a page does not exist for the user; undefined if its requests decide. */
export function requiredAbilityForPlace({ kind, section, rest }: Place): string | undefined {
  if (kind !== 'project') return undefined
  const inside = `${section ?? ''}${rest ? `/${rest}` : ''}`
  return abilities.find(([pattern]) => pattern.test(inside))?.[1]
}

/** Sections whose URL names a branch, tag or commit. */
const ofRef = /^(?:blame|blob|commits|find_file|graphs|tree)$/

/** The page of a place: by its section and the first word after it, by any word there, or by the section alone. */
export function findSectionPage(place: Place): LoadPage {
  const { section, rest, kind } = place
  const known = sectionPages[kind]
  const isRefMissing = kind === 'project' && place.ref === null && rest
  if (isRefMissing && ofRef.test(section ?? '')) return reading('refNotFound')
  const [word = ''] = (rest ?? '').split('/', 1)
  const isArtifact = section === 'jobs' && /^\d+\/artifacts\//.test(rest ?? '')
  if (isArtifact) return known['jobs/*/artifacts'] ?? soon
  const isConflicts = section === 'merge_requests' && /^\d+\/conflicts$/.test(rest ?? '')
  if (isConflicts) return known['merge_requests/*/conflicts'] ?? soon
  const below = word === '' ? undefined : (known[`${section}/${word}`] ?? known[`${section}/*`])
  return below ?? known[section ?? ''] ?? soon
}
