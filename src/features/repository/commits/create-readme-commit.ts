import type { ActorUser } from '../../../access/actor.ts'
import { confirmAlways } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Project } from '../../../subjects/project.ts'
import { createCommit } from './create-commit.ts'

/**
 * Creates the first commit of a new project, with a readme. There is no access check of its own: callers who may create
 * the project may do this.
 */
export async function createReadmeCommit(
  made: Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & {
    project: Project
    user: ActorUser
    readme: string
  },
): Promise<void> {
  const { project, user, readme } = made
  await createCommit(made, {
    project,
    user,
    branch: project.default_branch ?? 'main',
    message: 'Initial commit',
    actions: [{ action: 'create', file_path: 'README.md', content: Buffer.from(readme) }],
    staleMessage: () => '',
    confirm: confirmAlways,
  })
}
