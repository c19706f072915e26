// Messages for the pusher of a branch: the URL of its merge request, or of the form that creates one
// (docs/api/merge-requests.md, "After a push").
import { anonymous } from '../../../access/actor.ts'
import { branchNameOf, zeroOid } from '../../../git/names.ts'
import { limits } from '../../../kernel/limits.ts'
import { issuableUrl } from '../../../subjects/issuable.ts'
import { findProject, projectUrl } from '../../../subjects/project.ts'
import type { PushMessagesRequest } from '../../repository/pushes/push-messages-requested.ts'
import { listOpenRequestsFromBranch } from '../merge-requests/merge-request.ts'
import { getMergeSettings } from '../merge-requests/merge-settings.ts'
import { applyPushOptions } from './push-options.ts'

/** Applies the push options of a push to a project, then adds a message about the merge request of each branch. */
export async function addMergeRequestMessagesToPush({
  uses,
  push,
  messages,
}: PushMessagesRequest): Promise<void> {
  if (!push) return
  const { updates, baseUrl } = push
  // The project is loaded again, since a first push may just have set its default branch.
  const project = (await findProject(uses.db, anonymous, push.project))?.project
  if (!project) return
  const branches = updates.flatMap(({ name, newOid }) => {
    const branch = branchNameOf(name)
    const isMeant = branch !== undefined && newOid !== zeroOid && branch !== project.default_branch
    return isMeant ? [branch] : []
  })
  if (branches.length === 0) return
  messages.push(...(await applyPushOptions(uses, { ...push, project })))
  if (project.merge_requests_access_level === 'disabled') return
  const settings = await getMergeSettings(uses.db, project.id)
  if (!settings.printing_merge_request_link_enabled) return
  for (const branch of branches.slice(0, limits.merge_requests.pushed_branches_max)) {
    const [open] = await listOpenRequestsFromBranch(uses.db, {
      project_id: project.id,
      branch,
      limit: 1,
    })
    const begin = `${projectUrl(baseUrl, project)}/-/merge_requests/new`
    messages.push(
      '',
      ...(open
        ? [`View merge request for ${branch}:`, `  ${issuableUrl(baseUrl, open, open)}`]
        : [
            `To create a merge request for ${branch}, visit:`,
            `  ${begin}?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`,
          ]),
      '',
    )
  }
}
