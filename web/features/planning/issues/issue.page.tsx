// One issue: its text, what stands beside it, and the conversation.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useInvalidateOnChange } from '../../../api/live.ts'
import { useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { Conversation, IssuableReactions } from '../../../surfaces/conversation/conversation.tsx'
import { useIssuableThreads, useThreadContext } from '../../../surfaces/conversation/issuable.ts'
import { Description } from '../../../surfaces/issuable/description.tsx'
import { issuables, issues as words } from '../../../text/issues.ts'
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
import { placeBasePath } from '../../../ui/project-address.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import {
  changeIssue,
  type IssueId,
  type IssueRecord,
  invalidateIssue,
  issuableOfIssue,
  issueInput,
} from './issue-calls.ts'
import { IssueDetails } from './issue-details.tsx'
import { LinkedIssues, RelatedRequests } from './issue-links.tsx'

const EditIssue = lazyComponent(() =>
  import('./issue-edit.tsx').then(({ EditIssue: View }) => View),
)
const MoveIssue = lazyComponent(() =>
  import('./issue-move.tsx').then(({ MoveIssue: View }) => View),
)
const CopyIssue = lazyComponent(() =>
  import('./issue-move.tsx').then(({ CopyIssue: View }) => View),
)

const idOf = ({ place }: PlaceLocation): IssueId => ({
  id: place.id,
  issue_iid: Number.parseInt(place.rest ?? '', 10) || 0,
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/issues/:issue_iid', issueInput(idOf(at)))],
  View: IssuePage,
}

type Over = 'move' | 'clone'

function IssuePage({ at }: { at: PlaceLocation }) {
  const of = idOf(at)
  const { data: issue } = useApi('GET /projects/:id/issues/:issue_iid', issueInput(of))
  const { data: project } = useProject(of.id)
  const [isEditing, setEditing] = useState(false)
  const [over, setOver] = useState<Over>()
  const base = placeBasePath(at.place)
  const path = `/api/v4/projects/${of.id}/issues/${of.issue_iid}`
  useInvalidateOnChange(issue && `issue:${issue.id}`, [path], issue?.change_version)
  const abilities = issue?.abilities
  const edit = () => setEditing(true)
  useKeyActions(abilities?.update ? [{ name: words.edit, keys: 'e', run: edit }] : [])
  const issuable = issuableOfIssue(of)
  const threads = useIssuableThreads(issuable)
  const place = useThreadContext(issuable, {
    project,
    mayDiscuss: abilities?.discuss ?? false,
    draftKey: `issue:${issue?.id}`,
  })
  if (!issue) return null
  const isOpen = issue.state === 'opened'
  const changeState = () => closeOrReopen(of, issue)
  const tab = words.titleOf(issue.title, issue.iid)
  return (
    <Page
      title={
        <>
          <bdi>{issue.title}</bdi> <span class="muted">#{issue.iid}</span>
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
            <EditIssue
              issue={issue}
              of={of}
              within={place.within}
              onDone={() => setEditing(false)}
            />
          ) : (
            <Description
              issuable={issuable}
              record={issue}
              save={
                abilities?.update ? (description) => changeIssue(of, { description }) : undefined
              }
            />
          )}
          <IssuableReactions issuable={issuable} mayReact={place.mayDiscuss} />
          <LinkedIssues of={of} mayChange={abilities?.change_details ?? false} />
          <RelatedRequests of={of} base={base} project={project} issue={issue} />
          <Conversation
            issuable={issuable}
            threads={threads}
            place={place}
            mayWriteInternal={abilities?.write_internal_notes ?? false}
            isOpen={isOpen}
            hasWeights={issue.weight !== undefined}
            comment={({ body, internal }) =>
              call('POST /projects/:id/issues/:issue_iid/notes', {
                ...of,
                body,
                ...(internal ? { internal } : {}),
              })
            }
            changeState={
              abilities?.update ? (state_event) => changeIssue(of, { state_event }) : undefined
            }
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
  confirmBefore({
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
            void copyText(issue.references.full).then(() => showToast(issuables.referenceCopied)),
        },
        user.value != null && {
          words: issuables.addTodo,
          run: async () => {
            await call('POST /projects/:id/issues/:issue_iid/todo', of)
            invalidate('/api/v4/todos')
            showToast(issuables.todoAdded)
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
            confirmBefore({
              title: `${words.remove}?`,
              text: words.removeText,
              action: words.remove,
              run: async () => {
                await call('DELETE /projects/:id/issues/:issue_iid', of)
                invalidateIssue(of)
                navigate(`${base}/-/issues`, { replace: true })
                showToast(words.removed)
              },
            }),
        },
      ]}
    >
      <span aria-hidden="true">{ui.signs.more}</span>
    </Menu>
  )
}
