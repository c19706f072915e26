// The header of all pages of a group.
import { mayInGroup, useGroup } from '../../../api/group.ts'
import { groups } from '../../../text/groups.ts'
import { projects } from '../../../text/projects.ts'
import { Chip } from '../../../ui/chip/chip.tsx'
import type { Place } from '../../../ui/page-module.ts'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import '../../../ui/page/head.css'

export function GroupHead({ place }: { place: Place }) {
  const { data: group } = useGroup(place.id)
  const base = place.canonical_path.replace(/\/-\/.*$/, '')
  const parts = base.replace('/groups/', '').split('/')
  const { section } = place
  return (
    <div class="head">
      <nav class="head-path" aria-label={groups.breadcrumb}>
        <span class="muted">{groups.group}</span>
        {parts.map((part, at) => (
          <span key={part}>
            {at > 0 ? <span class="muted"> / </span> : null}
            <a
              class={at === parts.length - 1 ? 'head-name' : ''}
              href={`/groups/${parts.slice(0, at + 1).join('/')}`}
            >
              {decodeURIComponent(part)}
            </a>
          </span>
        ))}
        {group ? <Chip>{projects.visibility[group.visibility as 'public']}</Chip> : null}
      </nav>
      <Tabs
        label={groups.label}
        tabs={[
          { words: groups.projects, href: base, isHere: section === null },
          {
            words: groups.mergeRequests,
            href: `${base}/-/merge_requests`,
            isHere: section === 'merge_requests',
          },
          {
            words: groups.issues,
            href: `${base}/-/issues`,
            isHere: /^(?:issues|boards|labels|milestones)$/.test(section ?? ''),
          },
          {
            words: projects.releases,
            href: `${base}/-/releases`,
            isHere: section === 'releases',
          },
          {
            words: groups.members,
            href: `${base}/-/group_members`,
            isHere: section === 'group_members',
          },
          (mayInGroup(group, 'write_wiki') || section === 'wikis') && {
            words: projects.wiki,
            href: `${base}/-/wikis`,
            isHere: section === 'wikis',
          },
          (mayInGroup(group, 'read_vulnerabilities') || mayInGroup(group, 'read_dependencies')) && {
            words: projects.security,
            href: mayInGroup(group, 'read_vulnerabilities')
              ? `${base}/-/security/vulnerabilities`
              : `${base}/-/dependencies`,
            isHere: section === 'security' || section === 'dependencies',
          },
          mayInGroup(group, 'manage_clusters') && {
            words: groups.clusters,
            href: `${base}/-/clusters`,
            isHere: section === 'clusters',
          },
          mayInGroup(group, 'manage_runners') && {
            words: groups.runners,
            href: `${base}/-/runners`,
            isHere: section === 'runners',
          },
          mayInGroup(group, 'change_group') && {
            words: groups.settings,
            href: `${base}/-/settings/general`,
            isHere: section === 'settings' || section === 'audit_events',
          },
        ]}
      />
    </div>
  )
}
