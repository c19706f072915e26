// One merge request on one page: what state it is in, its text and conversation, and its changes beneath. The
// addresses of its parts show one of them alone.
import { useMemo, useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useInvalidateOnChange } from '../../../api/live.ts'
import type { Approvals, Discussion } from '../../../api/operations.ts'
import { type ProjectRecord, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { useApi } from '../../../api/use-api.ts'
import { usePolling } from '../../../api/use-polling.ts'
import { Conversation, IssuableReactions } from '../../../surfaces/conversation/conversation.tsx'
import { useIssuableThreads, useThreadContext } from '../../../surfaces/conversation/issuable.ts'
import type { ThreadContext } from '../../../surfaces/conversation/thread.tsx'
import { Description } from '../../../surfaces/issuable/description.tsx'
import { issuables } from '../../../text/issues.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { copyText } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { MergeBar, removeDraftPrefix } from './merge-bar.tsx'
import {
  invalidateRequest,
  issuableOfRequest,
  parseRequestAddress,
  type RequestId,
  type RequestRecord,
  requestInput,
  requestUrl,
  saveRequestChanges,
  saveThreadResolved,
} from './request-calls.ts'
import { RequestDetails } from './request-details.tsx'

const EditRequest = lazyComponent(() =>
  import('./request-edit.tsx').then(({ EditRequest: View }) => View),
)
const CheckOut = lazyComponent(() => import('./check-out.tsx').then(({ CheckOut: View }) => View))
const toNextThread = () => import('./request-changes.ts').then(({ goToThread }) => goToThread(1))
const Commits = lazyComponent(() =>
  import('./request-tabs.tsx').then(({ RequestCommits: View }) => View),
)
const Pipelines = lazyComponent(() =>
  import('./request-tabs.tsx').then(({ RequestPipelines: View }) => View),
)
const RequestDiff = lazyComponent(() =>
  import('./request-changes.ts').then(({ RequestDiff: View }) => View),
)
const ThreadCode = lazyComponent(() =>
  import('./request-changes.ts').then(({ ThreadCode: View }) => View),
)
const Suggestions = lazyComponent(() =>
  import('./request-changes.ts').then(({ Suggestions: View }) => View),
)

const route = 'GET /projects/:id/merge_requests/:merge_request_iid'

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [requestUrl(parseRequestAddress(at).of)],
  View: RequestPage,
}

type Facts = {
  of: RequestId
  request: RequestRecord
  project: ProjectRecord | undefined
  base: string
  place: ThreadContext
  threads: readonly Discussion[] | undefined
  approvals: Approvals | undefined
}

const none: readonly never[] = []

function RequestPage({ at }: { at: PlaceLocation }) {
  const { of, tab } = parseRequestAddress(at)
  const { data: request } = useApi(route, requestInput(of))
  const { data: project } = useProject(of.id)
  const signedIn = user.value != null
  const issuable = issuableOfRequest(of)
  const threads = useIssuableThreads(issuable, { isWithReactions: tab !== 'commits' })
  const { data: approvals } = useApi(`${route}/approvals`, signedIn ? of : undefined)
  const path = `/api/v4/projects/${of.id}/merge_requests/${of.merge_request_iid}`
  useInvalidateOnChange(request && `merge_request:${request.id}`, [path], request?.change_version)
  const pipeline = request?.head_pipeline
  const isRunning = pipeline && !/^(?:success|failed|canceled|skipped)$/.test(pipeline.status)
  useInvalidateOnChange(isRunning ? `pipeline:${pipeline.id}` : undefined, [path])
  useSettling(of, request)
  const base = placeBasePath(at.place)
  const place = useThreadContext(issuable, {
    project,
    mayDiscuss: request?.abilities?.discuss ?? false,
    draftKey: `merge_request:${request?.id}`,
    resolve: (thread, isResolved) => saveThreadResolved(of, thread, isResolved),
    mayResolveAll: request?.abilities?.resolve_threads ?? false,
  })
  if (!request) return null
  const facts: Facts = { of, request, project, base, place, threads, approvals }
  const openThreads = (threads ?? none).filter(isOpenThread).length
  const address = `${base}/-/merge_requests/${of.merge_request_iid}`
  const section = (name: string, end: string, number?: string | null) => ({
    words: number ? words.countOf(name, number) : name,
    href: address + end,
    isHere: `/${tab}` === end || (tab === '' && end === ''),
  })
  return (
    <Page
      isWide
      title={
        <>
          <bdi>{request.title}</bdi> <span class="muted">!{request.iid}</span>
        </>
      }
      tab={words.titleOf(request.title, request.iid)}
      lead={<Branches request={request} base={base} />}
      actions={<Actions {...facts} />}
    >
      <MergeBar {...facts} openThreads={openThreads} onNextThread={() => void toNextThread()} />
      <Tabs
        label={words.sections}
        tabs={[
          section(words.overview, '', String(request.user_notes_count || '')),
          section(words.commits, '/commits'),
          section(words.pipelines, '/pipelines'),
          section(words.changes, '/diffs', request.changes_count),
        ]}
      />
      {tab === '' ? <Overview {...facts} /> : null}
      {tab === 'commits' ? <Commits of={of} base={base} /> : null}
      {tab === 'pipelines' ? <Pipelines of={of} base={base} project={project} /> : null}
      {tab === 'diffs' || tab === '' ? (
        <RequestDiff
          of={of}
          request={request}
          base={base}
          place={place}
          threads={threads ?? none}
        />
      ) : null}
    </Page>
  )
}

const isOpenThread = ({ notes }: Discussion) =>
  notes.some((note) => note.resolvable && !note.resolved)

const check_ms = 2_000

/** Asks again while the server is still finding out whether it can be merged, or rebases it. */
function useSettling(of: RequestId, request: RequestRecord | undefined): void {
  const isSettling =
    request?.state === 'opened' &&
    (/^(?:checking|unchecked|preparing)$/.test(request.detailed_merge_status) ||
      request.rebase_in_progress === true)
  usePolling(() => invalidateRequest(of), isSettling, check_ms)
}

function Branches({ request, base }: { request: RequestRecord; base: string }) {
  const { source_branch, target_branch, author, created_at, draft } = request
  const isFork = request.source_project_id !== request.target_project_id
  return (
    <span class="row">
      {draft ? <Chip>{words.draft}</Chip> : null}
      <a href={`/${author.username}`}>{author.name}</a>
      <Time at={created_at} />
      {isFork ? (
        <span class="mono">{source_branch}</span>
      ) : (
        <a class="mono" href={repositoryPageUrl(base, 'tree', source_branch)}>
          {source_branch}
        </a>
      )}
      {words.intoWord}
      <a class="mono" href={repositoryPageUrl(base, 'tree', target_branch)}>
        {target_branch}
      </a>
    </span>
  )
}

function Actions({ of, request, base }: Facts) {
  const [over, setOver] = useState<'edit' | 'checkout'>()
  const { abilities, draft, title, state, source_branch } = request
  const update = abilities?.update ?? false
  const edit = () => setOver('edit')
  useKeyActions(update ? [{ name: words.edit, keys: 'e', run: edit }] : [])
  const address = `${base}/-/merge_requests/${of.merge_request_iid}`
  return (
    <>
      {update ? <Button onClick={edit}>{words.edit}</Button> : null}
      <Menu
        look="quiet"
        label={issuables.more}
        items={[
          { words: words.checkOut, run: () => setOver('checkout') },
          {
            words: words.copyBranch,
            run: () => void copyText(source_branch).then(() => showToast(words.branchCopied)),
          },
          { words: words.patch, href: `${address}.patch` },
          { words: words.diff, href: `${address}.diff` },
          user.value != null && {
            words: issuables.addTodo,
            run: async () => {
              await call('POST /projects/:id/merge_requests/:merge_request_iid/todo', of)
              invalidate('/api/v4/todos')
              showToast(issuables.todoAdded)
            },
          },
          update &&
            state === 'opened' && {
              words: draft ? words.markReady : words.markDraft,
              run: () =>
                void saveRequestChanges(of, {
                  title: draft ? removeDraftPrefix(title) : `Draft: ${title}`,
                }),
            },
          abilities?.change_details && {
            words: request.discussion_locked ? issuables.unlock : issuables.lock,
            run: () =>
              void saveRequestChanges(of, { discussion_locked: !request.discussion_locked }),
          },
          update &&
            state === 'opened' && {
              words: words.close,
              run: () => void saveRequestChanges(of, { state_event: 'close' }),
            },
          abilities?.remove && {
            words: words.remove,
            isDanger: true,
            run: () =>
              confirmBefore({
                title: `${words.remove}?`,
                text: words.removeText,
                action: words.remove,
                run: async () => {
                  await call('DELETE /projects/:id/merge_requests/:merge_request_iid', of)
                  invalidateRequest(of)
                  navigate(`${base}/-/merge_requests`, { replace: true })
                  showToast(words.removed)
                },
              }),
          },
        ]}
      >
        <span aria-hidden="true">{ui.signs.more}</span>
      </Menu>
      {over === 'edit' ? (
        <EditRequest of={of} request={request} onClose={() => setOver(undefined)} />
      ) : null}
      {over === 'checkout' ? (
        <CheckOut iid={request.iid} onClose={() => setOver(undefined)} />
      ) : null}
    </>
  )
}

function Overview({ of, request, base, place, threads, approvals }: Facts) {
  const { abilities, state } = request
  const issuable = issuableOfRequest(of)
  const withCode = useMemo(
    (): ThreadContext => ({
      ...place,
      above: (thread, isOpen) => <ThreadCode {...{ of, request, thread, base, isOpen }} />,
      below: (thread) => <Suggestions {...{ of, request, thread, place }} />,
    }),
    [place, request, base],
  )
  const post = 'POST /projects/:id/merge_requests/:merge_request_iid'
  return (
    <div class="page-columns">
      <div class="stack">
        <Description
          issuable={issuable}
          record={request}
          save={
            abilities?.update ? (description) => saveRequestChanges(of, { description }) : undefined
          }
        />
        <IssuableReactions issuable={issuable} mayReact={place.mayDiscuss} />
        <Conversation
          issuable={issuable}
          threads={threads}
          place={withCode}
          mayWriteInternal={abilities?.write_internal_notes ?? false}
          isOpen={state === 'opened'}
          comment={({ body, internal }) =>
            internal
              ? call(`${post}/notes`, { ...of, body, internal })
              : call(`${post}/discussions`, { ...of, body })
          }
          changeState={
            abilities?.update && state !== 'merged'
              ? (state_event) => saveRequestChanges(of, { state_event })
              : undefined
          }
        />
      </div>
      <RequestDetails of={of} request={request} approvals={approvals} base={base} />
    </div>
  )
}
