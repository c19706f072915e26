import { onEffect } from '../../../kernel/effect.ts'
import { releaseChangedEffect } from '../../content/releases/release-changed.ts'
import { wikiPagesChangedEffect } from '../../content/wikis/page-changed.ts'
import { pipelineChangedEffect } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { groupChangedEffect } from '../../groups/groups/group-changed.ts'
import { memberChangedEffect } from '../../people/members/member-changed.ts'
import { sshKeyChangedEffect } from '../../people/ssh-keys/ssh-key-changed.ts'
import { userChangedEffect } from '../../people/users/user-changed.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { projectRemovedEffect } from '../../projects/projects/project.tasks.ts'
import { projectChangedEffect } from '../../projects/projects/project-changed.ts'
import { pushLandedEffect } from '../../repository/pushes/push-landed.ts'
import { noteCreatedEffect } from '../../review/notes/note-created.ts'
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
    onEffect(pushLandedEffect, enqueuePushHooks),
    onEffect(pipelineChangedEffect, enqueuePipelineHooks),
    onEffect(issuableChangedEffect, enqueueIssuableHooks),
    onEffect(noteCreatedEffect, enqueueNoteHooks),
    onEffect(releaseChangedEffect, enqueueReleaseHooks),
    onEffect(wikiPagesChangedEffect, enqueueWikiPageHooks),
    onEffect(userChangedEffect, enqueueUserHooks),
    onEffect(sshKeyChangedEffect, enqueueKeyHooks),
    onEffect(memberChangedEffect, enqueueMemberHooks),
    onEffect(projectChangedEffect, enqueueProjectHooks),
    onEffect(projectRemovedEffect, enqueueRemovedProjectHooks),
    onEffect(groupChangedEffect, enqueueGroupHooks),
  ],
}
