// One issue: its text, what stands beside it, and the conversation.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useLive } from '../../../api/live.ts'
import type { Discussion } from '../../../api/operations.ts'
import { may, useProject } from '../../../api/project.ts'
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
import { issuables, issues as words } from '../../../text/issues.ts'
import { ui } from '../../../text/ui.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { copyText } from '../../../ui/copy-line/copy-line.tsx'
import { confirmThen } from '../../../ui/dialog/dialog.tsx'
import { useActions } from '../../../ui/keys.ts'
import { lazy } from '../../../ui/lazy.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { here, navigate, scrollToHash, signInUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { baseOf } from '../../../ui/project-address.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { tell } from '../../../ui/toast/toast.tsx'
import {
  changeIssue,
  type IssueId,
  type IssueRecord,
  issueInput,
  noteCalls,
  threadInput,
  touchIssue,
} from './issue-calls.ts'
import { IssueDetails } from './issue-details.tsx'
import { LinkedIssues, RelatedRequests } from './issue-links.tsx'

const EditIssue = lazy(() => import('./issue-edit.tsx').then(({ EditIssue: View }) => View))
const MoveIssue = lazy(() => import('./issue-move.tsx').then(({ MoveIssue: View }) => View))
const CopyIssue = lazy(() => import('./issue-move.tsx').then(({ CopyIssue: View }) => View))

const idOf = ({ place }: AtPlace): IssueId => ({
  id: place.id,
  issue_iid: Number.parseInt(place.rest ?? '', 10) || 0,
})

export const page: PageModule<AtPlace> = {
  calls: (at) => [
    need('GET /projects/:id/issues/:issue_iid', issueInput(idOf(at))),
    user.value != null &&
      need('GET /projects/:id/issues/:issue_iid/discussions', threadInput(idOf(at))),
  ],
  View: IssuePage,
}

type Over = 'move' | 'clone'

function IssuePage({ at }: { at: AtPlace }) {
  const of = idOf(at)
  const { data: issue } = useApi('GET /projects/:id/issues/:issue_iid', issueInput(of))
  const { data: project } = useProject(of.id)
  const [isEditing, setEditing] = useState(false)
  const [over, setOver] = useState<Over>()
  const base = baseOf(at.place)
  useLive(issue && `issue:${issue.id}`, [`/api/v4/projects/${of.id}/issues/${of.issue_iid}`])
  const abilities = issue?.abilities
  const edit = () => setEditing(true)
  useActions(abilities?.update ? [{ name: words.edit, keys: 'e', run: edit }] : [])
  if (!issue) return null
  const within = withinProject(project, of.id)
  const isOpen = issue.state === 'opened'
  const changeState = () => closeOrReopen(of, issue)
  const tab = words.titleOf(issue.title, issue.iid)
  return (
    <Page
      title={
        <>
          {issue.title} <span class="muted">#{issue.iid}</span>
        </>
      }
      tab={tab}
      actions={
        <>
          {abilities?.update ? <Button onClick={edit}>{issuables.editWord}</Button> : null}
          <IssueMenu of={of} issue={issue} base={base} onOver={setOver} />
        </>
      }
    >
      <StateBar
        state={<Status status={isOpen ? 'opened' : 'closed'} />}
        actions={
          abilities?.update ? (
            <Button onClick={() => void changeState()}>
              {isOpen ? words.close : words.reopen}
            </Button>
          ) : null
        }
      >
        <Why issue={issue} base={base} />
      </StateBar>
      <div class="page-columns">
        <div class="stack">
          {isEditing ? (
            <EditIssue issue={issue} of={of} within={within} onDone={() => setEditing(false)} />
          ) : (
            <Description of={of} issue={issue} />
          )}
          <IssueReactions of={of} mayReact={abilities?.discuss ?? false} />
          <LinkedIssues of={of} mayChange={abilities?.change_details ?? false} />
          <RelatedRequests of={of} base={base} project={project} issue={issue} />
          <Conversation
            of={of}
            issue={issue}
            within={within}
            mayChangeAll={may(project, 'protect_branches')}
          />
        </div>
        <IssueDetails of={of} issue={issue} base={base} />
      </div>
      {over === 'move' ? <MoveIssue of={of} onClose={() => setOver(undefined)} /> : null}
      {over === 'clone' ? <CopyIssue of={of} onClose={() => setOver(undefined)} /> : null}
    </Page>
  )
}

/** Closes it, after a question where open issues block it; or opens it again. */
async function closeOrReopen(of: IssueId, issue: IssueRecord): Promise<void> {
  if (issue.state !== 'opened') return changeIssue(of, { state_event: 'reopen' })
  const close = () => changeIssue(of, { state_event: 'close' })
  const links = await call('GET /projects/:id/issues/:issue_iid/links', of)
  const isBlocked = links.some(
    ({ link_type, state }) => link_type === 'is_blocked_by' && state === 'opened',
  )
  if (!isBlocked) return close()
  confirmThen({
    title: words.blockedTitle,
    text: words.blockedText,
    action: words.closeAnyway,
    run: close,
  })
}

function Why({ issue, base }: { issue: IssueRecord; base: string }) {
  const { author, created_at, closed_at, closed_by, confidential, moved_to_id } = issue
  return (
    <span class="row">
      {confidential ? <Chip tone="warning">{words.confidential}</Chip> : null}
      {issue.issue_type === 'issue' ? null : <Chip>{typeWord(issue.issue_type)}</Chip>}
      {issue.discussion_locked ? <Chip>{issuables.lockedWord}</Chip> : null}
      {closed_at ? (
        <span>
          {closed_by ? words.closedBy(closed_by.name) : issuables.states.closed}{' '}
          <Time at={closed_at} />
        </span>
      ) : (
        <span>
          {issuables.openedBy} <a href={`/${author.username}`}>{author.name}</a>{' '}
          <Time at={created_at} />
        </span>
      )}
      {moved_to_id ? <a href={`${base}/-/issues`}>{words.movedTo}</a> : null}
    </span>
  )
}

const typeWord = (type: string) => words.types.find(([name]) => name === type)?.[1] ?? type

function IssueMenu({
  of,
  issue,
  base,
  onOver,
}: {
  of: IssueId
  issue: IssueRecord
  base: string
  onOver: (over: Over) => void
}) {
  const { abilities } = issue
  const details = abilities?.change_details ?? false
  return (
    <Menu
      look="quiet"
      label={issuables.more}
      items={[
        {
          words: issuables.copyReference,
          run: () =>
            void copyText(issue.references.full).then(() => tell(issuables.referenceCopied)),
        },
        user.value != null && {
          words: issuables.addTodo,
          run: async () => {
            await call('POST /projects/:id/issues/:issue_iid/todo', of)
            touch('/api/v4/todos')
            tell(issuables.todoAdded)
          },
        },
        abilities?.update && {
          words: issue.confidential ? words.makePublic : words.makeConfidential,
          run: () => void changeIssue(of, { confidential: !issue.confidential }),
        },
        details && {
          words: issue.discussion_locked ? issuables.unlock : issuables.lock,
          run: () => void changeIssue(of, { discussion_locked: !issue.discussion_locked }),
        },
        details && { words: words.move, run: () => onOver('move') },
        user.value != null && { words: words.clone, run: () => onOver('clone') },
        abilities?.remove && {
          words: words.remove,
          isDanger: true,
          run: () =>
            confirmThen({
              title: `${words.remove}?`,
              text: words.removeText,
              action: words.remove,
              run: async () => {
                await call('DELETE /projects/:id/issues/:issue_iid', of)
                touchIssue(of)
                navigate(`${base}/-/issues`, { replace: true })
                tell(words.removed)
              },
            }),
        },
      ]}
    >
      <span aria-hidden="true">{ui.signs.more}</span>
    </Menu>
  )
}

function Description({ of, issue }: { of: IssueId; issue: IssueRecord }) {
  const mayChange = issue.abilities?.update ?? false
  const tick = async (line: number, isTicked: boolean) => {
    // The newest text: somebody may have changed another line of it.
    const { description } = await call('GET /projects/:id/issues/:issue_iid', of)
    const next = withTask(description ?? '', line, isTicked)
    if (next === undefined) touchIssue(of)
    else await changeIssue(of, { description: next })
  }
  const { count, completed_count } = issue.task_completion_status
  return (
    <section aria-label={issuables.description}>
      {issue.description ? (
        <ProseWithTasks html={issue.description_html ?? ''} onTick={mayChange ? tick : undefined} />
      ) : (
        <p class="muted">{issuables.noDescription}</p>
      )}
      {count > 0 ? <p class="muted">{issuables.tasks(completed_count, count)}</p> : null}
    </section>
  )
}

function IssueReactions({ of, mayReact }: { of: IssueId; mayReact: boolean }) {
  const { data } = useAll('GET /projects/:id/issues/:issue_iid/award_emoji', {
    ...of,
    per_page: 100,
  })
  const done = async (request: Promise<unknown>) => {
    await request
    touchIssue(of)
  }
  const calls = {
    give: (name: string) =>
      done(call('POST /projects/:id/issues/:issue_iid/award_emoji', { ...of, name })),
    takeBack: ({ id: award_id }: { id: number }) =>
      done(
        call('DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id', { ...of, award_id }),
      ),
  }
  return <Reactions awards={data ?? []} calls={mayReact ? calls : undefined} />
}

const none: readonly never[] = []

function Conversation({
  of,
  issue,
  within,
  mayChangeAll,
}: {
  of: IssueId
  issue: IssueRecord
  within: Within
  mayChangeAll: boolean
}) {
  const signedIn = user.value
  const base = 'GET /projects/:id/issues/:issue_iid'
  const { data: threads } = useAll(`${base}/discussions`, signedIn ? threadInput(of) : undefined)
  const all = signedIn ? { ...of, per_page: 100 } : undefined
  const { data: labels } = useAll(`${base}/resource_label_events`, all)
  const { data: milestones } = useAll(`${base}/resource_milestone_events`, all)
  const { data: states } = useAll(`${base}/resource_state_events`, all)
  const { data: awards } = useAll(`${base}/note_award_emoji`, all)
  const mayDiscuss = issue.abilities?.discuss ?? false
  const draftKey = `issue:${issue.id}`
  const place = useMemo((): ThreadPlace => {
    const calls = noteCalls(of)
    return { within, calls, mayDiscuss, mayChangeAll, answer: calls.answer, draftKey }
  }, [of.id, of.issue_iid, within.path, within.mayUpload, mayDiscuss, mayChangeAll])
  const shown = useMemo(() => withAwards(threads ?? none, awards ?? none), [threads, awards])
  useEffect(() => {
    if (threads && here.value.hash.startsWith('#note_')) scrollToHash(here.value.hash)
  }, [threads !== undefined])
  if (!signedIn) {
    return (
      <Blank title={conversation.signInToRead}>
        <ButtonLink href={signInUrl(here.value)}>{conversation.signInToComment}</ButtonLink>
      </Blank>
    )
  }
  const isOpen = issue.state === 'opened'
  const send = async ({ body, internal, withState }: Sent) => {
    await call('POST /projects/:id/issues/:issue_iid/notes', {
      ...of,
      body,
      ...(internal ? { internal } : {}),
    })
    if (withState) await changeIssue(of, { state_event: isOpen ? 'close' : 'reopen' })
    touchIssue(of)
  }
  return (
    <>
      <Activity
        threads={shown as readonly Discussion[]}
        events={{ labels: labels ?? none, milestones: milestones ?? none, states: states ?? none }}
        place={place}
      />
      <NewComment
        within={within}
        draftKey={draftKey}
        mayDiscuss={mayDiscuss}
        mayWriteInternal={issue.abilities?.write_internal_notes ?? false}
        stateAction={
          issue.abilities?.update
            ? isOpen
              ? conversation.commentAndClose
              : conversation.commentAndReopen
            : undefined
        }
        onSend={send}
      />
    </>
  )
}

type Sent = { body: string; internal: boolean; withState: boolean }
