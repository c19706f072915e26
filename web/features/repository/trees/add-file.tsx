import { mayInProject, type ProjectRecord } from '../../../api/project.ts'
import { repositoryPagesText } from '../../../text/reading.ts'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { navigate } from '../../../ui/navigation.ts'
import { repositoryPageUrl } from '../../../ui/project-address.ts'

type AddFileProps = {
  project: ProjectRecord | undefined
  base: string
  refName: string
  path: string
}

/** Leads to where files of a folder of a branch are written or uploaded; nothing for those who may not push. */
export function AddFile({ project, base, refName, path }: AddFileProps) {
  const href = repositoryPageUrl(base, 'new', refName, path)
  const isOffered = mayInProject(project, 'push_code')
  useKeyActions(isOffered ? [{ name: repositoryPagesText.addFile, run: () => navigate(href) }] : [])
  return isOffered ? <ButtonLink href={href}>{repositoryPagesText.addFile}</ButtonLink> : null
}
