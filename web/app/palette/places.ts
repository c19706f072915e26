// Pages that the palette knows: of the instance, of the user's account, and of the current project or group, with
// synonyms.

import { call, type Input } from '../../api/call.ts'
import { mayInGroup, useGroup } from '../../api/group.ts'
import { mayInProject, useProject } from '../../api/project.ts'
import { hasPaidTier, hasTopTier, isAdministrator, user } from '../../api/session.ts'
import { palettePlaces as words } from '../../text/palette-places.ts'
import { navigate } from '../../ui/navigation.ts'
import type { Place } from '../../ui/page-module.ts'
import { storePreferences } from '../../ui/preferences.ts'
import { placeBasePath } from '../../ui/project-address.ts'

/** `also` contains synonyms. `href` leads to a page, `run` performs an action. */
export type PalettePlace = { words: string; also?: string } & (
  | { href: string }
  | { run: () => void }
)
type Row = readonly [place: string, words: string, also?: string, ability?: string]

const everywhere: readonly Row[] = [
  ['/', words.home, words.also.home],
  ['/explore/projects', words.projects, words.also.projects],
  ['/explore/groups', words.groups],
  ['/explore/projects/topics', words.topics],
  ['/search', words.search, words.also.search],
  ['/help', words.help, words.also.help],
]

const own: readonly Row[] = [
  ['/-/profile', words.profile, words.also.profile],
  ['/-/profile/keys', words.sshKeys, words.also.sshKeys],
  ['/-/profile/personal_access_tokens', words.tokens, words.also.tokens],
  ['/-/profile/applications', words.ownApplications, words.also.ownApplications],
  ['/-/profile/gpg_keys', words.gpgKeys, words.also.gpgKeys],
  ['/-/profile/emails', words.emails, words.also.emails],
  ['/-/profile/notifications', words.notifications, words.also.notifications],
  ['/-/profile/password', words.password, words.also.password],
  ['/-/profile/two_factor_auth', words.twoFactor, words.also.twoFactor],
  ['/-/profile/active_sessions', words.sessions, words.also.sessions],
  ['/-/profile/preferences', words.preferences, words.also.preferences],
  ['/dashboard/todos', words.todos, words.also.todos],
  ['/dashboard/projects', words.ownProjects],
  ['/dashboard/groups', words.ownGroups],
  ['/-/security/dashboard', words.securityDashboard, words.also.vulnerabilities, 'top_tier'],
]

/** Pages for administrators. */
const administration: readonly Row[] = [
  ['/admin', words.admin, words.also.admin],
  ['/admin/users', words.users, words.also.users],
  ['/admin/users?state=pending', words.pendingUsers, words.also.users],
  ['/admin/groups', words.adminGroups, words.also.adminGroups],
  ['/admin/projects', words.adminProjects, words.also.adminProjects],
  ['/admin/runners', words.adminRunners, words.also.adminRunners],
  ['/admin/runners?new=true', words.newRunner, words.also.adminRunners],
  ['/admin/jobs', words.adminJobs, words.also.adminJobs],
  ['/admin/nodes', words.adminNodes, words.also.adminNodes],
  ['/admin/tasks', words.tasks, words.also.tasks],
  ['/admin/storage', words.storage, words.also.storage],
  ['/admin/backups', words.backups, words.also.backups],
  ['/admin/broadcast_messages', words.broadcasts, words.also.broadcasts],
  ['/admin/broadcast_messages/new', words.newBroadcast, words.also.broadcasts],
  ['/admin/audit_events', words.auditEvents, words.also.auditEvents, 'paid_tier'],
  ['/admin/settings', words.instanceSettings, words.also.instanceSettings],
  ['/admin/settings#signUp', words.signUpSettings, words.also.signUpSettings],
  ['/admin/settings#configuration', words.configuration, words.also.configuration],
  ['/admin/applications', words.applications, words.also.applications],
  ['/admin/hooks', words.systemHooks, words.also.systemHooks],
  ['/admin/clusters', words.instanceClusters, words.also.clusters],
  ['/admin/pages', words.instanceSites, words.also.pages],
  ['/admin/exports', words.instanceExports, undefined, 'top_tier'],
  ['/admin/ci_cd', words.instanceVariables, words.also.instanceVariables],
]

/** Pages of a project by path, with the ability that each requires. */
const ofProject: readonly Row[] = [
  ['', words.project, words.also.project],
  ['/-/find_file/HEAD', words.findFile, words.also.findFile, 'download_code'],
  ['/-/commits/HEAD', words.commits, words.also.commits, 'download_code'],
  ['/-/branches', words.branches, words.also.branches, 'download_code'],
  ['/-/branches/new', words.newBranch, words.also.newBranch, 'push_code'],
  ['/-/tags', words.tags, undefined, 'download_code'],
  ['/-/tags/new', words.newTag, undefined, 'push_code'],
  ['/-/releases', words.releases, words.also.releases, 'download_code'],
  ['/-/releases/new', words.newRelease, words.also.releases, 'write_releases'],
  ['/-/compare', words.compare, words.also.compare, 'download_code'],
  ['/-/graphs/HEAD', words.contributors, words.also.contributors, 'download_code'],
  ['/-/pipelines', words.pipelines, words.also.pipelines, 'read_pipelines'],
  ['/-/pipelines/new', words.runPipeline, words.also.runPipeline, 'create_pipelines'],
  ['/-/jobs', words.jobs, words.also.jobs, 'read_pipelines'],
  ['/-/artifacts', words.artifacts, undefined, 'read_pipelines'],
  ['/-/environments', words.environments, words.also.environments, 'read_environments'],
  ['/-/ci/editor', words.editor, words.also.editor, 'push_code'],
  ['/-/pipeline_schedules', words.schedules, words.also.schedules, 'read_pipelines'],
  [
    '/-/pipeline_schedules/new',
    words.newSchedule,
    words.also.schedules,
    'create_pipeline_schedules',
  ],
  ['/-/boards', words.boards, words.also.boards],
  ['/-/labels', words.labels, words.also.labels],
  ['/-/labels/new', words.newLabel, undefined, 'write_labels'],
  ['/-/milestones', words.milestones, words.also.milestones],
  ['/-/milestones/new', words.newMilestone, undefined, 'write_milestones'],
  ['/-/wikis', words.wiki, words.also.wiki],
  ['/-/wikis/new', words.newWikiPage, words.also.wiki, 'write_wiki'],
  ['/-/project_members', words.members, words.also.members],
  [
    '/-/security/vulnerability_report',
    words.vulnerabilities,
    words.also.vulnerabilities,
    'read_vulnerabilities',
  ],
  ['/-/dependencies', words.dependencies, words.also.dependencies, 'read_dependencies'],
  ['/-/licenses', words.licenses, words.also.licenses, 'read_licenses'],
  ['/-/licenses/new', words.newPolicy, words.also.licenses, 'write_licenses'],
  ['/-/audit_events', words.placeAuditEvents, words.also.auditEvents, 'read_audit_events'],
  ['/-/alert_management', words.alerts, words.also.alerts, 'read_alerts'],
  ['/-/pages', words.pages, words.also.pages, 'manage_pages'],
  ['/-/pages/new', words.newDomain, words.also.pages, 'manage_pages'],
  ['/-/clusters', words.clusters, words.also.clusters, 'manage_clusters'],
  ['/-/clusters/new', words.newCluster, words.also.clusters, 'manage_clusters'],
  ['/-/settings/integrations', words.integrations, words.also.integrations, 'change_project'],
  [
    '/-/settings/integrations#push-mirrors',
    words.pushMirrors,
    words.also.pushMirrors,
    'manage_mirrors',
  ],
  ['/-/settings/integrations#status-checks', words.statusChecks, undefined, 'manage_status_checks'],
  ['/-/settings/hooks', words.webhooks, words.also.webhooks, 'manage_webhooks'],
  ['/-/settings/hooks/new', words.newWebhook, words.also.webhooks, 'manage_webhooks'],
  ['/-/settings/monitor', words.monitor, words.also.monitor, 'read_alert_integrations'],
  ['/-/forks', words.forks],
  ['/-/forks/new', words.fork, undefined, 'download_code'],
  ['/-/starrers', words.starrers],
  ['/-/settings/general', words.settings, words.also.settings, 'change_project'],
  [
    '/-/settings/general#merge-request-approvals',
    words.mergeRequestApprovals,
    words.also.mergeRequestApprovals,
    'manage_approvals',
  ],
  [
    '/-/settings/repository',
    words.repositorySettings,
    words.also.repositorySettings,
    'protect_branches',
  ],
  [
    '/-/settings/repository#protected-branches',
    words.protectedBranches,
    words.also.protectedBranches,
    'protect_branches',
  ],
  [
    '/-/settings/repository#protected-tags',
    words.protectedTags,
    words.also.protectedBranches,
    'protect_branches',
  ],
  [
    '/-/settings/repository#deploy-keys',
    words.deployKeys,
    words.also.deployKeys,
    'protect_branches',
  ],
  [
    '/-/settings/repository#deploy-tokens',
    words.deployTokens,
    words.also.deployTokens,
    'protect_branches',
  ],
  ['/-/settings/ci_cd', words.ciSettings, words.also.ciSettings, 'manage_variables'],
  ['/-/settings/ci_cd#variables', words.variables, words.also.variables, 'manage_variables'],
  ['/-/settings/ci_cd#runners', words.runners, words.also.runners, 'manage_variables'],
  ['/-/settings/ci_cd#triggers', words.triggers, words.also.triggers, 'manage_variables'],
  ['/-/settings/access_tokens', words.projectTokens, words.also.projectTokens, 'change_project'],
]

const ofGroup: readonly Row[] = [
  ['', words.group],
  ['/-/boards', words.boards, words.also.boards],
  ['/-/labels', words.labels, words.also.labels],
  ['/-/labels/new', words.newLabel, undefined, 'write_labels'],
  ['/-/milestones', words.milestones, words.also.milestones],
  ['/-/milestones/new', words.newMilestone, undefined, 'write_milestones'],
  ['/-/releases', words.releases, words.also.releases],
  ['/-/group_members', words.members, words.also.members],
  ['/-/wikis', words.wiki, words.also.wiki, 'write_wiki'],
  [
    '/-/security/vulnerabilities',
    words.vulnerabilities,
    words.also.vulnerabilities,
    'read_vulnerabilities',
  ],
  ['/-/dependencies', words.dependencies, words.also.dependencies, 'read_dependencies'],
  ['/-/audit_events', words.placeAuditEvents, words.also.auditEvents, 'read_audit_events'],
  ['/-/runners', words.runners, words.also.runners, 'manage_runners'],
  ['/-/settings/general', words.settings, words.also.settings, 'change_group'],
  ['/-/settings/ci_cd', words.ciSettings, words.also.ciSettings, 'manage_variables'],
  ['/-/settings/ci_cd#variables', words.variables, words.also.variables, 'manage_variables'],
  ['/-/settings/hooks', words.webhooks, words.also.webhooks, 'manage_webhooks'],
  ['/-/settings/hooks/new', words.newWebhook, words.also.webhooks, 'manage_webhooks'],
  ['/-/clusters', words.clusters, words.also.clusters, 'manage_clusters'],
  ['/-/clusters/new', words.newCluster, words.also.clusters, 'manage_clusters'],
]

const themes = ['dark', 'light', 'system'] as const

/** Returns all pages that the reader can reach from here. */
export function usePalettePlaces(place: Place | undefined): PalettePlace[] {
  const isProject = place?.kind === 'project'
  const { data: project } = useProject(place && isProject ? place.id : 0, { isAsked: isProject })
  const { data: group } = useGroup(place?.id ?? 0, { isAsked: place?.kind === 'group' })
  const within = (rows: readonly Row[], base: string, can: (ability: string) => boolean) =>
    rows
      .filter(([, , , ability]) => ability === undefined || can(ability))
      .map(([end, name, also]) => ({ words: name, href: base + end, ...(also ? { also } : {}) }))
  const anything = () => true
  return [
    ...(place && isProject
      ? within(ofProject, placeBasePath(place), (ability) => mayInProject(project, ability))
      : []),
    ...(place?.kind === 'group'
      ? within(ofGroup, placeBasePath(place), (ability) => mayInGroup(group, ability))
      : []),
    ...(group && mayInGroup(group, 'create_subgroup')
      ? [{ words: words.newSubgroup, href: `/groups/new?parent_id=${group.id}` }]
      : []),
    ...(user.value ? within(own, '', hasTier) : []),
    ...(user.value
      ? themes.map((theme) => ({
          words: words.theme[theme],
          also: words.also.theme,
          run: () => void setTheme(theme),
        }))
      : []),
    ...(isAdministrator() ? within(administration, '', hasTier) : []),
    ...within(everywhere, '', anything),
  ]
}

/** Outside of projects and groups, everyone has the pages of the instance's tier. */
const hasTier = (ability: string) => (ability === 'top_tier' ? hasTopTier() : hasPaidTier())

async function setTheme(theme: (typeof themes)[number]): Promise<void> {
  storePreferences(await call('PUT /user/preferences', { theme } as Input<'PUT /user/preferences'>))
  if (location.pathname === '/-/profile/preferences') navigate('/-/profile/preferences')
}
