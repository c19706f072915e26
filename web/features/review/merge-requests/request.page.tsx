// One merge request on one page: what state it is in, its text and conversation, and its changes beneath. The
// addresses of its parts show one of them alone.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useLive } from '../../../api/live.ts'
import type { Approvals, Discussion } from '../../../api/operations.ts'
import { may, type ProjectRecord, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { need, useAll, useApi } from '../../../api/use-api.ts'
import { Activity } from '../../../surfaces/conversation/activity.tsx'
import { NewComment } from '../../../surfaces/conversation/new-comment.tsx'
import { Reactions } from '../../../surfaces/conversation/reactions.tsx'
import type { ThreadPlace } from '../../../surfaces/conversation/thread.tsx'
import { withAwards } from '../../../surfaces/conversation/with-awards.ts'
import { type Within, withinProject } from '../../../surfaces/conversation/within.ts'
import { ProseWithTasks, withTask } from '../../../surfaces/prose/tasks.tsx'
import { conversation } from '../../../text/conversation.ts'
import { issuables } from '../../../text/issues.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { ui } from '../../../text/ui.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CommitLine } from '../../../ui/commit-line/commit-line.tsx'
import { CopyLine, copyText } from '../../../ui/copy-line/copy-line.tsx'
import { confirmThen, Dialog } from '../../../ui/dialog/dialog.tsx'
import { useActions } from '../../../ui/keys.ts'
import { lazy } from '../../../ui/lazy.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { here, navigate, scrollToHash, signInUrl } from '../../../ui/navigation.ts'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { addressOf, baseOf } from '../../../ui/project-address.ts'
import { Status } from '../../../ui/status/status.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { tell } from '../../../ui/toast/toast.tsx'
import { MergeBar, withoutDraft } from './merge-bar.tsx'
import {
  changeRequest,
  noteCalls,
  type RequestId,
  type RequestRecord,
  readAddress,
  requestInput,
  threadInput,
  touchRequest,
} from './request-calls.ts'
import { RequestDetails } from './request-details.tsx'

const EditRequest = lazy(() => import('./request-edit.tsx').then(({ EditRequest: View }) => View))
const Changes = lazy(() => import('./changes.tsx').then(({ Changes: View }) => View))

const route = 'GET /projects/:id/merge_requests/:merge_request_iid'

export const page: PageModule<AtPlace> = {
  calls: (at) => {
    const { of } = readAddress(at)
    return [
      need(route, requestInput(of)),
      user.value != null && need(`${route}/discussions`, threadInput(of)),
    ]
  },
  View: RequestPage,
}

type Facts = {
  of: RequestId
  request: RequestRecord
  project: ProjectRecord | undefined
  base: string
  within: Within
  place: ThreadPlace
  threads: readonly Discussion[] | undefined
  approvals: Approvals | undefined
}

const none: readonly never[] = []

function RequestPage({ at }: { at: AtPlace }) {
  const { of, tab } = readAddress(at)
  const { data: request } = useApi(route, requestInput(of))
  const { data: project } = useProject(of.id)
  const signedIn = user.value != null
  const { data: threads } = useAll(`${route}/discussions`, signedIn ? threadInput(of) : undefined)
  const { data: awards } = useAll(
    `${route}/note_award_emoji`,
    signedIn && tab !== 'commits' ? { ...of, per_page: 100 } : undefined,
  )
  const { data: approvals } = useApi(`${route}/approvals`, signedIn ? of : undefined)
  const path = `/api/v4/projects/${of.id}/merge_requests/${of.merge_request_iid}`
  useLive(request && `merge_request:${request.id}`, [path])
  const pipeline = request?.head_pipeline
  const isRunning = pipeline && !/^(?:success|failed|canceled|skipped)$/.test(pipeline.status)
  useLive(isRunning ? `pipeline:${pipeline.id}` : undefined, [path])
  useSettling(of, request)
  const base = baseOf(at.place)
  const within = withinProject(project, of.id)
  const mayDiscuss = request?.abilities?.discuss ?? false
  const resolvesAll = request?.abilities?.resolve_threads ?? false
  const mayChangeAll = may(project, 'protect_branches')
  const draftKey = `merge_request:${request?.id}`
  const place = useMemo((): ThreadPlace => {
    const calls = noteCalls(of)
    return {
      within,
      calls,
      mayDiscuss,
      mayChangeAll,
      draftKey,
      answer: calls.answer,
      resolve: calls.resolve,
      mayResolve: ({ notes }) => resolvesAll || notes[0]?.author.id === user.value?.id,
    }
  }, [
    of.id,
    of.merge_request_iid,
    within.path,
    within.mayUpload,
    mayDiscuss,
    mayChangeAll,
    draftKey,
    resolvesAll,
  ])
  const shown = useMemo(
    () => (threads ? (withAwards(threads, awards ?? none) as Discussion[]) : undefined),
    [threads, awards],
  )
  if (!request) return null
  const facts: Facts = { of, request, project, base, within, place, threads: shown, approvals }
  const openThreads = (shown ?? none).filter(isOpenThread).length
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
          {request.title} <span class="muted">!{request.iid}</span>
        </>
      }
      tab={words.titleOf(request.title, request.iid)}
      lead={<Branches request={request} base={base} />}
      actions={<Actions {...facts} />}
    >
      <MergeBar {...facts} openThreads={openThreads} onNextThread={() => goToThread(1)} />
      <Tabs
        label={words.sections}
        tabs={[
          section(words.overview, '', String(request.user_notes_count || '')),
          section(words.commits, '/commits'),
          section(words.pipelines, '/pipelines'),
          section(words.changes, '/diffs', request.changes_count),
        ]}
      />
      <ThreadKeys />
      {tab === '' ? <Overview {...facts} /> : null}
      {tab === 'commits' ? <Commits {...facts} /> : null}
      {tab === 'pipelines' ? <Pipelines {...facts} /> : null}
      {tab === 'diffs' || tab === '' ? (
        <Changes of={of} request={request} base={base} place={place} threads={shown ?? none} />
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
  useEffect(() => {
    if (!isSettling) return
    const timer = setTimeout(() => document.hidden || touchRequest(of), check_ms)
    return () => clearTimeout(timer)
  }, [isSettling, request])
}

/** Goes to the next open thread below what is in sight, or the one above it; round at the ends. */
function goToThread(step: 1 | -1): void {
  const open = [...document.querySelectorAll<HTMLElement>('.thread[data-open]')]
  const tops = open.map((one) => one.getBoundingClientRect().top)
  const now = open.indexOf(document.activeElement?.closest('.thread[data-open]') as HTMLElement)
  const after = step > 0 ? tops.findIndex((top) => top > 80) : tops.findLastIndex((top) => top < -8)
  const at = now >= 0 ? now + step : after
  const next = open[(at + open.length) % open.length] ?? open[0]
  if (!next) return
  next.scrollIntoView({ block: 'center' })
  next.tabIndex = -1
  next.focus({ preventScroll: true })
}

function ThreadKeys() {
  useActions([
    { name: words.nextThread, keys: 'Shift N', run: () => goToThread(1) },
    { name: words.previousThread, keys: 'Shift P', run: () => goToThread(-1) },
  ])
  return null
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
        <a class="mono" href={addressOf(base, 'tree', source_branch)}>
          {source_branch}
        </a>
      )}
      {words.intoWord}
      <a class="mono" href={addressOf(base, 'tree', target_branch)}>
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
  useActions(update ? [{ name: words.edit, keys: 'e', run: edit }] : [])
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
            run: () => void copyText(source_branch).then(() => tell(words.branchCopied)),
          },
          { words: words.patch, href: `${address}.patch` },
          { words: words.diff, href: `${address}.diff` },
          user.value != null && {
            words: issuables.addTodo,
            run: async () => {
              await call('POST /projects/:id/merge_requests/:merge_request_iid/todo', of)
              touch('/api/v4/todos')
              tell(issuables.todoAdded)
            },
          },
          update &&
            state === 'opened' && {
              words: draft ? words.markReady : words.markDraft,
              run: () =>
                void changeRequest(of, {
                  title: draft ? withoutDraft(title) : `Draft: ${title}`,
                }),
            },
          abilities?.change_details && {
            words: request.discussion_locked ? issuables.unlock : issuables.lock,
            run: () => void changeRequest(of, { discussion_locked: !request.discussion_locked }),
          },
          update &&
            state === 'opened' && {
              words: words.close,
              run: () => void changeRequest(of, { state_event: 'close' }),
            },
          abilities?.remove && {
            words: words.remove,
            isDanger: true,
            run: () =>
              confirmThen({
                title: `${words.remove}?`,
                text: words.removeText,
                action: words.remove,
                run: async () => {
                  await call('DELETE /projects/:id/merge_requests/:merge_request_iid', of)
                  touchRequest(of)
                  navigate(`${base}/-/merge_requests`, { replace: true })
                  tell(words.removed)
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
        <Dialog isWide title={words.checkOut} onClose={() => setOver(undefined)}>
          <p>{words.checkOutText}</p>
          <CopyLine
            label={words.checkOutCommands}
            text={`git fetch origin refs/merge-requests/${request.iid}/head\ngit switch --detach FETCH_HEAD`}
          />
        </Dialog>
      ) : null}
    </>
  )
}

function Overview(facts: Facts) {
  const { of, request, base, approvals } = facts
  return (
    <div class="page-columns">
      <div class="stack">
        <Description of={of} request={request} />
        <RequestReactions of={of} mayReact={request.abilities?.discuss ?? false} />
        <Conversation {...facts} />
      </div>
      <RequestDetails of={of} request={request} approvals={approvals} base={base} />
    </div>
  )
}

function Description({ of, request }: { of: RequestId; request: RequestRecord }) {
  const mayChange = request.abilities?.update ?? false
  const tick = async (line: number, isTicked: boolean) => {
    // The newest text: somebody may have changed another line of it.
    const { description } = await call(route, of)
    const next = withTask(description ?? '', line, isTicked)
    if (next === undefined) touchRequest(of)
    else await changeRequest(of, { description: next })
  }
  return (
    <section aria-label={issuables.description}>
      {request.description ? (
        <ProseWithTasks
          html={request.description_html ?? ''}
          onTick={mayChange ? tick : undefined}
        />
      ) : (
        <p class="muted">{issuables.noDescription}</p>
      )}
    </section>
  )
}

function RequestReactions({ of, mayReact }: { of: RequestId; mayReact: boolean }) {
  const { data } = useAll(`${route}/award_emoji`, { ...of, per_page: 100 })
  const done = async (request: Promise<unknown>) => {
    await request
    touchRequest(of)
  }
  const calls = {
    give: (name: string) =>
      done(
        call('POST /projects/:id/merge_requests/:merge_request_iid/award_emoji', { ...of, name }),
      ),
    takeBack: ({ id: award_id }: { id: number }) =>
      done(
        call('DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id', {
          ...of,
          award_id,
        }),
      ),
  }
  return <Reactions awards={data ?? []} calls={mayReact ? calls : undefined} />
}

function Conversation({ of, request, within, place, threads }: Facts) {
  const all = user.value == null ? undefined : { ...of, per_page: 100 }
  const { data: labels } = useAll(`${route}/resource_label_events`, all)
  const { data: milestones } = useAll(`${route}/resource_milestone_events`, all)
  const { data: states } = useAll(`${route}/resource_state_events`, all)
  useEffect(() => {
    if (threads && here.value.hash.startsWith('#note_')) scrollToHash(here.value.hash)
  }, [threads !== undefined])
  if (user.value == null) {
    return (
      <Blank title={conversation.signInToRead}>
        <ButtonLink href={signInUrl(here.value)}>{conversation.signInToComment}</ButtonLink>
      </Blank>
    )
  }
  const isOpen = request.state === 'opened'
  const mayChangeState = request.abilities?.update && request.state !== 'merged'
  return (
    <>
      <Activity
        threads={threads ?? none}
        events={{ labels: labels ?? none, milestones: milestones ?? none, states: states ?? none }}
        place={place}
      />
      <NewComment
        within={within}
        draftKey={place.draftKey}
        mayDiscuss={place.mayDiscuss}
        mayWriteInternal={request.abilities?.write_internal_notes ?? false}
        stateAction={
          mayChangeState
            ? isOpen
              ? conversation.commentAndClose
              : conversation.commentAndReopen
            : undefined
        }
        onSend={async ({ body, internal, withState }) => {
          await (internal
            ? call('POST /projects/:id/merge_requests/:merge_request_iid/notes', {
                ...of,
                body,
                internal,
              })
            : call('POST /projects/:id/merge_requests/:merge_request_iid/discussions', {
                ...of,
                body,
              }))
          if (withState) await changeRequest(of, { state_event: isOpen ? 'close' : 'reopen' })
          touchRequest(of)
        }}
      />
    </>
  )
}

function Commits({ of, base }: Facts) {
  const { data, page: pages } = useApi(`${route}/commits`, {
    ...of,
    per_page: 50,
    page: Number(here.value.searchParams.get('page') ?? 1),
  })
  if (!data) return null
  return (
    <Section title={words.commits}>
      {data.length === 0 ? <Blank title={words.noCommits} /> : null}
      <List label={words.commits}>
        {data.map((commit) => (
          <Row key={commit.id}>
            <CommitLine commit={commit} base={base} />
          </Row>
        ))}
      </List>
      <Pager page={pages} />
    </Section>
  )
}

function Pipelines({ of, base, project }: Facts) {
  const { data, page: pages } = useApi(`${route}/pipelines`, {
    ...of,
    per_page: 30,
    page: Number(here.value.searchParams.get('page') ?? 1),
  })
  if (!data) return null
  const run = async () => {
    await call('POST /projects/:id/merge_requests/:merge_request_iid/pipelines', of)
    touchRequest(of)
    tell(words.pipelineStarted)
  }
  return (
    <Section
      title={words.pipelines}
      actions={
        may(project, 'create_pipelines') ? (
          <Button onClick={() => void run()}>{words.runPipeline}</Button>
        ) : null
      }
    >
      {data.length === 0 ? <Blank title={words.noPipelines} /> : null}
      <List label={words.pipelines}>
        {data.map(({ id, status, sha, ref, created_at }) => (
          <Row key={id} aside={<Time at={created_at} />}>
            <div class="row">
              <Status status={status} />
              <a data-main href={`${base}/-/pipelines/${id}`}>{`#${id}`}</a>
              <a class="mono" href={`${base}/-/commit/${sha}`}>
                {sha.slice(0, 8)}
              </a>
              <span class="muted one-line">{ref}</span>
            </div>
          </Row>
        ))}
      </List>
      <Pager page={pages} />
    </Section>
  )
}
