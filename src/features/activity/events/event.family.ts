import { whenever } from '../../../kernel/effect.ts'
import { pagesChanged } from '../../content/wikis/page-changed.ts'
import type { Family } from '../../family.ts'
import { memberChanged } from '../../people/members/member-changed.ts'
import { issuableChanged } from '../../planning/issuables/issuable-changed.ts'
import { milestoneChanged } from '../../planning/milestones/milestone-changed.ts'
import { projectChanged } from '../../projects/projects/project-changed.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { noteCreated } from '../../review/notes/note-created.ts'
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
    whenever(projectChanged, recordProjectEvent),
    whenever(memberChanged, recordMemberEvent),
    whenever(pushLanded, recordPushEvents),
    whenever(milestoneChanged, recordMilestoneEvent),
    whenever(issuableChanged, recordIssuableEvent),
    whenever(noteCreated, recordNoteEvent),
    whenever(pagesChanged, recordPageEvents),
  ],
}
