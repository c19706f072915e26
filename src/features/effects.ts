// What else happens when something does, in order: what earlier domains declare, later ones fill here.
import { removeOwnedGroups } from './groups/groups/remove-owned-groups.ts'
import { userRemoved } from './people/users/user.tasks.ts'
import { projectCopied } from './projects/projects/create-project.ts'
import { projectRemoved } from './projects/projects/project.tasks.ts'
import { projectBegun } from './projects/projects/project-begun.ts'
import { removePersonalProjects } from './projects/projects/remove-personal-projects.ts'
import { commitReadme } from './repository/commits/commit-readme.ts'
import { releaseLfsObjects } from './repository/lfs/release-objects.ts'
import { settleCopy } from './repository/pushes/settle-copy.ts'

userRemoved.fill([removeOwnedGroups, removePersonalProjects])
projectBegun.fill([commitReadme])
projectCopied.fill([settleCopy])
projectRemoved.fill([releaseLfsObjects])
