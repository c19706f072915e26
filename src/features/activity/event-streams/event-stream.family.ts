import { onEffect } from '../../../kernel/effect.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { pipelineChangedEffect } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { pushLandedEffect } from '../../repository/pushes/push-landed.ts'
import { noteCreatedEffect } from '../../review/notes/note-created.ts'
import { eventStreamEndpoints } from './event-stream.routes.ts'

export const eventStreamFamily: Family = {
  endpoints: eventStreamEndpoints,
  effects: [
    onEffect(
      pipelineChangedEffect,
      async ({ tx, pipeline_id, project_id, status, before, jobs }) => {
        const ofJobs = jobs.map(({ id }) => `job:${id}` as const)
        await publishChange(tx, `pipeline:${pipeline_id}`, ...ofJobs)
        if (status !== before || jobs.length > 0) await publishChange(tx, `project:${project_id}`)
      },
    ),
    onEffect(issuableChangedEffect, async ({ tx, kind, issuable_id, project_id, changes }) => {
      await publishChange(tx, `${kind}:${issuable_id}`)
      // Followers of the list are notified, since a newly confidential record leaves the lists of those who
      // may no longer read it.
      if (changes.confidential) await publishChange(tx, `project_${kind}s:${project_id}`)
    }),
    onEffect(noteCreatedEffect, ({ tx, kind, issuable_id }) =>
      publishChange(tx, `${kind}:${issuable_id}`),
    ),
    onEffect(pushLandedEffect, ({ uses, push }) =>
      publishChange(uses.db, `project:${push.project.id}`),
    ),
  ],
}
