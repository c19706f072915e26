import { onEffect } from '../../../kernel/effect.ts'
import { wikiPagesChangedEffect } from '../../content/wikis/page-changed.ts'
import type { Family } from '../../family.ts'
import { memberChangedEffect } from '../../people/members/member-changed.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { milestoneChangedEffect } from '../../planning/milestones/milestone-changed.ts'
import { projectChangedEffect } from '../../projects/projects/project-changed.ts'
import { pushLandedEffect } from '../../repository/pushes/push-landed.ts'
import { noteCreatedEffect } from '../../review/notes/note-created.ts'
import { eventEndpoints } from './event.routes.ts'
import {
  recordIssuableEvent,
  recordMemberEvent,
  recordMilestoneEvent,
  recordNoteEvent,
  recordPageEvents,
  recordProjectEvent,
  recordPushEvents,
} from './record-events.ts'

export const eventFamily: Family = {
  endpoints: eventEndpoints,
  effects: [
    onEffect(projectChangedEffect, recordProjectEvent),
    onEffect(memberChangedEffect, recordMemberEvent),
    onEffect(pushLandedEffect, recordPushEvents),
    onEffect(milestoneChangedEffect, recordMilestoneEvent),
    onEffect(issuableChangedEffect, recordIssuableEvent),
    onEffect(noteCreatedEffect, recordNoteEvent),
    onEffect(wikiPagesChangedEffect, recordPageEvents),
  ],
}
