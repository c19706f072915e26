import { mayInProject, useProject } from '../../../api/project.ts'
import { settingsText } from '../../../text/places.ts'
import { ProjectSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { DefaultBranchSection, ProtectedBranchesSection } from './branches.parts.tsx'
import { DeployKeysSection, DeployTokensSection } from './deploy.parts.tsx'
import { ProtectedTagsSection } from './tags.parts.tsx'

export const page: PageModule<PlaceLocation> = { View: RepositorySettings }

function RepositorySettings({ at }: { at: PlaceLocation }) {
  const { data: project } = useProject(at.place.id)
  if (!project) return null
  const { id } = at.place
  return (
    <ProjectSettings place={at.place} title={settingsText.repository}>
      {mayInProject(project, 'change_project') && !project.empty_repo ? (
        <DefaultBranchSection project={project} />
      ) : null}
      {mayInProject(project, 'protect_branches') ? <ProtectedBranchesSection id={id} /> : null}
      {mayInProject(project, 'protect_tags') ? <ProtectedTagsSection id={id} /> : null}
      {mayInProject(project, 'read_deploy_keys') ? <DeployKeysSection id={id} /> : null}
      {mayInProject(project, 'manage_deploy_tokens') ? <DeployTokensSection id={id} /> : null}
    </ProjectSettings>
  )
}
