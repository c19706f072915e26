import { whenever } from '../../../kernel/effect.ts'
import { pipelineChanged } from '../../delivery/pipelines/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { groupChanged } from '../../groups/groups/group-changed.ts'
import { memberChanged } from '../../people/members/member-changed.ts'
import { keyChanged } from '../../people/ssh-keys/key-changed.ts'
import { userChanged } from '../../people/users/user-changed.ts'
import { projectRemoved } from '../../projects/projects/project.tasks.ts'
import { projectChanged } from '../../projects/projects/project-changed.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { issuableChanged } from '../issuables/issuable-changed.ts'
import { noteMade } from '../notes/note-made.ts'
import { releaseChanged } from '../releases/release-changed.ts'
import { pagesChanged } from '../wikis/page-changed.ts'
import { callForIssuable, callForNote } from './watch-issuables.ts'
import { callForKey, callForMember, callForUser } from './watch-people.ts'
import { callForPipeline } from './watch-pipelines.ts'
import { callForGroup, callForProject, callForRemovedProject } from './watch-places.ts'
import { callForPush } from './watch-pushes.ts'
import { callForRelease } from './watch-releases.ts'
import { callForPages } from './watch-wikis.ts'
import { webhookEndpoints } from './webhook.routes.ts'
import { webhookTasks } from './webhook.tasks.ts'

export const webhookFamily: Family = {
  endpoints: webhookEndpoints,
  tasks: webhookTasks,
  effects: [
    whenever(pushLanded, callForPush),
    whenever(pipelineChanged, callForPipeline),
    whenever(issuableChanged, callForIssuable),
    whenever(noteMade, callForNote),
    whenever(releaseChanged, callForRelease),
    whenever(pagesChanged, callForPages),
    whenever(userChanged, callForUser),
    whenever(keyChanged, callForKey),
    whenever(memberChanged, callForMember),
    whenever(projectChanged, callForProject),
    whenever(projectRemoved, callForRemovedProject),
    whenever(groupChanged, callForGroup),
  ],
}
