import { may, useProject } from '../../../api/project.ts'
import { ciSettings as words } from '../../../text/ci-settings.ts'
import { lazy } from '../../../ui/lazy.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { ProjectSettings } from '../../../ui/page/settings.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { ResourceGroups } from './resource-groups.parts.tsx'
import { Runners } from './runners.parts.tsx'
import { Triggers } from './triggers.parts.tsx'

/** A piece of its own: settings of projects, of groups and of the instance have it. */
const Variables = lazy(() => import('./variables.parts.tsx').then(({ Variables: View }) => View))

export const page: PageModule<AtPlace> = { View: CiSettings }

function CiSettings({ at }: { at: AtPlace }) {
  const { data: project } = useProject(at.place.id)
  if (!project) return null
  const { id } = at.place
  return (
    <ProjectSettings place={at.place} title={words.title}>
      {may(project, 'manage_variables') ? <Variables kind="projects" id={id} /> : null}
      {may(project, 'manage_triggers') ? (
        <Triggers id={id} gitRef={project.default_branch ?? 'main'} />
      ) : null}
      {may(project, 'manage_runners') ? (
        <Section id="runners" title={words.runners} lead={words.runnersLead.projects}>
          <Runners kind="projects" id={id} />
        </Section>
      ) : null}
      {may(project, 'create_pipelines') ? <ResourceGroups id={id} /> : null}
    </ProjectSettings>
  )
}
