import { whenever } from '../../../kernel/effect.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { pipelineChanged } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { issuableChanged } from '../../planning/issuables/issuable-changed.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { noteCreated } from '../../review/notes/note-created.ts'
import { eventStreamEndpoints } from './event-stream.routes.ts'

export const eventStreamFamily: Family = {
  endpoints: eventStreamEndpoints,
  effects: [
    whenever(pipelineChanged, async ({ tx, pipeline_id, project_id, status, before, jobs }) => {
      const ofJobs = jobs.map(({ id }) => `job:${id}` as const)
      await publishChange(tx, `pipeline:${pipeline_id}`, ...ofJobs)
      if (status !== before || jobs.length > 0) await publishChange(tx, `project:${project_id}`)
    }),
    whenever(issuableChanged, async ({ tx, kind, issuable_id, project_id, changes }) => {
      await publishChange(tx, `${kind}:${issuable_id}`)
      // One that has become confidential leaves the lists of those who may not read it any more.
      if (changes.confidential) await publishChange(tx, `project_${kind}s:${project_id}`)
    }),
    whenever(noteCreated, ({ tx, kind, issuable_id }) =>
      publishChange(tx, `${kind}:${issuable_id}`),
    ),
    whenever(pushLanded, ({ uses, push }) => publishChange(uses.db, `project:${push.project.id}`)),
  ],
}
