import { may, useProject } from '../../../api/project.ts'
import { ciSettings as words } from '../../../text/delivery.ts'
import { ProjectSettings } from '../../../ui/page/project-settings.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { ResourceGroups } from './resource-groups.parts.tsx'
import { Runners } from './runners.parts.tsx'
import { Triggers } from './triggers.parts.tsx'
import { Variables } from './variables.parts.tsx'

export const page: PageModule<AtPlace> = { View: CiSettings }

function CiSettings({ at }: { at: AtPlace }) {
  const { data: project } = useProject(at.place.id)
  if (!project) return null
  const { id } = at.place
  return (
    <ProjectSettings place={at.place} title={words.title}>
      {may(project, 'manage_variables') ? <Variables id={id} /> : null}
      {may(project, 'manage_triggers') ? (
        <Triggers id={id} gitRef={project.default_branch ?? 'main'} />
      ) : null}
      {may(project, 'manage_runners') ? <Runners id={id} /> : null}
      {may(project, 'create_pipelines') ? <ResourceGroups id={id} /> : null}
    </ProjectSettings>
  )
}
