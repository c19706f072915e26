// The head of every page of a project: where it is, and the places in it.

import { mayInProject, useProject } from '../../../api/project.ts'
import { keyActionsText } from '../../../text/app.ts'
import { projects } from '../../../text/projects.ts'
import { Chip } from '../../../ui/chip/chip.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { currentUrl, navigate } from '../../../ui/navigation.ts'
import type { Place } from '../../../ui/page-module.ts'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import '../../../ui/page/head.css'

/** Sections of addresses, by the place among the tabs that they belong to. */
const tabOf: Readonly<Record<string, string>> = {
  tree: 'code',
  blob: 'code',
  blame: 'code',
  edit: 'code',
  new: 'code',
  find_file: 'code',
  issues: 'issues',
  boards: 'issues',
  labels: 'issues',
  milestones: 'issues',
  merge_requests: 'merge_requests',
  commits: 'commits',
  commit: 'commits',
  compare: 'commits',
  graphs: 'commits',
  branches: 'branches',
  tags: 'tags',
  releases: 'releases',
  pipelines: 'pipelines',
  jobs: 'pipelines',
  artifacts: 'pipelines',
  ci: 'pipelines',
  environments: 'pipelines',
  pipeline_schedules: 'schedules',
  wikis: 'wiki',
  security: 'security',
  dependencies: 'security',
  licenses: 'security',
  alert_management: 'operate',
  pages: 'operate',
  clusters: 'operate',
  project_members: 'members',
  audit_events: 'settings',
  settings: 'settings',
}

/** By ability; a tab leads to the first that the reader may see. */
type Places = readonly (readonly [ability: string, place: string])[]
const securityPlaces: Places = [
  ['read_vulnerabilities', 'security/vulnerability_report'],
  ['read_dependencies', 'dependencies'],
]
const operatePlaces: Places = [['read_alerts', 'alert_management']]

export function ProjectHead({ place }: { place: Place }) {
  const { data: project } = useProject(place.id)
  const base = place.canonical_path.replace(/\/-\/.*$/, '')
  useKeyActions([
    { name: keyActionsText.code, keys: 'g c', run: () => navigate(base) },
    { name: keyActionsText.issues, keys: 'g i', run: () => navigate(`${base}/-/issues`) },
    {
      name: keyActionsText.mergeRequests,
      keys: 'g m',
      run: () => navigate(`${base}/-/merge_requests`),
    },
    { name: keyActionsText.pipelines, keys: 'g l', run: () => navigate(`${base}/-/pipelines`) },
    { name: keyActionsText.wiki, keys: 'g w', run: () => navigate(`${base}/-/wikis`) },
    {
      name: keyActionsText.settings,
      keys: 'g s',
      run: () => navigate(`${base}/-/settings/general`),
    },
    {
      name: keyActionsText.upOneLevel,
      keys: 'u',
      run: () => navigate(parentOf(currentUrl.value.pathname, base)),
    },
  ])
  const now = place.section === null ? 'code' : tabOf[place.section]
  const parts = base.slice(1).split('/')
  const visibility = project?.visibility
  const ref = project?.default_branch
  const readsCode = mayInProject(project, 'download_code') && !project?.empty_repo
  const firstOf = (places: Places) =>
    places.find(([ability]) => mayInProject(project, ability))?.[1]
  const securityPlace = firstOf(securityPlaces)
  const operatePlace = firstOf(operatePlaces)
  const tab = (name: string, words: string, href: string, isOffered = true) =>
    isOffered && { words, href: base + href, isHere: now === name }
  return (
    <div class="head">
      <nav class="head-path" aria-label={projects.breadcrumb}>
        {parts.map((part, place_) => {
          const isLast = place_ === parts.length - 1
          const path = parts.slice(0, place_ + 1).join('/')
          return (
            <span key={path}>
              {place_ > 0 ? <span class="muted"> / </span> : null}
              <a class={isLast ? 'head-name' : ''} href={`/${path}`}>
                {decodeURIComponent(part)}
              </a>
            </span>
          )
        })}
        {visibility ? <Chip>{projects.visibility[visibility as 'public']}</Chip> : null}
        {project?.archived ? <Chip tone="warning">{projects.archived}</Chip> : null}
      </nav>
      <Tabs
        label={projects.label}
        tabs={[
          tab('code', projects.code, ''),
          tab('issues', projects.issues, '/-/issues', project?.issues_enabled),
          tab(
            'merge_requests',
            projects.mergeRequests,
            '/-/merge_requests',
            mayInProject(project, 'read_merge_requests'),
          ),
          tab(
            'commits',
            projects.commits,
            `/-/commits/${encodeURIComponent(ref ?? 'HEAD')}`,
            readsCode,
          ),
          tab('branches', projects.branches, '/-/branches', readsCode),
          tab('tags', projects.tags, '/-/tags', readsCode),
          tab('releases', projects.releases, '/-/releases', readsCode),
          tab(
            'pipelines',
            projects.pipelines,
            '/-/pipelines',
            mayInProject(project, 'read_pipelines'),
          ),
          tab(
            'schedules',
            projects.schedules,
            '/-/pipeline_schedules',
            mayInProject(project, 'read_pipelines'),
          ),
          tab('wiki', projects.wiki, '/-/wikis', project?.wiki_enabled),
          tab('security', projects.security, `/-/${securityPlace}`, securityPlace !== undefined),
          tab('operate', projects.operate, `/-/${operatePlace}`, operatePlace !== undefined),
          tab('members', projects.members, '/-/project_members'),
          tab(
            'settings',
            projects.settings,
            '/-/settings/general',
            mayInProject(project, 'change_project'),
          ),
        ]}
      />
    </div>
  )
}

/** The folder above, or the project. */
function parentOf(path: string, base: string): string {
  const up = path.replace(/\/[^/]+\/?$/, '')
  return /\/-\/(?:tree|blob|blame)\/[^/]+\/?./.test(path) && up.length > base.length
    ? up.replace('/-/blob/', '/-/tree/').replace('/-/blame/', '/-/tree/')
    : base
}
