import { mayInProject, useProject } from '../../../api/project.ts'
import { ciSettings as words } from '../../../text/ci-settings.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { ProjectSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { ResourceGroupsSection } from './resource-groups.parts.tsx'
import { RunnersSection } from './runners.parts.tsx'
import { TriggersSection } from './triggers.parts.tsx'

/** A chunk of its own, since the settings of projects, groups and the instance share it. */
const Variables = lazyComponent(() =>
  import('./variables.parts.tsx').then(({ VariablesSection: View }) => View),
)

export const page: PageModule<PlaceLocation> = { View: CiSettings }

function CiSettings({ at }: { at: PlaceLocation }) {
  const { data: project } = useProject(at.place.id)
  if (!project) return null
  const { id } = at.place
  return (
    <ProjectSettings place={at.place} title={words.title}>
      {mayInProject(project, 'manage_variables') ? <Variables kind="projects" id={id} /> : null}
      {mayInProject(project, 'manage_triggers') ? (
        <TriggersSection id={id} gitRef={project.default_branch ?? 'main'} />
      ) : null}
      {mayInProject(project, 'manage_runners') ? (
        <Section id="runners" title={words.runners} lead={words.runnersLead.projects}>
          <RunnersSection kind="projects" id={id} />
        </Section>
      ) : null}
      {mayInProject(project, 'create_pipelines') ? <ResourceGroupsSection id={id} /> : null}
    </ProjectSettings>
  )
}
