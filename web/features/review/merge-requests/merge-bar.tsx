// The bar of a merge request: what state it is in, why, and the one action that moves it on.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { Approvals } from '../../../api/operations.ts'
import { mayInProject, type ProjectRecord } from '../../../api/project.ts'
import { issuables } from '../../../text/issues.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { statusWords } from '../../../text/status.ts'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import {
  approveRequest,
  invalidateRequest,
  isUnauthorized,
  type MergeInput,
  type RequestId,
  type RequestRecord,
  saveRequestChanges,
} from './request-calls.ts'

const MergeOptions = lazyComponent(() =>
  import('./merge-options.tsx').then(({ MergeOptions: View }) => View),
)
const ConflictCommands = lazyComponent(() =>
  import('./conflict-commands.tsx').then(({ ConflictCommands: View }) => View),
)
const MergedActions = lazyComponent(() =>
  import('./merged-actions.tsx').then(({ MergedActions: View }) => View),
)
const ApproveWithPassword = lazyComponent(() =>
  import('./request-changes.ts').then(({ ApproveWithPassword: View }) => View),
)
const PickCommit = lazyComponent(() =>
  import('./pick-commit.tsx').then(({ PickCommit: View }) => View),
)

type Over = 'options' | 'conflicts' | 'revert' | 'cherry_pick'

export function MergeBar({
  of,
  request,
  project,
  approvals,
  openThreads,
  base,
  onNextThread,
}: {
  of: RequestId
  request: RequestRecord
  project: ProjectRecord | undefined
  approvals: Approvals | undefined
  openThreads: number
  base: string
  onNextThread: () => void
}) {
  const [over, setOver] = useState<Over>()
  const [isBusy, setBusy] = useState(false)
  const merge = async (given: MergeInput = {}) => {
    setBusy(true)
    try {
      await call('PUT /projects/:id/merge_requests/:merge_request_iid/merge', {
        ...of,
        ...(request.sha ? { sha: request.sha } : {}),
        squash: request.squash,
        should_remove_source_branch: request.force_remove_source_branch ?? false,
        ...given,
      })
      setOver(undefined)
    } finally {
      setBusy(false)
      invalidateRequest(of)
      invalidate(`/api/v4/projects/${of.id}/repository`)
    }
  }
  const status = request.detailed_merge_status
  const isOpen = request.state === 'opened'
  const mayMerge = request.user.can_merge
  const update = request.abilities?.update ?? false
  const isWaiting = request.merge_when_pipeline_succeeds
  const isReady = isOpen && status === 'mergeable' && mayMerge && !isWaiting
  const autoMerge = () => merge({ merge_when_pipeline_succeeds: true })
  const isRunning = activePattern.test(request.head_pipeline?.status ?? '')
  const asking = (isOpen && request.changes_requested_by) || []
  // It blocks nothing, but ready is what nobody asks to be changed.
  const isAsked = status === 'mergeable' && asking.length > 0
  const [state, why] = words.statuses[status] ?? words.statuses.broken_status ?? ['', '']
  const reason = (status === 'not_approved' && describeMissing(approvals)) || why
  useKeyActions(isReady ? [{ name: words.mergeKey, keys: 'Shift M', run: () => void merge() }] : [])
  const primary = (label: string, run: () => unknown) => (
    <Button look="primary" isBusy={isBusy} onClick={() => void run()}>
      {label}
    </Button>
  )
  const next = (): ComponentChildren => {
    if (request.state === 'merged') {
      return mayInProject(project, 'push_code') ? (
        <MergedActions of={of} request={request} project={project} onOver={setOver} />
      ) : null
    }
    if (!isOpen) {
      return update
        ? primary(words.reopen, () => saveRequestChanges(of, { state_event: 'reopen' }))
        : null
    }
    if (request.rebase_in_progress) return <span class="muted">{words.rebasing}</span>
    if (isWaiting) {
      return mayMerge || update ? (
        <Button onClick={() => void cancelAutoMerge(of)}>{words.cancelAutoMerge}</Button>
      ) : null
    }
    if (status === 'mergeable' && mayMerge) {
      return (
        <>
          {isRunning ? (
            <>
              {primary(words.autoMerge, autoMerge)}
              <Button onClick={() => void merge()}>{words.merge}</Button>
            </>
          ) : (
            primary(words.merge, merge)
          )}
          <Button onClick={() => setOver('options')}>{words.mergeOptions}</Button>
        </>
      )
    }
    if (status === 'ci_still_running' && mayMerge) {
      return primary(words.autoMerge, autoMerge)
    }
    if (status === 'conflict') {
      return (
        <>
          {update && request.source_project_id !== null ? (
            <ButtonLink
              look="primary"
              href={`${base}/-/merge_requests/${of.merge_request_iid}/conflicts`}
            >
              {words.resolveConflicts}
            </ButtonLink>
          ) : null}
          <Button onClick={() => setOver('conflicts')}>{words.resolveLocally}</Button>
        </>
      )
    }
    if (status === 'draft_status' && update) {
      return primary(words.markReady, () =>
        saveRequestChanges(of, { title: removeDraftPrefix(request.title) }),
      )
    }
    if (status === 'discussions_not_resolved') return primary(words.nextThread, onNextThread)
    if (status === 'need_rebase' && update) return primary(words.rebase, () => rebase(of))
    return null
  }
  return (
    <>
      <StateBar
        state={
          <Status
            status={isAsked ? 'warning' : stateOf(request)}
            words={isAsked ? words.changesRequested : isOpen ? state : endedWords(request)}
          />
        }
        actions={
          <>
            {isOpen ? <Approve of={of} request={request} approvals={approvals} /> : null}
            {next()}
          </>
        }
      >
        <span class="row">
          {isOpen && reason ? <span>{reason}</span> : null}
          {isOpen && status === 'mergeable' && !mayMerge ? (
            <span>{project?.archived ? issuables.archived : words.mayNotMerge}</span>
          ) : null}
          {isOpen && isWaiting && request.merge_user ? (
            <span>{words.autoMergeSet(request.merge_user.name)}</span>
          ) : null}
          {request.merge_error ? <span class="field-problem">{request.merge_error}</span> : null}
          {request.state === 'merged' && request.merge_user ? (
            <span>
              {words.mergedBy(request.merge_user.name)} <Time at={request.merged_at} />
            </span>
          ) : null}
          {request.head_pipeline ? (
            <a href={`${base}/-/pipelines/${request.head_pipeline.id}`}>
              {words.pipelineIs(
                statusWords[request.head_pipeline.status] ??
                  request.head_pipeline.status.replaceAll('_', ' '),
              )}
            </a>
          ) : null}
          {asking.length > 0 ? (
            <strong>{words.changesRequestedBy(asking.map(({ name }) => name))}</strong>
          ) : null}
          {isOpen && openThreads > 0 ? (
            <button type="button" class="button button-quiet" onClick={onNextThread}>
              {words.openThreads(openThreads)}
            </button>
          ) : null}
          {isOpen && (request.diverged_commits_count ?? 0) > 0 ? (
            <span>{words.behind(request.diverged_commits_count ?? 0, request.target_branch)}</span>
          ) : null}
        </span>
      </StateBar>
      {over === 'options' ? (
        <MergeOptions request={request} onMerge={merge} onClose={() => setOver(undefined)} />
      ) : null}
      {over === 'conflicts' ? (
        <Dialog isWide title={words.resolveLocally} onClose={() => setOver(undefined)}>
          <ConflictCommands request={request} />
        </Dialog>
      ) : null}
      {over === 'revert' || over === 'cherry_pick' ? (
        <PickCommit
          of={of}
          request={request}
          base={base}
          kind={over}
          onClose={() => setOver(undefined)}
        />
      ) : null}
    </>
  )
}

/** While a pipeline is so, a merge may wait for it. */
const activePattern = /^(?:created|waiting_for_resource|preparing|pending|running|scheduled)$/

const stateOf = ({ state, detailed_merge_status: status }: RequestRecord): string => {
  if (state !== 'opened') return state
  if (status === 'mergeable') return 'success'
  return status === 'checking' || status === 'unchecked' ? 'pending' : 'warning'
}

const endedWords = ({ state, target_branch }: RequestRecord): string =>
  state === 'merged' ? words.mergedInto(target_branch) : (statusWords[state] ?? state)

/** Which approvals are missing; undefined for visitors, who do not see that. */
function describeMissing(approvals: Approvals | undefined): string | undefined {
  const rules = approvals?.approval_rules_left?.map(({ rule_type, name }) =>
    rule_type === 'any_approver' ? words.everybody : name,
  )
  return rules?.length ? words.needsApprovals(approvals?.approvals_left ?? 0, rules) : undefined
}

export const removeDraftPrefix = (title: string) =>
  title.replace(/^\s*(?:draft:|\[draft\]|\(draft\))\s*/i, '')

async function cancelAutoMerge(of: RequestId): Promise<void> {
  await call(
    'POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds',
    of,
  )
  invalidateRequest(of)
}

async function rebase(of: RequestId): Promise<void> {
  await call('PUT /projects/:id/merge_requests/:merge_request_iid/rebase', of)
  invalidateRequest(of)
}

function Approve({
  of,
  request,
  approvals,
}: {
  of: RequestId
  request: RequestRecord
  approvals: Approvals | undefined
}) {
  const [isAsked, setAsked] = useState(false)
  if (!approvals) return null
  const { user_has_approved, user_can_approve, require_password_to_approve } = approvals
  const approve = async () => {
    if (require_password_to_approve) return setAsked(true)
    try {
      await approveRequest(of, request)
    } catch (error) {
      throw isUnauthorized(error) ? error.saying(words.mayNotApprove) : error
    }
  }
  const unapprove = async () => {
    await call('POST /projects/:id/merge_requests/:merge_request_iid/unapprove', of)
    invalidateRequest(of)
  }
  if (user_has_approved) {
    return <Button onClick={() => void unapprove()}>{words.unapprove}</Button>
  }
  if (!user_can_approve) return null
  return (
    <>
      <Button onClick={() => void approve()}>{words.approve}</Button>
      {isAsked ? (
        <ApproveWithPassword of={of} request={request} onClose={() => setAsked(false)} />
      ) : null}
    </>
  )
}
