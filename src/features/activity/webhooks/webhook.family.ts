import { whenever } from '../../../kernel/effect.ts'
import { releaseChanged } from '../../content/releases/release-changed.ts'
import { pagesChanged } from '../../content/wikis/page-changed.ts'
import { pipelineChanged } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { groupChanged } from '../../groups/groups/group-changed.ts'
import { memberChanged } from '../../people/members/member-changed.ts'
import { keyChanged } from '../../people/ssh-keys/key-changed.ts'
import { userChanged } from '../../people/users/user-changed.ts'
import { issuableChanged } from '../../planning/issuables/issuable-changed.ts'
import { projectRemoved } from '../../projects/projects/project.tasks.ts'
import { projectChanged } from '../../projects/projects/project-changed.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { noteCreated } from '../../review/notes/note-created.ts'
import { enqueueIssuableHooks, enqueueNoteHooks } from './watch-issuables.ts'
import { enqueueKeyHooks, enqueueMemberHooks, enqueueUserHooks } from './watch-people.ts'
import { enqueuePipelineHooks } from './watch-pipelines.ts'
import {
  enqueueGroupHooks,
  enqueueProjectHooks,
  enqueueRemovedProjectHooks,
} from './watch-places.ts'
import { enqueuePushHooks } from './watch-pushes.ts'
import { enqueueReleaseHooks } from './watch-releases.ts'
import { enqueueWikiPageHooks } from './watch-wikis.ts'
import { webhookEndpoints } from './webhook.routes.ts'
import { webhookTasks } from './webhook.tasks.ts'

export const webhookFamily: Family = {
  endpoints: webhookEndpoints,
  tasks: webhookTasks,
  effects: [
    whenever(pushLanded, enqueuePushHooks),
    whenever(pipelineChanged, enqueuePipelineHooks),
    whenever(issuableChanged, enqueueIssuableHooks),
    whenever(noteCreated, enqueueNoteHooks),
    whenever(releaseChanged, enqueueReleaseHooks),
    whenever(pagesChanged, enqueueWikiPageHooks),
    whenever(userChanged, enqueueUserHooks),
    whenever(keyChanged, enqueueKeyHooks),
    whenever(memberChanged, enqueueMemberHooks),
    whenever(projectChanged, enqueueProjectHooks),
    whenever(projectRemoved, enqueueRemovedProjectHooks),
    whenever(groupChanged, enqueueGroupHooks),
  ],
}
