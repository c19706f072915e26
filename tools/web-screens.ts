// The pages that pictures are taken of, of the sample company.
import type { Page } from 'playwright-core'
import type { Ask } from './sample.ts'

export type Screen = {
  name: string
  path: string
  isForVisitors?: boolean
  /** What is done before the picture is taken. */
  act?: (page: Page) => Promise<unknown>
  /** Its name among the pictures of the README. */
  readme?: string
}

/** Every page and state, with the numbers that pipelines and jobs have on this server. */
export async function screens(ask: Ask): Promise<Screen[]> {
  const shop = '/acme/shop'
  const api = '/projects/acme%2Fshop'
  const pipelines = await ask<{ id: number; ref: string }[]>(`GET ${api}/pipelines`)
  const pipeline = pipelines.find(({ ref }) => ref === 'main')?.id
  const jobs = await ask<{ id: number; name: string }[]>(`GET ${api}/pipelines/${pipeline}/jobs`)
  const jobOf = (wanted: string) => jobs.find(({ name }) => name === wanted)?.id
  const [schedule] = await ask<{ id: number }[]>(`GET ${api}/pipeline_schedules`)
  const [commit] = await ask<{ id: string }[]>(
    `GET ${api}/repository/commits?ref_name=feature/vouchers`,
  )
  const [environment] = await ask<{ id: number }[]>(`GET ${api}/environments`)
  const [vulnerability] = await ask<{ id: number }[]>(
    `GET ${api}/vulnerabilities?order_by=severity`,
  )
  const [webhook] = await ask<{ id: number }[]>(`GET ${api}/hooks`)
  const [cluster] = await ask<{ id: number }[]>(`GET ${api}/clusters`)
  const at = (name: string, path: string, more: Partial<Screen> = {}) => ({ name, path, ...more })
  return [
    at('sign in', '/users/sign_in', { isForVisitors: true }),
    at('forgotten password', '/users/password/new', { isForVisitors: true }),
    at('sign up', '/users/sign_up', { isForVisitors: true }),
    at('explore as a visitor', '/explore/projects', { isForVisitors: true }),
    at('nothing here', '/no/such/project', { isForVisitors: true }),
    at('home', '/'),
    at('to-do list', '/dashboard/todos'),
    at('own projects', '/dashboard/projects'),
    at('explore projects', '/explore/projects'),
    at('explore groups', '/explore/groups'),
    at('explore groups as a visitor', '/explore/groups', { isForVisitors: true }),
    at('topics', '/explore/projects/topics'),
    at('topics as a visitor', '/explore/projects/topics', { isForVisitors: true }),
    at('palette', '/acme/shop', {
      act: async (page) => {
        await page.keyboard.press('Control+k')
        await page.locator('.palette-input').fill('shop')
        await page.waitForTimeout(400)
      },
    }),
    at('user', '/ada'),
    at('group', '/groups/acme'),
    at('group members', '/groups/acme/-/group_members'),
    at('group settings', '/groups/acme/-/settings/general'),
    at('group settings ci', '/groups/acme/-/settings/ci_cd'),
    at('group runners', '/groups/acme/-/runners'),
    at('new project', '/projects/new'),
    at('new group', '/groups/new'),
    at('search', '/search?search=total'),
    at('search of code', '/search?project_id=acme%2Fshop&search=total'),
    at('empty project', '/root/notes'),
    at('project home', shop, { readme: 'project' }),
    at('tree', `${shop}/-/tree/main/src`),
    at('file', `${shop}/-/blob/main/src/carts.ts#L6-8`, { readme: 'file' }),
    at('file of markdown', `${shop}/-/blob/main/README.md`),
    at('blame', `${shop}/-/blame/main/src/carts.ts`),
    at('file finder', `${shop}/-/find_file/main`),
    at('commits', `${shop}/-/commits/main`),
    at('commit', `${shop}/-/commit/${commit?.id}`, { readme: 'commit' }),
    at('compare', `${shop}/-/compare/main...feature/vouchers`),
    at('branches', `${shop}/-/branches`),
    at('tags', `${shop}/-/tags`),
    at('releases', `${shop}/-/releases`),
    at('release', `${shop}/-/releases/v1.0.0`),
    at('new release', `${shop}/-/releases/new`),
    at('edit release', `${shop}/-/releases/v1.0.0/edit`),
    at('contributors', `${shop}/-/graphs/main`),
    at('edit', `${shop}/-/edit/main/src/carts.ts`),
    at('new file', `${shop}/-/new/main/src`),
    at('fork', `${shop}/-/forks/new`),
    at('forks', `${shop}/-/forks`),
    at('starrers', `${shop}/-/starrers`),
    at('members', `${shop}/-/project_members`),
    at('settings general', `${shop}/-/settings/general`),
    at('settings repository', `${shop}/-/settings/repository`),
    at('settings access tokens', `${shop}/-/settings/access_tokens`),
    at('settings ci', `${shop}/-/settings/ci_cd`),
    at('pipelines', `${shop}/-/pipelines`),
    at('new pipeline', `${shop}/-/pipelines/new`),
    at('pipeline', `${shop}/-/pipelines/${pipeline}`, { readme: 'pipeline' }),
    at('jobs', `${shop}/-/jobs`),
    at('job log', `${shop}/-/jobs/${jobOf('lint')}`, { readme: 'log' }),
    at('artifacts of a job', `${shop}/-/jobs/${jobOf('build')}/artifacts/browse`),
    at('artifacts', `${shop}/-/artifacts`),
    at('schedules', `${shop}/-/pipeline_schedules`),
    at('new schedule', `${shop}/-/pipeline_schedules/new`),
    at('edit schedule', `${shop}/-/pipeline_schedules/${schedule?.id}/edit`),
    at('pipeline editor', `${shop}/-/ci/editor`),
    at('environments', `${shop}/-/environments`),
    at('environment', `${shop}/-/environments/${environment?.id}`),
    at('issues', `${shop}/-/issues`),
    at('issues, filtered', `${shop}/-/issues?label_name[]=bug&state=all`),
    at('issue', `${shop}/-/issues/1`, { readme: 'issue' }),
    at('new issue', `${shop}/-/issues/new`),
    at('labels', `${shop}/-/labels`),
    at('new label', `${shop}/-/labels/new`),
    at('milestones', `${shop}/-/milestones`),
    at('milestone', `${shop}/-/milestones/3`),
    at('edit milestone', `${shop}/-/milestones/3/edit`),
    at('new milestone', `${shop}/-/milestones/new`),
    at('board', `${shop}/-/boards`),
    at('group labels', '/groups/acme/-/labels'),
    at('group milestones', '/groups/acme/-/milestones'),
    at('group milestone', '/groups/acme/-/milestones/1'),
    at('new group milestone', '/groups/acme/-/milestones/new'),
    at('group board', '/groups/acme/-/boards'),
    at('group issues', '/groups/acme/-/issues'),
    at('all issues', '/dashboard/issues'),
    at('merge requests', `${shop}/-/merge_requests`),
    at('merge request', `${shop}/-/merge_requests/1`, { readme: 'merge-request' }),
    at('merge request commits', `${shop}/-/merge_requests/1/commits`),
    at('merge request pipelines', `${shop}/-/merge_requests/1/pipelines`),
    at('merge request changes', `${shop}/-/merge_requests/1/diffs`),
    at('merge request conflicts', `${shop}/-/merge_requests/1/conflicts`),
    at('new merge request', `${shop}/-/merge_requests/new`),
    at('group merge requests', '/groups/acme/-/merge_requests'),
    at('all merge requests', '/dashboard/merge_requests'),
    at('wiki', `${shop}/-/wikis`),
    at('wiki page', `${shop}/-/wikis/setup/Linux`),
    at('new wiki page', `${shop}/-/wikis/new`),
    at('edit wiki page', `${shop}/-/wikis/home/edit`),
    at('wiki page history', `${shop}/-/wikis/home/history`),
    at('wiki page comparison', `${shop}/-/wikis/home/diff`),
    at('vulnerability report', `${shop}/-/security/vulnerability_report`),
    at(
      'vulnerabilities, filtered',
      `${shop}/-/security/vulnerability_report?severity=low&state=all`,
    ),
    at('vulnerability', `${shop}/-/security/vulnerabilities/${vulnerability?.id}`),
    at('dependencies', `${shop}/-/dependencies`),
    at('licenses', `${shop}/-/licenses`),
    at('new license policy', `${shop}/-/licenses/new`),
    at('group vulnerabilities', '/groups/acme/-/security/vulnerabilities'),
    at('security dashboard', '/-/security/dashboard'),
    at('alerts', `${shop}/-/alert_management`),
    at('alert', `${shop}/-/alert_management/1/details`),
    at('settings monitor', `${shop}/-/settings/monitor`),
    at('settings integrations', `${shop}/-/settings/integrations`),
    at('settings webhooks', `${shop}/-/settings/hooks`),
    at('new webhook', `${shop}/-/settings/hooks/new`),
    at('webhook', `${shop}/-/settings/hooks/${webhook?.id}`),
    at('group webhooks', '/groups/acme/-/settings/hooks'),
    at('new group webhook', '/groups/acme/-/settings/hooks/new'),
    at('pages', `${shop}/-/pages`),
    at('new domain', `${shop}/-/pages/new`),
    at('domain', `${shop}/-/pages/domains/shop.example.test`),
    at('clusters', `${shop}/-/clusters`),
    at('new cluster', `${shop}/-/clusters/new`),
    at('cluster', `${shop}/-/clusters/${cluster?.id}`),
    at('group clusters', '/groups/acme/-/clusters'),
    at('new group cluster', '/groups/acme/-/clusters/new'),
    at('soon', '/-/soon'),
    at('profile', '/-/profile'),
    at('keys', '/-/profile/keys'),
    at('gpg keys', '/-/profile/gpg_keys'),
    at('tokens', '/-/profile/personal_access_tokens'),
    at('authorized applications', '/-/profile/applications'),
    at('emails', '/-/profile/emails'),
    at('notification settings', '/-/profile/notifications'),
    at('password', '/-/profile/password'),
    at('two factor', '/-/profile/two_factor_auth'),
    at('sessions', '/-/profile/active_sessions'),
    at('preferences', '/-/profile/preferences'),
    at('administration', '/admin'),
    at('users', '/admin/users'),
    at('user, administered', '/admin/users/ada'),
    at('all groups', '/admin/groups'),
    at('all projects', '/admin/projects'),
    at('all runners', '/admin/runners'),
    at('add runner', '/admin/runners?new=true'),
    at('all jobs', '/admin/jobs'),
    at('variables of the instance', '/admin/ci_cd'),
    at('clusters of the instance', '/admin/clusters'),
    at('new cluster of the instance', '/admin/clusters/new'),
    at('sites of all projects', '/admin/pages'),
    at('exports of everybody', '/admin/exports'),
    at('nodes', '/admin/nodes'),
    at('background tasks', '/admin/tasks'),
    at('storage', '/admin/storage'),
    at('broadcast messages', '/admin/broadcast_messages'),
    at('new broadcast message', '/admin/broadcast_messages/new'),
    at('audit events', '/admin/audit_events'),
    at('settings of the instance', '/admin/settings'),
    at('applications', '/admin/applications'),
    at('system hooks', '/admin/hooks'),
    at('help', '/help'),
    at('documentation', '/help/docs/operating/backup.md'),
  ]
}
